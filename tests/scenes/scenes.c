/* The scenes. Each builder sets up materials, laws and walls, then its particles. */
#include "scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TIME_STEP = 1e-4; /* a 70th of the contact time for k = 1e5 and an effective mass of 1/2 */

/* ---- pieces ---- */

dem_status scene_add_plane(dem_system *system, int32_t material, const double point[3], const double normal[3]) {
  dem_wall plane;
  const dem_status status = dem_wall_init(&plane, sizeof plane);
  if (status) return status;
  plane.material = material;
  memcpy(plane.position, point, sizeof plane.position);
  memcpy(plane.axis, normal, sizeof plane.axis);
  return dem_system_add_wall(system, &plane, NULL);
}

dem_status scene_wall_force(const dem_system *system, int32_t wall, double force[3]) {
  dem_wall_state state;
  dem_status status = dem_wall_state_init(&state, sizeof state);
  if (!status) status = dem_system_wall_state(system, wall, &state);
  if (!status) memcpy(force, state.force, sizeof state.force);
  return status;
}

static dem_status add_material(dem_system *system, double young) {
  dem_material m;
  const dem_status status = dem_material_init(&m, sizeof m);
  if (status) return status;
  m.young = young;
  return dem_system_add_material(system, &m, NULL);
}

/* The options common to all scenes. */
static void start(dem_system_options *o, const scene_setup *setup) {
  dem_system_options_init(o, sizeof *o);
  o->dt = setup->dt > 0 ? setup->dt : TIME_STEP;
  o->skin = setup->skin;
  o->drag = setup->drag;
  o->threads = setup->threads > 0 ? setup->threads : 1;
  o->ledger = setup->ledger;
  o->arms = setup->arms;
  o->transport = setup->transport;
}

/* Creates the system with materials that both Hooke and Hertz can use and one law for every pair of them. */
static dem_status open_system(dem_context *context, const scene_setup *setup, const dem_system_options *o,
                              const dem_law_options *law, int32_t materials, dem_system **system) {
  *system = NULL;
  dem_status status = dem_system_create(context, o, system);
  if (!status && setup->integrator) status = dem_system_set_integrator_name(*system, setup->integrator);
  for (int32_t m = 0; !status && m < materials; m++) status = add_material(*system, 1e6 * (1 + m));
  for (int32_t a = 0; a < materials; a++)
    for (int32_t b = a; !status && b < materials; b++)
      status = scene_set_law(context, *system, a, b, setup->law ? setup->law : law);
  return status;
}

/* Adds the rows, frees them, and destroys the system on failure. */
static dem_status close_system(dem_status status, const scene_setup *setup, rows *r, dem_system **system) {
  if (setup->reversed) rows_reverse(r);
  if (!status) status = rows_add(r, *system, NULL);
  rows_destroy(r);
  if (status) {
    dem_system_destroy(*system);
    *system = NULL;
  }
  return status;
}

/* Random velocity and spin of a row. */
static void shake(rows *r, int64_t row, dice *d, double speed, double spin) {
  double v[6];
  for (int k = 0; k < 6; k++) v[k] = dice_uniform(d, -1, 1);
  rows_velocity(r, row, speed * v[0], speed * v[1], speed * v[2]);
  rows_spin(r, row, spin * v[3], spin * v[4], spin * v[5]);
}

/* A jittered lattice of about n spheres, nx by ny in a layer, lowest layer at z0, radii in [0.3, 0.5], no overlaps. */
static void lattice(rows *r, int64_t n, int nx, int ny, double z0, double speed, dice *d) {
  for (int64_t i = 0; i < n; i++) {
    const double radius = dice_uniform(d, 0.3, 0.5), room = 0.52 - radius;
    const double x = 1.06 * ((double)(i % nx) + 0.5) + dice_uniform(d, -room, room);
    const double y = 1.06 * ((double)(i / nx % ny) + 0.5) + dice_uniform(d, -room, room);
    const double z = z0 + 1.06 * ((double)(i / nx / ny) + 0.5) + dice_uniform(d, -room, room);
    const int64_t row = rows_put(r, x, y, z, radius);
    shake(r, row, d, speed, 2 * speed);
  }
}

static int64_t size_of(const scene_setup *setup, int64_t standard) {
  return setup->particles > 0 ? setup->particles : standard;
}

/* ---- impact: two equal spheres meet head on, touching at t = 0 ---- */

static dem_status build_impact(dem_context *context, const scene_setup *setup, dem_system **system) {
  rows r;
  if (rows_create(&r, 2)) return DEM_NO_MEMORY;
  dem_system_options o;
  dem_law_options law;
  start(&o, setup);
  scene_hooke(&law);
  const dem_status status = open_system(context, setup, &o, &law, 1, system);
  rows_velocity(&r, rows_put(&r, -0.5, 0, 0, 0.5), 0.5, 0, 0);
  rows_velocity(&r, rows_put(&r, 0.5, 0, 0, 0.5), -0.5, 0, 0);
  return close_system(status, setup, &r, system);
}

/* ---- oblique: a spinning sphere hits a wall at 45 degrees ---- */

static dem_status build_oblique(dem_context *context, const scene_setup *setup, dem_system **system) {
  rows r;
  if (rows_create(&r, 1)) return DEM_NO_MEMORY;
  dem_system_options o;
  dem_law_options law;
  start(&o, setup);
  scene_hooke(&law);
  dem_status status = open_system(context, setup, &o, &law, 1, system);
  if (!status) status = scene_add_plane(*system, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
  const int64_t row = rows_put(&r, 0, 0, 0.501, 0.5);
  rows_velocity(&r, row, 1, 0.2, -1);
  rows_spin(&r, row, 0.3, -0.5, 0.7);
  return close_system(status, setup, &r, system);
}

/* ---- cluster: a free ball of frictional spheres of mixed sizes that falls in on itself, no gravity, no walls ---- */

static dem_status build_cluster(dem_context *context, const scene_setup *setup, dem_system **system) {
  const int64_t n = size_of(setup, 60);
  const int side = (int)ceil(cbrt((double)n));
  rows r;
  if (rows_create(&r, n)) return DEM_NO_MEMORY;
  dem_system_options o;
  dem_law_options law;
  start(&o, setup);
  scene_hooke(&law);
  const dem_status status = open_system(context, setup, &o, &law, 1, system);
  dice d = {1};
  lattice(&r, n, side, side, 0, 1, &d);
  /* Collapse: velocity towards the middle, so that contacts form soon and last. */
  for (int64_t i = 0; i < 3 * n; i++) r.velocity[i] -= 2 * (r.position[i] - 0.53 * side);
  return close_system(status, setup, &r, system);
}

/* ---- packing2d: discs in a periodic square, overlapping from the start, slowed by a background drag ---- */

static dem_status build_packing2d(dem_context *context, const scene_setup *setup, dem_system **system) {
  const int64_t n = size_of(setup, 64);
  const int side = (int)ceil(sqrt((double)n));
  rows r;
  if (rows_create(&r, n)) return DEM_NO_MEMORY;
  dem_system_options o;
  dem_law_options law;
  start(&o, setup);
  scene_hooke(&law);
  o.dimension = 2;
  o.shape = DEM_SHAPE_DISC;
  o.periodic[0] = o.periodic[1] = 1;
  o.box_high[0] = o.box_high[1] = 0.9 * side;
  if (setup->drag <= 0) o.drag = 1;
  const dem_status status = open_system(context, setup, &o, &law, 1, system);
  dice d = {2};
  for (int64_t i = 0; i < n; i++) {
    const double radius = dice_uniform(&d, 0.4, 0.5);
    const double x = 0.9 * (double)(i % side), y = 0.9 * (double)(i / side);
    const int64_t row = rows_put(&r, x, y, 0, radius);
    shake(&r, row, &d, 0.5, 1);
    r.velocity[3 * row + 2] = r.spin[3 * row] = r.spin[3 * row + 1] = 0;
  }
  return close_system(status, setup, &r, system);
}

/* ---- settling: spheres fall into a box of five walls ---- */

static dem_status add_walls(dem_system *system, double width, int32_t material) {
  static const double normals[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  dem_status status = DEM_OK;
  for (int w = 0; !status && w < 5; w++) {
    const double far[3] = {normals[w][0] < 0 ? width : 0, normals[w][1] < 0 ? width : 0, 0};
    status = scene_add_plane(system, material, far, normals[w]);
  }
  return status;
}

static dem_status build_box(dem_context *context, const scene_setup *setup, dem_system **system, int32_t materials) {
  const int64_t n = size_of(setup, 120);
  const int side = (int)ceil(cbrt((double)n / 2));
  rows r;
  if (rows_create(&r, n)) return DEM_NO_MEMORY;
  dem_system_options o;
  dem_law_options law;
  start(&o, setup);
  scene_hooke(&law);
  o.gravity[2] = -10;
  dem_status status = open_system(context, setup, &o, &law, materials, system);
  if (!status) status = add_walls(*system, 1.06 * side, materials - 1);
  dice d = {3};
  lattice(&r, n, side, side, 0, 1, &d);
  for (int64_t i = 0; i < n; i++) r.material[i] = (int32_t)(i % materials);
  return close_system(status, setup, &r, system);
}

static dem_status build_settling(dem_context *context, const scene_setup *setup, dem_system **system) {
  return build_box(context, setup, system, 1);
}

/* ---- two-materials: the same with two kinds of grain and three laws, walls of the second kind ---- */

static dem_status build_two_materials(dem_context *context, const scene_setup *setup, dem_system **system) {
  dem_status status = build_box(context, setup, system, 2);
  if (status || setup->law) return status;
  dem_law_options soft, hard;
  scene_hooke(&soft);
  soft.normal_stiffness = 4e4;
  soft.tangential = DEM_TANGENTIAL_VISCOUS;
  soft.tangential_stiffness = 0;
  scene_hertz(&hard);
  status = scene_set_law(context, *system, 0, 1, &soft);
  if (!status) status = scene_set_law(context, *system, 1, 1, &hard);
  if (!status) return DEM_OK;
  dem_system_destroy(*system);
  *system = NULL;
  return status;
}

/* ---- hertz-bed: Hertz-Mindlin grains on a floor of frozen ones, periodic in x and y; powder: the same with JKR, rolling and
 * twisting ---- */

static dem_status build_bed(dem_context *context, const scene_setup *setup, double surface_energy, dem_system **system) {
  const int64_t n = size_of(setup, 120);
  const int side = (int)fmax(4, ceil(cbrt((double)n / 2)));
  rows r;
  if (rows_create(&r, n + side * side)) return DEM_NO_MEMORY;
  dem_system_options o;
  dem_law_options law;
  start(&o, setup);
  scene_hertz(&law);
  if (surface_energy > 0) scene_joint(0, &law), law.surface_energy = surface_energy;
  o.gravity[0] = 2;
  o.gravity[2] = -10;
  o.periodic[0] = o.periodic[1] = 1;
  o.box_high[0] = o.box_high[1] = 1.06 * side;
  dem_status status = open_system(context, setup, &o, &law, 1, system);
  if (!status) status = scene_add_plane(*system, 0, (double[3]){0, 0, -0.5}, (double[3]){0, 0, 1});
  dice d = {4};
  for (int i = 0; i < side * side; i++) r.frozen[rows_put(&r, 1.06 * (i % side + 0.5), 1.06 * (i / side + 0.5), 0, 0.45)] = 1;
  lattice(&r, n, side, side, 0.4, 0.5, &d);
  return close_system(status, setup, &r, system);
}

static dem_status build_hertz_bed(dem_context *context, const scene_setup *setup, dem_system **system) {
  return build_bed(context, setup, 0, system);
}

/* The pull-off force is about six times the weight of a grain. */
static dem_status build_powder(dem_context *context, const scene_setup *setup, dem_system **system) {
  return build_bed(context, setup, 20, system);
}

/* ---- busy: grains are poured, taken away, frozen, pushed and stopped while it runs ---- */

static dem_status build_busy(dem_context *context, const scene_setup *setup, dem_system **system) {
  scene_setup small = *setup;
  if (small.particles <= 0) small.particles = 60;
  return build_box(context, &small, system, 1);
}

/* Some new grains above everything else. */
static dem_status pour(dem_system *system, int round) {
  rows r;
  if (rows_create(&r, 9)) return DEM_NO_MEMORY;
  dice d = {100 + (uint64_t)round};
  lattice(&r, 9, 3, 3, 6 + 1.1 * round, 0.5, &d);
  const dem_status status = rows_add(&r, system, NULL);
  rows_destroy(&r);
  return status;
}

/* What happens to every 7th, 5th and 11th grain of the listing: gone, frozen or released, stopped; the first is pushed. */
static dem_status meddle(dem_system *system, const dem_id *ids, int64_t n, int round) {
  static const double zero[3] = {0, 0, 0}, push[3] = {3, -2, 5};
  dem_status status = DEM_OK;
  for (int64_t i = 1 + round % 3; !status && i < n; i += 11)
    status = dem_system_set_field(system, DEM_VELOCITY, 1, ids + i, zero, 0);
  for (int64_t i = 2; !status && i < n; i += 5) status = dem_system_set_frozen(system, 1, ids + i, round % 2);
  if (!status) status = dem_system_set_field(system, DEM_HOST_FORCE, 1, ids, push, 0);
  if (!status) status = dem_system_set_field(system, DEM_HOST_TORQUE, 1, ids, push, 0);
  for (int64_t i = 4; !status && i < n; i += 17) status = dem_system_remove_particles(system, 1, ids + i);
  return status;
}

static dem_status disturb(dem_system *system, int round) {
  int64_t n = 0;
  dem_status status = pour(system, round);
  if (!status) status = dem_system_particle_count(system, &n);
  if (status) return status;
  dem_id *ids = malloc((size_t)n * sizeof *ids);
  if (!ids) return DEM_NO_MEMORY;
  status = dem_system_ids(system, n, ids);
  if (!status) status = meddle(system, ids, n, round);
  free(ids);
  return status;
}

static dem_status run_busy(dem_system *system, int64_t steps) {
  dem_status status = DEM_OK;
  for (int round = 0; !status && round < 5; round++) {
    status = dem_system_step(system, steps / 5);
    if (!status) status = disturb(system, round);
  }
  return status ? status : dem_system_step(system, steps - steps / 5 * 5);
}

/* ---- the table ---- */

const scene scenes[] = {
    {"impact", build_impact, NULL, 100},        {"oblique", build_oblique, NULL, 150},
    {"cluster", build_cluster, NULL, 300},      {"packing2d", build_packing2d, NULL, 300},
    {"settling", build_settling, NULL, 1500},   {"two-materials", build_two_materials, NULL, 1500},
    {"hertz-bed", build_hertz_bed, NULL, 1500}, {"busy", build_busy, run_busy, 2000},
    {"powder", build_powder, NULL, 1500},
};
const int scene_count = (int)(sizeof scenes / sizeof scenes[0]);

const scene *scene_find(const char *name) {
  for (int i = 0; i < scene_count; i++)
    if (strcmp(scenes[i].name, name) == 0) return &scenes[i];
  return NULL;
}

dem_status scene_build(const scene *s, dem_context *context, const scene_setup *setup, dem_system **system) {
  static const scene_setup standard = {0};
  return s->build(context, setup ? setup : &standard, system);
}

dem_status scene_run(const scene *s, dem_system *system, int64_t steps) {
  return s->run ? s->run(system, steps) : dem_system_step(system, steps);
}
