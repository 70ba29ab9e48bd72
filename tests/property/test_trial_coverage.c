/* Trials miss no contact, however far they move.
 *
 * Small systems of laws with closed forms are displaced at random: by 1e-6 of a fine diameter to many coarse ones, to and fro, alone and
 * together, into a heap and back. For each displacement the energy and the gradient of the trial are compared with sums over all
 * pairs, all images and all walls, in boxes that deform, too:
 *
 *   Hooke   F = k d                       E = k d^2 / 2
 *   Hertz   F = 4/3 E* sqrt(R* d) d       E = 8/15 E* sqrt(R* d) d^2       1/R* = 1/R_i + 1/R_j,  E* = Y / 2 (1 - nu^2)
 *   plane   d = R - n.(x - p)             bore   d = R - (R_c - |q|),  q = x - p less its part along the axis
 *
 * The allowed difference is what rounding does to d and to n: a position x + alpha u near X is wrong by some ulp(X). */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "series.h"
#include "trial.h"

enum { TRIALS = 500, COARSE = 4 };

static const double EDGE = 6, STIFFNESS = 1e5, YOUNG = 1e6, POISSON = 0.25, LOW = -1.5;

typedef struct setup {
  int32_t dimension, periodic[3], fine;
  double ratio; /* of the sizes: coarse radius 0.9, fine ones that much smaller */
  int32_t hertz, walls, threads;
  double alpha, reach;
  int32_t box; /* 1: it deforms, too */
} setup;

typedef struct world {
  const setup *setup;
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  dice d;
  double *u, *g, *start, *radius;
  /* the sum over all pairs */
  double *x, *force, *doubt; /* per unknown of displacement: force, and what rounding may do to it */
  double strain[3][3], edge[3][3], stress[3][3], stress_doubt; /* alpha E, edges of the box, volume times stress */
  double energy, energy_doubt, blur;
  int64_t contacts;
} world;

/* ---- a system ---- */

static void set_law(world *w) {
  dem_law_options o;
  dem_material m;
  dem_law_options_init(&o, sizeof o);
  o.tangential = DEM_TANGENTIAL_NONE;
  if (w->setup->hertz)
    o.normal = DEM_NORMAL_HERTZ;
  else
    o.normal_stiffness = STIFFNESS;
  dem_material_init(&m, sizeof m);
  m.young = YOUNG;
  m.poisson = POISSON;
  ASSERT_OK(w->system, dem_system_add_material(w->system, &m, NULL));
  ASSERT_OK(w->system, scene_set_law(w->context, w->system, 0, 0, &o));
}

/* Places in the box; some fine ones are frozen. */
static void add_particles(world *w) {
  rows r;
  const int32_t n = w->setup->fine + COARSE;
  assert_int_equal(rows_create(&r, n), 0);
  for (int32_t k = 0; k < n; k++) {
    const double big = 0.9, radius = k % (n / COARSE) == 1 ? big : big / w->setup->ratio * dice_uniform(&w->d, 0.7, 1);
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = a < w->setup->dimension ? dice_uniform(&w->d, LOW, LOW + EDGE) : 0;
    r.frozen[rows_put(&r, x[0], x[1], x[2], radius)] = k % 9 == 4;
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
}

/* A tilted plane where nothing is periodic, else one across the open axis; and a bore about everything. */
static void add_walls(world *w) {
  const setup *s = w->setup;
  dem_wall plane, bore;
  dem_wall_init(&plane, sizeof plane);
  dem_wall_init(&bore, sizeof bore);
  const int open = !s->periodic[0] && !s->periodic[1], up = s->dimension - 1;
  plane.position[up] = LOW + 1;
  plane.axis[up] = 1;
  if (open) plane.axis[0] = 0.6, plane.axis[up] = 0.8;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, &plane, NULL));
  if (!open) return;
  bore.shape = DEM_WALL_CYLINDER;
  bore.axis[2] = 1;
  bore.radius = 4;
  bore.position[0] = bore.position[1] = 1.5;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, &bore, NULL));
}

static void open_trial(world *w) {
  const setup *s = w->setup;
  dem_trial_options o;
  dem_trial_options_init(&o, sizeof o);
  o.alpha = s->alpha;
  o.reach = s->reach;
  o.box = s->box;
  ASSERT_OK(w->system, dem_trial_open(w->system, &o, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
}

static void open_world(world *w, const setup *s, uint64_t seed) {
  dem_system_options o;
  memset(w, 0, sizeof *w);
  w->setup = s;
  w->d = (dice){seed};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.dimension = s->dimension;
  o.threads = s->threads;
  for (int a = 0; a < s->dimension; a++) {
    o.periodic[a] = s->periodic[a];
    o.box_low[a] = LOW;
    o.box_high[a] = LOW + EDGE;
  }
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  set_law(w);
  add_particles(w);
  if (s->walls) add_walls(w);
  open_trial(w);
  const size_t n = (size_t)w->rows.unknowns, p = (size_t)w->rows.particles;
  double **const vectors[] = {&w->u, &w->g, &w->force, &w->doubt};
  for (int k = 0; k < 4; k++) *vectors[k] = calloc(n, sizeof(double));
  w->start = calloc(3 * p, sizeof(double));
  w->x = calloc(3 * p, sizeof(double));
  w->radius = calloc(p, sizeof(double));
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_POSITION, (int64_t)p, w->rows.ids, w->start, 0));
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_RADIUS, (int64_t)p, w->rows.ids, w->radius, 0));
}

static void close_world(world *w) {
  double *const vectors[] = {w->u, w->g, w->force, w->doubt, w->start, w->x, w->radius};
  for (int k = 0; k < 7; k++) free(vectors[k]);
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* ---- the sum over all ---- */

typedef struct response {
  double force, energy, stiffness;
} response;

static response respond(const world *w, double overlap, double effective_radius) {
  if (!w->setup->hertz) return (response){STIFFNESS * overlap, 0.5 * STIFFNESS * overlap * overlap, STIFFNESS};
  const double root = YOUNG / (2 * (1 - POISSON * POISSON)) * sqrt(effective_radius * overlap);
  return (response){4.0 / 3 * root * overlap, 8.0 / 15 * root * overlap * overlap, 2 * root};
}

/* A contact of unknowns from `i` on with those from `j` on, normal n from j to i; `turn`: what rounding may do to n. */
static void add_contact(world *w, int64_t i, int64_t j, double overlap, double effective_radius, const double n[3],
                        double turn) {
  const response r = respond(w, overlap, effective_radius);
  w->contacts++;
  w->energy += r.energy;
  w->energy_doubt += r.force * w->blur + 1e-14 * r.energy;
  for (int a = 0; a < w->setup->dimension; a++) {
    const double doubt = r.stiffness * w->blur + r.force * (turn + 1e-14);
    w->force[i + a] += r.force * n[a];
    w->force[j + a] -= r.force * n[a];
    w->doubt[i + a] += doubt;
    w->doubt[j + a] += doubt;
  }
}

/* A pair across `turns` lengths of the box. The stress, as the derivative of the energy by the strain: -f n of the distance before. */
static void add_image(world *w, int64_t i, int64_t j, const double d[3], const double turns[3]) {
  const double touch = w->radius[i] + w->radius[j], radius = w->radius[i] * w->radius[j] / touch;
  const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (distance >= touch) return;
  const double n[3] = {d[0] / distance, d[1] / distance, d[2] / distance};
  const response r = respond(w, touch - distance, radius);
  for (int a = 0; a < 3; a++)
    for (int b = a; b < 3; b++)
      w->stress[a][b] -= r.force * n[a] * (w->start[3 * i + b] - w->start[3 * j + b] - EDGE * turns[b]);
  w->stress_doubt += 3 * touch * (r.stiffness * w->blur + r.force * (w->blur / distance + 1e-14));
  add_contact(w, i * w->rows.width, j * w->rows.width, touch - distance, radius, n, w->blur / distance);
}

/* All images of j whose shift along each periodic axis is one of three about the nearest. */
static void add_pair(world *w, int64_t i, int64_t j) {
  const setup *s = w->setup;
  double d[3], nearest[3] = {0, 0, 0};
  for (int a = 0; a < 3; a++) d[a] = w->x[3 * i + a] - w->x[3 * j + a];
  for (int a = 2; a >= 0; a--) {
    if (s->periodic[a]) nearest[a] = nearbyint(d[a] / w->edge[a][a]);
    for (int b = 0; b < 3; b++) d[b] -= nearest[a] * w->edge[a][b];
  }
  for (int image = 0; image < 27; image++) {
    const int shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
    double to[3], turns[3];
    int wanted = 1;
    for (int a = 0; a < 3; a++) {
      wanted = wanted && (s->periodic[a] || shift[a] == 0);
      turns[a] = nearest[a] - shift[a];
      to[a] = d[a] + shift[0] * w->edge[0][a] + shift[1] * w->edge[1][a] + shift[2] * w->edge[2][a];
    }
    if (wanted) add_image(w, i, j, to, turns);
  }
}

/* v turned by the rotation vector r. */
static void turn_vector(const double r[3], double v[3]) {
  const double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (angle == 0) return;
  const double e[3] = {r[0] / angle, r[1] / angle, r[2] / angle}, along = e[0] * v[0] + e[1] * v[1] + e[2] * v[2];
  double out[3];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    out[a] = v[a] * cos(angle) + (e[b] * v[c] - e[c] * v[b]) * sin(angle) + e[a] * along * (1 - cos(angle));
  }
  memcpy(v, out, sizeof out);
}

/* Of wall k: where it is, and its normal or axis. */
static void place_wall(const world *w, int32_t k, double at[3], double axis[3]) {
  const setup *s = w->setup;
  const double *u = w->u + w->rows.particles * w->rows.width + k * w->rows.wall_width;
  const int open = !s->periodic[0] && !s->periodic[1], up = s->dimension - 1;
  double turn[3] = {0, 0, 0};
  memset(at, 0, 3 * sizeof *at);
  memset(axis, 0, 3 * sizeof *axis);
  if (k == 0) {
    at[up] = LOW + 1, axis[up] = 1;
    if (open) axis[0] = 0.6, axis[up] = 0.8;
  } else {
    at[0] = at[1] = 1.5, axis[2] = 1;
  }
  for (int a = 0; a < s->dimension; a++) at[a] += s->alpha * u[a];
  for (int a = 0; a < 3; a++) turn[a] = s->alpha * (s->dimension == 3 ? u[3 + a] : a == 2 ? u[2] : 0);
  turn_vector(turn, axis);
}

static void add_wall_contacts(world *w, int32_t k) {
  double at[3], axis[3];
  const int64_t first = w->rows.particles * w->rows.width + k * w->rows.wall_width;
  place_wall(w, k, at, axis);
  for (int64_t i = 0; i < w->rows.particles; i++) {
    double n[3], height = 0, length = 0, overlap, turn = 1e-14;
    if (w->rows.frozen[i]) continue;
    for (int a = 0; a < 3; a++) height += axis[a] * (w->x[3 * i + a] - at[a]);
    for (int a = 0; a < 3; a++) n[a] = k ? -(w->x[3 * i + a] - at[a] - height * axis[a]) : axis[a];
    for (int a = 0; a < 3; a++) length += n[a] * n[a];
    length = sqrt(length);
    overlap = w->radius[i] - (k ? 4 - length : height);
    if (k) turn += w->blur / length;
    for (int a = 0; a < 3 && k; a++) n[a] /= length;
    if (overlap > 0) add_contact(w, i * w->rows.width, first, overlap, w->radius[i], n, turn);
  }
}

/* The components of a symmetric strain in the order of the unknowns. */
static double *component(world *w, double m[3][3], int k) {
  static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}, flat[3] = {0, 1, 3};
  const int *ab = axes[w->setup->dimension == 2 ? flat[k] : k];
  return &m[ab[0]][ab[1]];
}

/* x + alpha (u + E (x - c)), and the edges of the box, (1 + alpha E) H. */
static void deform(world *w) {
  const setup *s = w->setup;
  const double middle = LOW + 0.5 * EDGE;
  memset(w->strain, 0, sizeof w->strain);
  memset(w->stress, 0, sizeof w->stress);
  w->stress_doubt = 0;
  for (int k = 0; k < w->rows.box_width; k++)
    *component(w, w->strain, k) = s->alpha * w->u[w->rows.unknowns - w->rows.box_width + k];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) w->edge[b][a] = EDGE * (w->strain[a][b] + (a == b));
  for (int64_t i = 0; i < w->rows.particles; i++)
    for (int a = 0; a < s->dimension; a++) {
      double x = w->start[3 * i + a] + s->alpha * w->u[i * w->rows.width + a];
      for (int b = a; b < s->dimension; b++) x += w->strain[a][b] * (w->start[3 * i + b] - middle);
      w->x[3 * i + a] = x;
    }
}

static void sum_all(world *w) {
  double furthest = fabs(LOW) + 2 * EDGE;
  for (int64_t k = 0; k < w->rows.unknowns; k++) {
    furthest = fmax(furthest, 2 * fabs(w->u[k]));
    w->force[k] = w->doubt[k] = 0;
  }
  w->energy = w->energy_doubt = 0;
  w->blur = 64 * 2.3e-16 * furthest;
  deform(w);
  for (int64_t i = 0; i < w->rows.particles; i++)
    for (int64_t j = i + 1; j < w->rows.particles; j++)
      if (!w->rows.frozen[i] || !w->rows.frozen[j]) add_pair(w, i, j);
  for (int32_t k = 0; k < w->rows.walls; k++) add_wall_contacts(w, k);
}

/* ---- displacements ---- */

/* u of all particles: the same for all, and random numbers up to `size` each. */
static void scatter(world *w, double size, double common) {
  double flow[3];
  for (int a = 0; a < 3; a++) flow[a] = dice_uniform(&w->d, -common, common);
  for (int64_t k = 0; k < w->rows.particles; k++)
    for (int a = 0; a < w->rows.width; a++)
      w->u[k * w->rows.width + a] = dice_uniform(&w->d, -size, size) + (a < w->setup->dimension ? flow[a] : 0);
}

/* All to one place, and from there up to a length each. */
static void heap(world *w, double size) {
  double at[3];
  for (int a = 0; a < 3; a++) at[a] = dice_uniform(&w->d, -2 * EDGE, 2 * EDGE);
  for (int64_t k = 0; k < w->rows.particles; k++)
    for (int a = 0; a < w->setup->dimension; a++)
      w->u[k * w->rows.width + a] = (at[a] + dice_uniform(&w->d, -size, size) - w->start[3 * k + a]) / w->setup->alpha;
}

/* One particle far away. */
static void send_one(world *w, double size) {
  const int64_t k = (int64_t)dice_uniform(&w->d, 0, (double)w->rows.particles);
  for (int a = 0; a < w->setup->dimension; a++) w->u[k * w->rows.width + a] += dice_uniform(&w->d, -size, size);
}

/* A little further than before, all or along with a flow. */
static void walk(world *w, double size) {
  for (int64_t k = 0; k < w->rows.particles; k++)
    for (int a = 0; a < w->setup->dimension; a++) w->u[k * w->rows.width + a] += dice_uniform(&w->d, -size, size);
}

/* On periodic axes walls only turn in ways that a shift by the box leaves as they are: not at all here. */
static void move_walls(world *w, double size, double angle) {
  const int open = !w->setup->periodic[0] && !w->setup->periodic[1], dims = w->setup->dimension;
  for (int32_t k = 0; k < w->rows.walls; k++) {
    double *u = w->u + w->rows.particles * w->rows.width + k * w->rows.wall_width;
    for (int a = 0; a < w->rows.wall_width; a++) {
      u[a] = dice_uniform(&w->d, -1, 1) * (a < dims ? size : angle);
      if (a >= dims && !open) u[a] = 0;
    }
  }
}

static void displace(world *w, int n) {
  const double size = pow(10, dice_uniform(&w->d, -6, 1.5));
  const int kind = n % 8;
  if (kind == 0) scatter(w, size, 0);
  if (kind == 1) scatter(w, fmin(size, 0.1), 20);
  if (kind == 2) heap(w, 1.5);
  if (kind == 3) scatter(w, 0, 0);
  if (kind == 4) send_one(w, size);
  if (kind == 5 || kind == 7) walk(w, 0.01);
  if (kind == 6) walk(w, fmin(size, 2));
  for (int k = 0; k < w->rows.box_width && kind != 7; k++) /* also back, and little by little */
    w->u[w->rows.unknowns - 1 - k] = dice_uniform(&w->d, -1, 1) * (kind == 3 ? 0 : kind == 5 ? 1e-4 : 0.15);
  if (kind != 7) move_walls(w, fmin(size, 3), kind == 0 ? 3 : fmin(size, 0.1));
}

/* ---- the property ---- */

static void compare(world *w, int n) {
  double energy = 0;
  const int32_t dims = w->setup->dimension;
  const int64_t particles = w->rows.particles * w->rows.width;
  ASSERT_OK(w->system, dem_trial_evaluate(w->trial, w->u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &energy, w->g));
  sum_all(w);
  if (!(fabs(energy - w->energy) <= w->energy_doubt)) print_error("trial %d\n", n);
  ASSERT_ABS(energy, w->energy, w->energy_doubt);
  for (int k = 0; k < w->rows.box_width; k++)
    ASSERT_ABS(w->g[w->rows.unknowns - w->rows.box_width + k], *component(w, w->stress, k), w->stress_doubt);
  for (int64_t k = 0; k < w->rows.unknowns - w->rows.box_width; k++) {
    const int64_t part = k < particles ? k % w->rows.width : (k - particles) % w->rows.wall_width;
    if (part < dims) ASSERT_ABS(-w->g[k], w->force[k], w->doubt[k]);
    if (part >= dims && k < particles) assert_true(w->g[k] == 0); /* nothing turns without friction */
  }
}

static void nothing_is_missed(const setup *s, uint64_t seed) {
  world w;
  if (!series_takes((int64_t)seed)) return;
  int64_t kept = 0, built = 0;
  open_world(&w, s, seed);
  for (int n = 0; n < TRIALS; n++) {
    const int64_t before = w.trial->replica.list.builds;
    displace(&w, n);
    compare(&w, n);
    if (n > 0) *(w.trial->replica.list.builds == before ? &kept : &built) += 1;
  }
  print_message("# %d levels, %d contacts, list kept %d times, built %d times\n", w.trial->replica.list.levels, (int)w.contacts,
                (int)kept, (int)built);
  assert_true(w.contacts > 20 * TRIALS && kept > TRIALS / 20 && built > TRIALS / 20);
  assert_true((s->ratio > 2) == (w.trial->replica.list.levels > 1));
  close_world(&w);
}

static void of_one_size(void **state) {
  (void)state;
  const setup setups[] = {{2, {0, 0, 0}, 60, 1.5, 0, 0, 1, 1, 0, 0},
                          {2, {1, 1, 0}, 60, 1.5, 1, 0, 2, 1, 0, 0},
                          {3, {0, 0, 0}, 70, 1.5, 1, 1, 1, 0.5, 0, 0},
                          {3, {1, 1, 1}, 70, 1.5, 0, 0, 3, 0.5, 0, 0},
                          {3, {1, 1, 0}, 70, 1.5, 0, 1, 2, 1, 0.5, 0}};
  for (int k = 0; k < 5; k++) nothing_is_missed(&setups[k], 10 + (uint64_t)k);
}

static void of_sizes_of_one_to_ten(void **state) {
  (void)state;
  const setup setups[] = {{2, {0, 0, 0}, 150, 10, 0, 1, 1, 1, 0, 0},
                          {2, {1, 0, 0}, 150, 10, 1, 0, 3, 1, 0, 0},
                          {3, {0, 0, 0}, 150, 10, 0, 1, 1, 1, 0, 0},
                          {3, {1, 1, 1}, 150, 10, 1, 0, 2, 0.5, 0, 0},
                          {3, {1, 1, 0}, 150, 10, 1, 1, 3, 1, 0.4, 0}};
  for (int k = 0; k < 5; k++) nothing_is_missed(&setups[k], 20 + (uint64_t)k);
}

static void in_a_box_that_deforms(void **state) {
  (void)state;
  const setup setups[] = {{2, {1, 1, 0}, 60, 1.5, 0, 0, 1, 1, 0, 1},
                          {3, {1, 1, 1}, 70, 1.5, 1, 0, 2, 0.5, 0, 1},
                          {3, {1, 1, 1}, 70, 1.5, 0, 0, 1, 1, 0.3, 1}};
  for (int k = 0; k < 3; k++) nothing_is_missed(&setups[k], 30 + (uint64_t)k);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_one_size),
      cmocka_unit_test(of_sizes_of_one_to_ten),
      cmocka_unit_test(in_a_box_that_deforms),
  };
  return cmocka_run_group_tests_name("trial_coverage", tests, NULL, NULL);
}
