/* Arms of a contact, the distances from the centres to the contact point, in closed form. r is the distance of the centres, d the
 * overlap, h the distance of a centre from a wall:
 *
 *   conserving  a_i = (r^2 + R_i^2 - R_j^2)/(2 r);  wall: a = h
 *   radius      a_i = R_i
 *   mixed       a_i = R_i in the velocity at the contact, R_i - d/2 in the torque;  wall: R in both
 *
 * The law is f = k d n - c v_t with v_t the part in the plane of v_i - v_j - (a_i w_i + a_j w_j) x n, and the torque on each body is
 * -a n x f. Positions, velocities and forces are read after a step, so that nothing but round-off is left.
 *
 * Heat of the dashpot per time: c v_t^2, with the arms of the velocity. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"
#include "vectors.h"

static const double EXACT = 1e-12, STIFFNESS = 7, DASHPOT = 3;

/* What is read of one body. */
typedef struct body {
  double x[3], v[3], w[3], force[3], torque[3], radius;
} body;

static void open_with(world *w, int32_t arms, int32_t ledger, double dt) {
  world_options o = world_defaults();
  o.system.dt = dt;
  o.system.ledger = ledger;
  o.system.arms = arms;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.tangential = DEM_TANGENTIAL_VISCOUS;
  o.law.normal_stiffness = STIFFNESS;
  o.law.friction = 1e9; /* never slips */
  o.law.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.law.shear_damping = DASHPOT;
  world_open(w, &o);
}

static void random_vector(dice *d, double *out) {
  for (int k = 0; k < 3; k++) out[k] = dice_uniform(d, -1, 1);
}

static void put(rows *r, dice *d, const double *x, double radius) {
  double v[3], spin[3];
  random_vector(d, v);
  random_vector(d, spin);
  const int64_t row = rows_put(r, x[0], x[1], x[2], radius);
  rows_velocity(r, row, v[0], v[1], v[2]);
  rows_spin(r, row, spin[0], spin[1], spin[2]);
}

static body read(const world *w, dem_id id) {
  body b;
  world_read_one(w, id, DEM_POSITION, b.x);
  world_read_one(w, id, DEM_HALF_VELOCITY, b.v);
  world_read_one(w, id, DEM_HALF_SPIN, b.w);
  world_read_one(w, id, DEM_FORCE, b.force);
  world_read_one(w, id, DEM_TORQUE, b.torque);
  world_read_one(w, id, DEM_RADIUS, &b.radius);
  return b;
}

/* Arms of the velocity and of the torque on i. */
typedef struct arms {
  double velocity, torque;
} arms;

static arms arms_of(int32_t kind, double mine, double other, double r) {
  const double conserving = (r * r + mine * mine - other * other) / (2 * r);
  if (kind == DEM_ARMS_CONSERVING) return (arms){conserving, conserving};
  return (arms){mine, kind == DEM_ARMS_RADIUS ? mine : mine - 0.5 * (mine + other - r)};
}

/* Force on i: overlap d along n, and the dashpot at the contact point. */
static void force_on_i(const body *i, const body *j, const double *n, double d, arms of_i, arms of_j, double *f) {
  double turn[3], around[3], v[3];
  for (int k = 0; k < 3; k++) turn[k] = of_i.velocity * i->w[k] + of_j.velocity * j->w[k];
  cross(turn, n, around);
  for (int k = 0; k < 3; k++) v[k] = i->v[k] - j->v[k] - around[k];
  const double vn = dot(v, n);
  for (int k = 0; k < 3; k++) f[k] = STIFFNESS * d * n[k] - DASHPOT * (v[k] - vn * n[k]);
}

static void assert_torque(const body *b, double arm, const double *n, const double *f) {
  double moment[3];
  cross(n, f, moment);
  for (int k = 0; k < 3; k++) ASSERT_ABS(b->torque[k], -arm * moment[k], EXACT * 10);
}

static void check_pair(int32_t kind, dice *d) {
  world w;
  rows r;
  dem_id ids[2];
  double way[3], n[3], f[3];
  const double ri = dice_uniform(d, 0.3, 1.5), rj = dice_uniform(d, 0.3, 1.5), apart = (ri + rj) * dice_uniform(d, 0.85, 0.99);
  open_with(&w, kind, 0, 1e-3);
  assert_int_equal(rows_create(&r, 2), 0);
  do random_vector(d, way);
  while (dot(way, way) < 0.1);
  const double length = sqrt(dot(way, way));
  for (int k = 0; k < 3; k++) way[k] *= apart / length;
  put(&r, d, (double[3]){0, 0, 0}, ri);
  put(&r, d, way, rj);
  world_add_rows(&w, &r, ids);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  const body i = read(&w, ids[0]), j = read(&w, ids[1]);
  for (int k = 0; k < 3; k++) n[k] = i.x[k] - j.x[k];
  const double now = sqrt(dot(n, n));
  for (int k = 0; k < 3; k++) n[k] /= now;
  const arms of_i = arms_of(kind, ri, rj, now), of_j = arms_of(kind, rj, ri, now);
  force_on_i(&i, &j, n, ri + rj - now, of_i, of_j, f);
  for (int k = 0; k < 3; k++) {
    ASSERT_ABS(i.force[k], f[k], EXACT * 10);
    ASSERT_ABS(j.force[k], -f[k], EXACT * 10);
  }
  assert_torque(&i, of_i.torque, n, f);
  assert_torque(&j, of_j.torque, n, f);
  world_close(&w);
}

static void between_spheres(void **state) {
  (void)state;
  dice d = {11};
  for (int32_t kind = DEM_ARMS_CONSERVING; kind <= DEM_ARMS_MIXED; kind++)
    for (int i = 0; i < 50; i++) check_pair(kind, &d);
}

static void check_wall(int32_t kind, dice *d) {
  static const double n[3] = {0.6, 0, 0.8};
  static const body wall = {.radius = 0};
  world w;
  rows r;
  dem_id id;
  double f[3], x[3];
  const double radius = dice_uniform(d, 0.3, 1.5), height = radius * dice_uniform(d, 0.85, 0.99);
  open_with(&w, kind, 0, 1e-3);
  ASSERT_OK(w.system, scene_add_plane(w.system, 0, (double[3]){0, 0, 0}, n));
  for (int k = 0; k < 3; k++) x[k] = height * n[k];
  assert_int_equal(rows_create(&r, 1), 0);
  put(&r, d, x, radius);
  world_add_rows(&w, &r, &id);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  const body i = read(&w, id);
  const double now = dot(i.x, n), arm = kind == DEM_ARMS_CONSERVING ? now : radius;
  force_on_i(&i, &wall, n, radius - now, (arms){arm, arm}, (arms){0, 0}, f);
  for (int k = 0; k < 3; k++) ASSERT_ABS(i.force[k], f[k], EXACT * 10);
  assert_torque(&i, arm, n, f);
  world_close(&w);
}

static void against_a_wall(void **state) {
  (void)state;
  dice d = {12};
  for (int32_t kind = DEM_ARMS_CONSERVING; kind <= DEM_ARMS_MIXED; kind++)
    for (int i = 0; i < 50; i++) check_wall(kind, &d);
}

/* Two equal spheres whose centres are R apart turn about the same axis at right angles to their line, in ten steps so short that v_t stays:
 * heat c v_t^2 t, v_t = 2 a w. The arms of velocity and torque are R and R/2 where they are mixed. */
static void check_heat(int32_t kind, int32_t ledger) {
  static const double radius = 0.5, spin = 3, dt = 1e-7;
  const double v = 2 * arms_of(kind, radius, radius, radius).velocity * spin, turning[3] = {0, 0, spin};
  world w;
  dem_id ids[2];
  open_with(&w, kind, ledger, dt);
  for (int k = 0; k < 2; k++) ids[k] = world_add_sphere(&w, radius, (double[3]){k * radius, 0, 0}, NULL, turning);
  ASSERT_OK(w.system, dem_system_step(w.system, 10));
  ASSERT_REL(world_energy(&w).damping_tangential[0], DASHPOT * v * v * 10 * dt, 1e-4);
  for (int k = 0; k < 2 && ledger == 2; k++) {
    double heat;
    world_read_one(&w, ids[k], DEM_HEAT, &heat);
    ASSERT_REL(heat, 0.5 * DASHPOT * v * v * 10 * dt, 1e-4);
  }
  world_assert_closed(&w, "two spheres turn on each other");
  world_close(&w);
}

static void heat_of_the_dashpot(void **state) {
  (void)state;
  for (int32_t kind = DEM_ARMS_CONSERVING; kind <= DEM_ARMS_MIXED; kind++)
    for (int32_t ledger = 1; ledger <= 2; ledger++) check_heat(kind, ledger);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(between_spheres),
      cmocka_unit_test(against_a_wall),
      cmocka_unit_test(heat_of_the_dashpot),
  };
  return cmocka_run_group_tests_name("arms", tests, NULL, NULL);
}
