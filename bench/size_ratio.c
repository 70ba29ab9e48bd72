/* dem-bench size-ratio: a dense mixture of fine and coarse grains that flows down a rough chute, at any ratio of diameters.
 *
 * Fine grains have diameter 1 and mass 1; coarse ones are of the same material. Both start on cubic lattices, the fines wherever no
 * coarse grain is, with random velocities, over a layer of frozen fines. Gravity (10) presses the melting lattice together. Then it
 * is inclined by 26 degrees, a uniform shear is added, and the flow is left to itself for a while before it is timed.
 * Hooke with tangential history, friction 0.5, as in the chute.
 *
 *   ratio 1: 16 layers. Others: coarse grains side by side, a third of the solid volume or more; from ratio 60 on a single one on
 *   four layers of fines, which is what a box may hold that is as wide as periodic axes ask for (at least twice the range). It is
 *   hollow, with a twentieth of the mass: a solid one would squeeze the few grains that it stands on flat. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "scenes.h"

static const double SHEAR = 0.3, HEAT = 1.0, GRAVITY = 10.0;
enum { PRESSED = 4500, FLOWN = 1500 }; /* steps */

typedef struct mixture {
  double ratio, side, height; /* of the box's base; of the fines */
  int32_t along, up;          /* coarse grains along x and y, and above each other */
  double spacing;             /* of the coarse grains */
  rows grains;
  dice d;
} mixture;

static int lay_out(mixture *m, double ratio) {
  memset(m, 0, sizeof *m);
  m->d.state = 1;
  m->ratio = ratio;
  m->side = 64;
  m->height = ratio > 1 ? 31 : 16;
  m->along = ratio > 1 ? (int32_t)(m->side / (ratio + fmin(2.0, 0.1 * ratio))) : 0;
  m->spacing = m->along > 0 ? m->side / m->along : 0;
  if (m->along < 2 && ratio > 1) {
    m->side = ceil(2.0 * ratio + 4);
    m->height = 4;
    m->along = 1;
    m->spacing = m->side;
  }
  m->up = m->along > 1 ? (int32_t)(m->height / (ratio + fmin(1.0, 0.1 * ratio))) : m->along;
  return rows_create(&m->grains, (int64_t)(m->side * m->side * (m->height + 1)) + m->along * m->along * m->up + 1);
}

static void put(mixture *m, const double x[3], double diameter, int32_t material, double heat) {
  const int64_t row = rows_put(&m->grains, x[0], x[1], x[2], 0.5 * diameter);
  m->grains.material[row] = material;
  m->grains.frozen[row] = material == 2;
  if (material == 2) return;
  double v[3];
  for (int a = 0; a < 3; a++) v[a] = dice_uniform(&m->d, -heat, heat);
  rows_velocity(&m->grains, row, v[0], v[1], v[2]);
}

static void put_coarse(mixture *m) {
  const double bottom = 1.0 + 0.5 * m->ratio, step = m->up > 1 ? (m->height - m->ratio) / (m->up - 1) : 0;
  for (int32_t k = 0; k < m->along * m->along * m->up; k++) {
    const int32_t column = k % m->along, row = k / m->along % m->along, floor_of = k / m->along / m->along;
    const double raised = m->along == 1 ? m->height : 0; /* the single one lies on top */
    const double x[3] = {(column + 0.5) * m->spacing, (row + 0.5) * m->spacing, bottom + floor_of * step + raised};
    put(m, x, m->ratio, 1, 0);
    if (m->along == 1) m->grains.density[m->grains.count - 1] *= 0.05;
  }
}

/* The nearest coarse grain to a point may be in any of the columns and floors around it; there are few. */
static int covered(const mixture *m, int64_t coarse, const double x[3]) {
  const double reach = 0.5 * (m->ratio + 1.0);
  for (int64_t k = 0; k < coarse; k++) {
    const double *q = m->grains.position + 3 * k;
    double square = 0;
    for (int a = 0; a < 3; a++) {
      double d = fabs(x[a] - q[a]);
      if (a < 2 && d > 0.5 * m->side) d = m->side - d;
      square += d * d;
    }
    if (square < reach * reach) return 1;
  }
  return 0;
}

static void put_fines(mixture *m) {
  const int64_t coarse = m->grains.count;
  const int32_t side = (int32_t)m->side, layers = (int32_t)m->height + 1;
  for (int32_t k = 0; k < side * side * layers; k++) {
    const int32_t layer = k / side / side;
    double x[3] = {k % side + 0.5, k / side % side + 0.5, layer + 0.5};
    if (layer > 0 && covered(m, coarse, x)) continue;
    /* the frozen layer is rough */
    if (layer == 0) x[2] -= dice_uniform(&m->d, 0, 0.4);
    put(m, x, 1.0, layer == 0 ? 2 : 0, HEAT);
  }
}

static void chute_gravity(double gravity[3]) {
  const double angle = 26.0 * 3.14159265358979323846 / 180.0;
  gravity[0] = GRAVITY * sin(angle);
  gravity[1] = 0;
  gravity[2] = -GRAVITY * cos(angle);
}

static int create(bench *b, const options *o, const double low[3], const double high[3]) {
  dem_system_options s;
  dem_law_options law;
  dem_law *shared;
  dem_system_options_init(&s, sizeof s);
  memcpy(s.box_low, low, sizeof s.box_low);
  memcpy(s.box_high, high, sizeof s.box_high);
  s.periodic[0] = s.periodic[1] = 1;
  chute_gravity(s.gravity);
  s.dt = 1e-4;
  s.arms = DEM_ARMS_RADIUS;
  s.transport = DEM_TRANSPORT_PROJECT;
  s.onset = DEM_ONSET_STEP;
  s.threads = (int32_t)o->threads;
  s.ledger = (int32_t)o->ledger;
  s.skin = o->skin;
  if (dem_system_create(b->context, &s, &b->system)) return fail("system", dem_context_message(b->context));
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 200000.0;
  law.damping = DEM_DAMPING_RATE;
  law.normal_damping = 50.0;
  law.friction = 0.5;
  if (dem_law_create(b->context, &law, &shared)) return fail("law", dem_context_message(b->context));
  int failed = 0;
  for (int k = 0; k < 3 && !failed; k++) failed = dem_system_add_material(b->system, NULL, NULL) != DEM_OK;
  for (int k = 0; k < 9 && !failed; k++) failed = k / 3 <= k % 3 && dem_system_set_law(b->system, k / 3, k % 3, shared);
  dem_law_release(shared);
  return failed ? fail("law", dem_system_message(b->system)) : 0;
}

/* What reaches above the fines moves as fast as they do on top. */
static int add_shear(dem_system *system, double surface) {
  int64_t n;
  dem_system_particle_count(system, &n);
  double *x = malloc((size_t)n * 6 * sizeof *x), *v = x + 3 * n;
  int32_t *frozen = malloc((size_t)n * sizeof *frozen);
  dem_status status = x && frozen ? DEM_OK : DEM_NO_MEMORY;
  if (!status) status = dem_system_get_field(system, DEM_POSITION, n, NULL, x, 0);
  if (!status) status = dem_system_get_field(system, DEM_VELOCITY, n, NULL, v, 0);
  if (!status) status = dem_system_get_field_int(system, DEM_FROZEN, n, NULL, frozen, 0);
  for (int64_t k = 0; k < n && !status; k++)
    if (!frozen[k]) v[3 * k] += SHEAR * fmin(x[3 * k + 2], surface);
  if (!status) status = dem_system_set_field(system, DEM_VELOCITY, n, NULL, v, 0);
  free(x);
  free(frozen);
  return status != DEM_OK;
}

/* From the lattice to the flow. The press takes twice the time step. */
static int prepare(bench *b, double surface) {
  const double press[3] = {0, 0, -GRAVITY};
  double flow[3];
  chute_gravity(flow);
  int failed =
      dem_system_set_gravity(b->system, press) || dem_system_set_dt(b->system, 2e-4) || dem_system_step(b->system, PRESSED);
  failed =
      failed || dem_system_set_gravity(b->system, flow) || dem_system_set_dt(b->system, 1e-4) || add_shear(b->system, surface);
  return failed || dem_system_step(b->system, FLOWN) ? fail("preparing", dem_system_message(b->system)) : 0;
}

static int from_lattice(bench *b, const options *o) {
  mixture m;
  int failed = lay_out(&m, o->ratio > 0 ? o->ratio : 1) ? fail("--ratio", "out of memory") : 0;
  if (failed) return failed;
  put_coarse(&m);
  put_fines(&m);
  const double low[3] = {0, 0, -1}, high[3] = {m.side, m.side, 4 * (m.height + m.ratio)};
  failed = create(b, o, low, high);
  if (!failed && rows_add(&m.grains, b->system, NULL)) failed = fail("particles", dem_system_message(b->system));
  rows_destroy(&m.grains);
  return failed || prepare(b, m.height);
}

/* What an earlier call left with --write. */
static int from_file(bench *b, const options *o) {
  double low[3], high[3];
  dem_particles p;
  if (dem_data_read_path(b->context, o->data, &b->data)) return fail(o->data, dem_context_message(b->context));
  dem_data_box(b->data, low, high);
  if (create(b, o, low, high)) return 1;
  dem_particles_init(&p, sizeof p);
  dem_data_particles(b->data, &p);
  int32_t *frozen = malloc((size_t)(p.count > 0 ? p.count : 1) * sizeof *frozen);
  if (!frozen) return fail("particles", "out of memory");
  for (int64_t k = 0; k < p.count; k++) frozen[k] = p.material[k] == 2;
  p.frozen = frozen;
  const dem_status status = dem_system_add_particles(b->system, &p, NULL);
  free(frozen);
  return status ? fail("particles", dem_system_message(b->system)) : 0;
}

static void print_figures(const options *o, const dem_statistics *before, const dem_statistics *s, double contacts,
                          double wall) {
  const double steps = (double)o->steps;
  printf("particle_steps_per_second %.6g\n", wall > 0 ? (double)s->particles * steps / wall : 0.0);
  printf("contacts %.0f\n", contacts);
  printf("seconds_per_contact %.6g\n", steps > 0 ? wall / (contacts * steps) : 0.0);
  printf("seconds %.6g\n", wall);
  printf("particles %lld\n", (long long)s->particles);
  printf("neighbour_rebuilds %lld\n", (long long)(s->rebuilds - before->rebuilds));
  printf("neighbour_pairs %lld\n", (long long)s->pairs);
  printf("skin %.6g\n", s->skin);
  printf("bytes_per_particle %.6g\n", (double)s->bytes / (double)s->particles);
  printf("kinetic_energy %.17g\n", s->kinetic_energy);
  if (wall <= 0) return;
  printf("share_search %.4f\n", (s->seconds_search - before->seconds_search) / wall);
  printf("share_pass %.4f\n", (s->seconds_pass - before->seconds_pass) / wall);
}

/* Timed like other codes time theirs: set-up and the first list are outside. Contacts come and go: those at the start, in the middle and
 * at the end are averaged. */
static int time_steps(bench *b, const options *o) {
  dem_statistics before, after;
  double contacts = 0, wall = 0;
  dem_statistics_init(&before, sizeof before);
  dem_statistics_init(&after, sizeof after);
  int64_t found;
  if (dem_system_contact_count(b->system, &found)) return fail("run", dem_system_message(b->system));
  for (int half = 0; half < 3; half++) {
    dem_system_statistics(b->system, &after);
    if (half == 0) before = after;
    contacts += (double)(after.contacts + after.wall_contacts) * (half == 1 ? 0.5 : 0.25);
    if (half == 2) break;
    const double start = seconds();
    if (dem_system_step(b->system, half ? o->steps - o->steps / 2 : o->steps / 2))
      return fail("run", dem_system_message(b->system));
    wall += seconds() - start;
  }
  print_figures(o, &before, &after, contacts, wall);
  return 0;
}

int run_size_ratio(const options *o) {
  bench b;
  memset(&b, 0, sizeof b);
  const double ratio = o->ratio > 0 ? o->ratio : 1;
  if (!(ratio >= 1 && ratio <= 200)) return fail("--ratio", "must be 1 to 200");
  b.context = bench_context(o);
  int failed = !b.context || (o->data ? from_file(&b, o) : from_lattice(&b, o));
  if (!failed && dem_system_step(b.system, o->warmup)) failed = fail("warm-up", dem_system_message(b.system));
  if (!failed && o->write && dem_system_write_data_path(b.system, o->write))
    failed = fail(o->write, dem_system_message(b.system));
  failed = failed || time_steps(&b, o);
  bench_close(&b);
  return failed;
}
