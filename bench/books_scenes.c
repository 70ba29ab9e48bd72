#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "books.h"
#include "scenes.h" /* rows of particles and random numbers, shared with the tests */

static const double STIFFNESS = 1e5, YOUNG = 5e6, STEP = 1e-4, PI = 3.14159265358979323846;

/* ---- pieces ---- */

static dem_system_options options_of(const books_setup *setup, double dt, double gravity) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  o.gravity[2] = -gravity;
  o.ledger = 1;
  o.threads = setup->threads;
  return o;
}

/* Restitution 1: no dashpots at all. */
static dem_law_options law_of(const books_setup *setup, double restitution) {
  static const int32_t tangential[BOOKS_LAWS] = {DEM_TANGENTIAL_LINEAR, DEM_TANGENTIAL_MINDLIN_CONSERVING,
                                                 DEM_TANGENTIAL_MINDLIN, DEM_TANGENTIAL_LINEAR};
  const int hooke = setup->law == BOOKS_HOOKE || setup->law == BOOKS_ROLLING;
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal = hooke ? DEM_NORMAL_HOOKE : DEM_NORMAL_HERTZ;
  law.tangential = tangential[setup->law];
  law.attraction = setup->attraction;
  if (hooke) law.normal_stiffness = STIFFNESS;
  if (setup->law == BOOKS_ROLLING) {
    law.rolling = DEM_ROLLING_SPRING;
    law.twisting = DEM_TWISTING_SPRING;
    law.rolling_stiffness = law.twisting_stiffness = 0.1 * STIFFNESS;
    law.rolling_damping = law.twisting_damping = restitution < 1 ? 5 : 0;
  }
  if (restitution < 1) {
    law.damping = law.tangential_damping = DEM_DAMPING_RESTITUTION;
    law.restitution = restitution;
  }
  return law;
}

static dem_status set_law(dem_context *context, dem_system *system, const dem_law_options *options) {
  dem_law *law = NULL;
  dem_status status = dem_law_create(context, options, &law);
  if (!status) status = dem_system_set_law(system, 0, 0, law);
  dem_law_release(law);
  return status;
}

/* A system with one material, whose contacts all follow `law`. */
static dem_status open_system(dem_context *context, const books_setup *setup, const dem_system_options *o,
                              const dem_law_options *law, dem_system **system) {
  dem_material material;
  dem_material_init(&material, sizeof material);
  material.young = YOUNG;
  dem_status status = dem_system_create(context, o, system);
  if (!status) status = dem_system_set_integrator_name(*system, setup->integrator);
  if (!status) status = dem_system_add_material(*system, &material, NULL);
  return status ? status : set_law(context, *system, law);
}

/* Adds the rows and frees them. The ids go to `ids` unless it is NULL. */
static dem_status fill(dem_status status, rows *r, dem_system *system, dem_id *ids) {
  if (!status) status = rows_add(r, system, ids);
  rows_destroy(r);
  return status;
}

static dem_wall wall_of(int32_t shape) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.shape = shape;
  return w;
}

static dem_status add_floor(dem_system *system) {
  dem_wall w = wall_of(DEM_WALL_PLANE);
  w.axis[2] = 1;
  return dem_system_add_wall(system, &w, NULL);
}

/* Floor and four sides of a square column from the origin. */
static dem_status add_column(dem_system *system, double width) {
  dem_status status = add_floor(system);
  for (int side = 0; side < 4 && !status; side++) {
    dem_wall w = wall_of(DEM_WALL_PLANE);
    w.axis[side / 2] = side % 2 ? -1 : 1;
    if (side % 2) w.position[side / 2] = width;
    status = dem_system_add_wall(system, &w, NULL);
  }
  return status;
}

/* n grains on a jittered lattice, `across` by `across` in a layer, with random motion; none overlap. */
static void lattice(rows *r, int64_t n, int across, double speed, uint64_t seed) {
  dice d = {seed};
  const double pitch = 1.06;
  for (int64_t i = 0; i < n; i++) {
    const int64_t cell[3] = {i % across, i / across % across, i / across / across};
    const double radius = dice_uniform(&d, 0.4, 0.5), room = 0.52 - radius;
    double x[3], v[6];
    for (int k = 0; k < 3; k++) x[k] = pitch * ((double)cell[k] + 0.5) + dice_uniform(&d, -room, room);
    for (int k = 0; k < 6; k++) v[k] = dice_uniform(&d, -speed, speed);
    const int64_t row = rows_put(r, x[0], x[1], x[2], radius);
    rows_velocity(r, row, v[0], v[1], v[2]);
    rows_spin(r, row, v[3], v[4], v[5]);
  }
}

static double column_width(int across) { return 1.06 * across; }

/* ---- the four demonstrations ---- */

static dem_status build_approach(dem_context *context, const books_setup *setup, double viscosity, dem_system **system) {
  rows r;
  if (rows_create(&r, 2)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP, 0);
  dem_law_options law = law_of(setup, 1);
  law.viscosity = viscosity;
  const dem_status status = open_system(context, setup, &o, &law, system);
  rows_velocity(&r, rows_put(&r, -0.55, 0, 0, 0.5), 1, 0, 0);
  rows_velocity(&r, rows_put(&r, 0.55, 0, 0, 0.5), -1, 0, 0);
  return fill(status, &r, *system, NULL);
}

static dem_status build_impact(dem_context *context, const books_setup *setup, dem_system **system) {
  return build_approach(context, setup, 0, system);
}

static dem_status build_lubrication(dem_context *context, const books_setup *setup, dem_system **system) {
  return build_approach(context, setup, 0.08, system);
}

/* An elastic beam that breaks at a stretch. */
static dem_bond_type beam_of(double normal, double tangential, double strain) {
  dem_bond_type type;
  dem_bond_type_init(&type, sizeof type);
  type.radius_factor = 0.5;
  type.normal_stiffness = normal;
  type.tangential_stiffness = tangential;
  type.break_strain = strain;
  return type;
}

static dem_status build_bond(dem_context *context, const books_setup *setup, dem_system **system) {
  rows r;
  if (rows_create(&r, 2)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP, 0);
  const dem_law_options law = law_of(setup, 1);
  const dem_bond_type beam = beam_of(1.5e5, 1.5e5 * 2 / 7, 0.01);
  dem_id ids[2] = {0, 0};
  dem_status status = open_system(context, setup, &o, &law, system);
  if (!status) status = dem_system_add_bond_type(*system, &beam, NULL);
  rows_velocity(&r, rows_put(&r, -0.5, 0, 0, 0.5), 0, -3.65, 0);
  rows_velocity(&r, rows_put(&r, 0.5, 0, 0, 0.5), 0, 3.65, 0);
  status = fill(status, &r, *system, ids);
  const dem_bond bond = {.i = ids[0], .j = ids[1]};
  return status ? status : dem_system_add_bonds(*system, 1, &bond, sizeof bond, NULL);
}

static dem_status add_hammer(dem_system *system) {
  dem_wall w = wall_of(DEM_WALL_PLANE);
  w.axis[2] = -1;
  w.position[2] = 1.65;
  w.motion = DEM_WALL_FREE;
  w.free_axis[2] = 1;
  w.mass = 38;
  w.velocity[2] = -8;
  return dem_system_add_wall(system, &w, NULL);
}

/* Three spheres on the floor, apart from each other, and one on top of them. */
static dem_status build_wall_impact(dem_context *context, const books_setup *setup, dem_system **system) {
  rows r;
  if (rows_create(&r, 4)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP / 2, 10);
  const dem_law_options law = law_of(setup, 0.7);
  dem_bond_type beam = beam_of(2e5, 1e5, 0.01);
  beam.normal_damping = beam.tangential_damping = 20;
  dem_status status = open_system(context, setup, &o, &law, system);
  if (!status) status = add_floor(*system);
  if (!status) status = add_hammer(*system);
  if (!status) status = dem_system_add_bond_type(*system, &beam, NULL);
  for (int k = 0; k < 3; k++) {
    const double angle = 0.3 + 2 * PI / 3 * k, out = 0.8 * (1 + 0.03 * k);
    rows_put(&r, out * cos(angle), out * sin(angle), 0.5, 0.5);
  }
  rows_put(&r, 0, 0, 1.1, 0.5);
  status = fill(status, &r, *system, NULL);
  return status ? status : dem_system_bond_neighbours(*system, 0, 0, 0, 0.5, NULL);
}

/* ---- oblique: impacts on a floor and between pairs, from steep to grazing, with and without spin ---- */

static dem_status build_oblique(dem_context *context, const books_setup *setup, dem_system **system) {
  enum { ANGLES = 16 };
  rows r;
  if (rows_create(&r, 3 * ANGLES)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP, 0);
  const dem_law_options law = law_of(setup, 0.8);
  dem_status status = open_system(context, setup, &o, &law, system);
  if (!status) status = add_floor(*system);
  for (int k = 0; k < ANGLES; k++) {
    const double angle = PI / 2 * (k + 0.5) / ANGLES, x = 5 * k, vn = 3 * cos(angle), vt = 3 * sin(angle);
    rows_velocity(&r, rows_put(&r, x, 0, 0.501, 0.5), vt, 0.1 * k, -vn);
    rows_velocity(&r, rows_put(&r, x, 5, 50, 0.5), vt, 0, -vn);
    rows_velocity(&r, rows_put(&r, x, 5, 48.995, 0.5), 0, vt, 0.1);
    if (k % 2) rows_spin(&r, r.count - 3, 1, -3, 2);
    if (k % 2) rows_spin(&r, r.count - 2, -2, 4, 1);
  }
  return fill(status, &r, *system, NULL);
}

/* ---- servo: grains in a column under a lid that seeks a force ---- */

static dem_status build_servo(dem_context *context, const books_setup *setup, dem_system **system) {
  enum { ACROSS = 7, GRAINS = ACROSS * ACROSS * 6 };
  rows r;
  if (rows_create(&r, GRAINS)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP, 10);
  const dem_law_options law = law_of(setup, 0.5);
  dem_status status = open_system(context, setup, &o, &law, system);
  if (!status) status = add_column(*system, column_width(ACROSS));
  dem_wall lid = wall_of(DEM_WALL_PLANE);
  lid.axis[2] = lid.direction[2] = -1;
  lid.position[2] = column_width(6);
  lid.motion = DEM_WALL_SERVO;
  lid.target = 40;
  lid.area = column_width(ACROSS) * column_width(ACROSS);
  lid.gain = 4e-4;
  lid.velocity_limit = 1.5;
  lid.mass = 10;
  if (!status) status = dem_system_add_wall(*system, &lid, NULL);
  lattice(&r, GRAINS, ACROSS, 1, 11);
  return fill(status, &r, *system, NULL);
}

/* ---- cylinder: a drum that turns about its lying axis ---- */

static dem_status build_cylinder(dem_context *context, const books_setup *setup, dem_system **system) {
  const double radius = 4.5, length = 5;
  rows r;
  if (rows_create(&r, 400)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP, 10);
  const dem_law_options law = law_of(setup, 0.6);
  dem_status status = open_system(context, setup, &o, &law, system);
  dem_wall drum = wall_of(DEM_WALL_CYLINDER);
  drum.axis[1] = 1;
  drum.radius = radius;
  drum.length = length;
  drum.motion = DEM_WALL_PRESCRIBED;
  drum.spin[1] = 2;
  if (!status) status = dem_system_add_wall(*system, &drum, NULL);
  dice d = {12};
  for (double y = -2; y < 2.1; y++)
    for (double z = -3.5; z < 0.1; z++)
      for (double x = -3.5; x < 3.6; x++)
        if (sqrt(x * x + z * z) < radius - 0.5)
          rows_velocity(&r, rows_put(&r, x, y, z, dice_uniform(&d, 0.4, 0.49)), dice_uniform(&d, -1, 1),
                        dice_uniform(&d, -1, 1), 0);
  return fill(status, &r, *system, NULL);
}

/* ---- settling of 2,304 spheres with friction, at a 25th and a 50th of the contact time ---- */

static dem_status build_2304(dem_context *context, const books_setup *setup, double restitution, double part,
                             dem_system **system) {
  enum { ACROSS = 12, GRAINS = ACROSS * ACROSS * 16 };
  const double contact_time = PI * sqrt(0.5 / STIFFNESS); /* of two spheres of mass 1 */
  rows r;
  if (rows_create(&r, GRAINS)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, contact_time / part, 10);
  const dem_law_options law = law_of(setup, restitution);
  dem_status status = open_system(context, setup, &o, &law, system);
  if (!status) status = add_column(*system, column_width(ACROSS));
  lattice(&r, GRAINS, ACROSS, 1, 13);
  return fill(status, &r, *system, NULL);
}

static dem_status build_2304_25(dem_context *context, const books_setup *setup, dem_system **system) {
  return build_2304(context, setup, 0.7, 25, system);
}

static dem_status build_2304_50(dem_context *context, const books_setup *setup, dem_system **system) {
  return build_2304(context, setup, 0.7, 50, system);
}

/* Without dashpots, as compare-yade.sh has it: only friction takes energy. */
static dem_status build_peer_25(dem_context *context, const books_setup *setup, dem_system **system) {
  return build_2304(context, setup, 1, 25, system);
}

static dem_status build_peer_50(dem_context *context, const books_setup *setup, dem_system **system) {
  return build_2304(context, setup, 1, 50, system);
}

/* ---- settling of 5,000 spheres, bonded in pairs and rows of four that break when they hit ---- */

static dem_status add_rods(dem_system *system, const dem_id *ids, int64_t n) {
  dem_status status = DEM_OK;
  for (int64_t i = 0; i + 1 < n && !status; i++) {
    /* Groups 0-1, 2-3, 4-5-6-7, and again. */
    const int64_t place = i % 8;
    const dem_bond bond = {.i = ids[i], .j = ids[i + 1]};
    if (place == 1 || place == 3 || place == 7) continue;
    status = dem_system_add_bonds(system, 1, &bond, sizeof bond, NULL);
  }
  return status;
}

static dem_status build_5000(dem_context *context, const books_setup *setup, dem_system **system) {
  enum { ACROSS = 16, GRAINS = 5000 };
  static dem_id ids[GRAINS];
  rows r;
  if (rows_create(&r, GRAINS)) return DEM_NO_MEMORY;
  const dem_system_options o = options_of(setup, STEP, 10);
  const dem_law_options law = law_of(setup, 0.7);
  dem_bond_type beam = beam_of(6e5, 2e5, 0.0015);
  beam.bending_stiffness = beam.twisting_stiffness = 2e5;
  beam.normal_damping = beam.tangential_damping = 20;
  dem_status status = open_system(context, setup, &o, &law, system);
  if (!status) status = add_column(*system, column_width(ACROSS));
  if (!status) status = dem_system_add_bond_type(*system, &beam, NULL);
  lattice(&r, GRAINS, ACROSS, 1, 14);
  status = fill(status, &r, *system, ids);
  return status ? status : add_rods(*system, ids, GRAINS);
}

/* ---- the table ---- */

const books_scene books_scenes[] = {
    {"impact", build_impact, 700, 700, 2, 0, 0, 0},
    {"lubrication", build_lubrication, 1500, 1500, 2, 0, 0, 0},
    {"bond", build_bond, 3000, 3000, 2, 0, 0, 0},
    {"wall_impact", build_wall_impact, 6000, 4000, 3, 1, 0, 0},
    {"oblique", build_oblique, 500, 500, 3, 1, 0, 0},
    {"servo", build_servo, 20000, 2000, 4, 1, 0, 0},
    {"cylinder", build_cylinder, 20000, 2000, 4, 1, 0, 0},
    {"settling2304_25", build_2304_25, 5000, 200, 4, 1, 0, 0},
    {"settling2304_50", build_2304_50, 10000, 200, 3, 1, 0, 0},
    {"settling5000", build_5000, 100000, 3000, 2, 1, 1, 0},
    {"peer2304_25", build_peer_25, 5000, 1000, 1, 0, 0, 1},
    {"peer2304_50", build_peer_50, 10000, 2000, 1, 0, 0, 1},
};
const int books_scene_count = (int)(sizeof books_scenes / sizeof *books_scenes);
