/* A fine sphere rolls out of the pocket between two large fixed ones: where plain velocity-Verlet can catch it for ever and the
 * improved scheme must not (Vyas et al. 2025; closed forms in scenes/pocket.h).
 *
 * The reference case is that of LAMMPS's series c_sync: R = 5 mm, R/r = 20, mu = 0.5, k_n = 1e4 N/m, k_t = 8235 N/m, e = 0.5,
 * dt = 1e-6 s (1/13 of the contact time), from rest at 1 degree. Overlaps are 1e-6 of r: rigid, but for how friction is shared
 * between winding up and sliding when the sphere leaves. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "csv.h"
#include "scenes/context.h"
#include "scenes/pocket.h"
#include "scenes/scenes.h"

static const double PI = 3.14159265358979323846, FINE = 2.5e-4, DENSITY = 2500, GRAVITY = 9.81;
static const char IMPROVED[] = "improved-velocity-verlet", STANDARD[] = "velocity-verlet";

/* What the cases differ in. */
typedef struct setting {
  const char *scheme;
  double ratio, friction, dt, stiffness, restitution, angle;
  int32_t arms, ledger;
  int first;               /* place of the fine sphere among the three */
  const double (*turn)[3]; /* of the whole scene; NULL: none */
} setting;

static setting reference_case(const char *scheme) {
  return (setting){.scheme = scheme,
                   .ratio = 20,
                   .friction = 0.5,
                   .dt = 1e-6,
                   .stiffness = 1e4,
                   .restitution = 0.5,
                   .angle = PI / 180,
                   .arms = DEM_ARMS_RADIUS,
                   .first = 2};
}

static pocket pocket_of(const setting *c) {
  return (pocket){.ratio = c->ratio, .radius = FINE, .gravity = GRAVITY, .friction = c->friction};
}

/* Where the fine sphere is, in the frame of the large ones. */
typedef struct place {
  double time, angle, rate, gap[2];
} place;

typedef struct run {
  dem_system *system;
  setting c;
  dem_id fine;
} run;

static void turned(const double (*turn)[3], int back, double *v) {
  const double a[3] = {v[0], v[1], v[2]};
  if (turn)
    for (int i = 0; i < 3; i++) {
      v[i] = 0;
      for (int j = 0; j < 3; j++) v[i] += (back ? turn[j][i] : turn[i][j]) * a[j];
    }
}

static void set_law(dem_system *s, const setting *c) {
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = c->stiffness;
  law.tangential_stiffness = 0.8235 * c->stiffness;
  law.damping = c->restitution < 1 ? DEM_DAMPING_RESTITUTION : DEM_DAMPING_NONE;
  law.restitution = c->restitution;
  law.friction = c->friction;
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
}

static void add_spheres(run *r) {
  const pocket p = pocket_of(&r->c);
  const double large = p.ratio * FINE, path = pocket_path(&p);
  dem_id ids[3];
  rows w;
  assert_int_equal(rows_create(&w, 3), 0);
  for (int k = 0, side = -1; k < 3; k++) {
    double x[3] = {0, path * sin(r->c.angle), path * cos(r->c.angle)};
    const int fine = k == r->c.first;
    if (!fine) x[0] = side * large, x[1] = x[2] = 0, side = 1;
    turned(r->c.turn, 0, x);
    const int64_t row = rows_put(&w, x[0], x[1], x[2], fine ? FINE : large);
    w.frozen[row] = !fine;
    w.density[row] = DENSITY;
  }
  ASSERT_OK(r->system, rows_add(&w, r->system, ids));
  r->fine = ids[r->c.first];
  rows_destroy(&w);
}

static run open_run(const setting *c) {
  run r = {.c = *c};
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = c->dt;
  o.arms = c->arms;
  o.ledger = c->ledger;
  o.gravity[2] = -GRAVITY;
  turned(c->turn, 0, o.gravity);
  assert_int_equal(dem_system_create(context, &o, &r.system), DEM_OK);
  ASSERT_OK(r.system, dem_system_set_integrator_name(r.system, c->scheme));
  ASSERT_OK(r.system, dem_system_add_material(r.system, NULL, NULL));
  set_law(r.system, c);
  add_spheres(&r);
  return r;
}

static place look(const run *r) {
  double x[3], v[3];
  place p;
  ASSERT_OK(r->system, dem_system_get_field(r->system, DEM_POSITION, 1, &r->fine, x, 0));
  ASSERT_OK(r->system, dem_system_get_field(r->system, DEM_VELOCITY, 1, &r->fine, v, 0));
  ASSERT_OK(r->system, dem_system_time(r->system, &p.time));
  turned(r->c.turn, 1, x);
  turned(r->c.turn, 1, v);
  const double large = r->c.ratio * FINE;
  p.angle = atan2(x[1], x[2]);
  p.rate = (v[1] * x[2] - v[2] * x[1]) / (x[1] * x[1] + x[2] * x[2]);
  for (int k = 0; k < 2; k++) p.gap[k] = hypot(hypot(x[0] + (k ? -large : large), x[1]), x[2]) - large - FINE;
  return p;
}

static place step(run *r, int64_t steps) {
  ASSERT_OK(r->system, dem_system_step(r->system, steps));
  return look(r);
}

/* First of the times 1e-4 s apart, from 5 ms on, at which neither is touched; the rule of LAMMPS's summary. */
static place leave(const setting *c, double until) {
  const int64_t steps = llround(1e-4 / c->dt);
  run r = open_run(c);
  place p = step(&r, 50 * steps);
  while (p.time < until && !(p.gap[0] > 0 && p.gap[1] > 0)) p = step(&r, steps);
  dem_system_destroy(r.system);
  return p;
}

/* ---- rolling ---- */

/* t'' = l^2 sin t gives t'^2 = 2 l^2 (cos t_1 - cos t) + t_1'^2: l between two angles of the run. */
static double growth_rate(place from, place to) {
  return sqrt((to.rate * to.rate - from.rate * from.rate) / (2 * (cos(from.angle) - cos(to.angle))));
}

/* How long a rigid sphere takes from one place to an angle (Simpson's rule on dt = d angle/rate). */
static double rolling_time(const pocket *p, place from, double to) {
  enum { PARTS = 2000 };
  const double l2 = pocket_rate(p) * pocket_rate(p), h = (to - from.angle) / PARTS;
  double sum = 0;
  for (int k = 0; k <= PARTS; k++) {
    const double angle = from.angle + k * h;
    const double rate = sqrt(from.rate * from.rate + 2 * l2 * (cos(from.angle) - cos(angle)));
    sum += (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2) / rate;
  }
  return sum * h / 3;
}

/* From twice the first angle, when the start has settled, to just before it should slide. */
static void check_growth(double ratio, double friction, int32_t arms) {
  setting c = reference_case(IMPROVED);
  c.ratio = ratio;
  c.friction = friction;
  c.arms = arms;
  const pocket p = pocket_of(&c);
  const double end = 0.95 * pocket_rigid(&p, c.angle).slide_angle;
  run r = open_run(&c);
  place from = look(&r), to;
  while (from.angle < 2 * c.angle) from = step(&r, 100);
  for (to = from; to.angle < end && to.time < 2;) to = step(&r, 100);
  dem_system_destroy(r.system);
  const double rate = growth_rate(from, to) / pocket_rate(&p), time = (to.time - from.time) / rolling_time(&p, from, to.angle);
  print_message("# R/r %g, mu %g, arms %d: from %.3f to %.3f rad, growth rate %.6f, time %.6f of the closed form\n", ratio,
                friction, (int)arms, from.angle, to.angle, rate, time);
  ASSERT_ABS(rate, 1, 1e-3);
  ASSERT_ABS(time, 1, 1e-3);
}

static void rolls_as_the_closed_form(void **state) {
  (void)state;
  static const double friction[] = {0.2, 0.5, 0.9}, ratio[] = {1, 5, 50};
  for (int32_t arms = DEM_ARMS_CONSERVING; arms <= DEM_ARMS_RADIUS; arms++) {
    for (int k = 0; k < 3; k++) check_growth(20, friction[k], arms);
    for (int k = 0; k < 3; k++) check_growth(ratio[k], 0.5, arms);
  }
}

/* ---- leaving ---- */

/* LAMMPS 4 Jul 2026, summary of the series: time (of the grid of 1e-4 s) and angle at which it leaves. */
static const struct peer {
  double dt, time, angle, bound;
} peers[] = {{1e-6, 0.1468, 1.245085074, 5e-3}, {2e-7, 0.1468, 1.244857162, 1e-3}};

/* Friction has a radial part, which the rigid estimate does not give it: it holds the sphere longer. */
static void leaves_as_lammps(void **state) {
  (void)state;
  for (int32_t arms = DEM_ARMS_CONSERVING; arms <= DEM_ARMS_RADIUS; arms++)
    for (int k = 0; k < 2; k++) {
      setting c = reference_case(IMPROVED);
      c.arms = arms;
      c.dt = peers[k].dt;
      const pocket p = pocket_of(&c);
      const double rigid = pocket_rigid(&p, c.angle).leave_angle;
      const place end = leave(&c, 0.3);
      print_message("# arms %d, dt %.0e: leaves at %.6f rad, %.4f s; LAMMPS %.6f, %.4f; rigid %.4f\n", (int)arms, c.dt,
                    end.angle, end.time, peers[k].angle, peers[k].time, rigid);
      ASSERT_ABS(rigid, 1.183, 1e-3);
      assert_true(end.angle > rigid);
      ASSERT_REL(end.angle, peers[k].angle, peers[k].bound);
      ASSERT_REL(end.time, peers[k].time, peers[k].bound);
    }
}

/* Every row of the series up to there. */
static void moves_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/c_sync");
  const setting c = reference_case(IMPROVED);
  csv t;
  assert_int_equal(csv_read(&t, "lammps/c_sync", "c_sync_dt1e-06.csv"), 0);
  run r = open_run(&c);
  double worst = 0;
  int64_t compared = 0;
  for (int64_t k = 1; k < t.rows; k++) {
    const double *row = csv_row(&t, k);
    if (row[1] > peers[0].time) break;
    const place p = step(&r, (int64_t)(row[0] - csv_row(&t, k - 1)[0]));
    worst = fmax(worst, fabs(p.angle - row[2]) / row[2]);
    compared++;
  }
  print_message("# %d rows, angles within %.1e\n", (int)compared, worst);
  dem_system_destroy(r.system);
  csv_free(&t);
  assert_true(compared > 1000);
  ASSERT_BELOW(worst, 1e-3);
}

/* Largest difference from a series of LAMMPS in its first rows, of the angle. */
static double apart_from(const char *scheme, int32_t arms, const char *file, int64_t last) {
  setting c = reference_case(scheme);
  c.arms = arms;
  csv t;
  assert_int_equal(csv_read(&t, "lammps/c_sync", file), 0);
  run r = open_run(&c);
  double worst = 0;
  for (int64_t k = 1; k < last; k++) {
    const double *row = csv_row(&t, k);
    const place p = step(&r, (int64_t)(row[0] - csv_row(&t, k - 1)[0]));
    worst = fmax(worst, fabs(p.angle - row[2]) / row[2]);
  }
  dem_system_destroy(r.system);
  csv_free(&t);
  return worst;
}

/* Plain velocity-Verlet with the arms of pair granular is LAMMPS's to round-off, 36,000 steps long; with other arms it is not. Its
 * synchronised scheme carries the spring by projecting and stretching it, ours turns it: these two are near each other only. */
static void plain_scheme_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/c_sync");
  static const char plain[] = "c_std_dt1e-06.csv", synchronised[] = "c_sync_dt1e-06.csv";
  const double same = apart_from(STANDARD, DEM_ARMS_MIXED, plain, 360),
               other = apart_from(STANDARD, DEM_ARMS_RADIUS, plain, 360);
  const double turned_spring = apart_from(IMPROVED, DEM_ARMS_MIXED, synchronised, 360);
  print_message("# angles: plain, mixed arms %.1e, arms R %.1e; synchronised, mixed arms %.1e\n", same, other, turned_spring);
  ASSERT_BELOW(same, 1e-12);
  assert_true(other > 1e-8 && turned_spring > 1e-8);
  ASSERT_BELOW(turned_spring, 1e-5);
}

static void standard_never_leaves(void **state) {
  (void)state;
  for (int32_t arms = DEM_ARMS_CONSERVING; arms <= DEM_ARMS_RADIUS; arms++)
    for (int k = 0; k < 2; k++) {
      setting c = reference_case(STANDARD);
      c.arms = arms;
      c.dt = peers[k].dt;
      const place end = leave(&c, k ? 0.3 : 1);
      print_message("# standard, arms %d, dt %.0e: at %.4f s at %.3f rad\n", (int)arms, c.dt, end.time, end.angle);
      assert_true(end.gap[0] <= 0 && end.gap[1] <= 0);
    }
}

/* Later the less friction there is left to lose: nothing is said of how much later. */
static void leaves_later_than_a_rigid_sphere(void **state) {
  (void)state;
  static const double friction[] = {0.2, 0.35, 0.8};
  for (int k = 0; k < 3; k++) {
    setting c = reference_case(IMPROVED);
    c.friction = friction[k];
    c.arms = DEM_ARMS_CONSERVING;
    const pocket p = pocket_of(&c);
    const pocket_leave rigid = pocket_rigid(&p, c.angle);
    const place end = leave(&c, 0.5);
    print_message("# mu %g: leaves at %.4f rad, %.4f s; rigid: slides at %.4f, leaves at %.4f, %.4f s\n", friction[k],
                  end.angle, end.time, rigid.slide_angle, rigid.leave_angle, rigid.leave_time);
    assert_true(end.angle > rigid.leave_angle && end.angle < 0.5 * PI);
    assert_true(end.gap[0] > 0 && end.gap[1] > 0);
  }
}

/* ---- frames and numbers ---- */

/* The way out is unstable: e^(rate t) = 140 by which round-off in an angle grows; a contact makes a few roundings of 1e-16 R of
 * a position in each of 1e5 steps, of which only the first ones grow fully. */
static void in_every_frame_and_order(void **state) {
  (void)state;
  /* Euler-Rodrigues of the quaternion (1, 2, 3, 4)/sqrt 30. */
  static const double turn[3][3] = {
      {-20 / 30., 4 / 30., 22 / 30.}, {20 / 30., -10 / 30., 20 / 30.}, {10 / 30., 28 / 30., 4 / 30.}};
  for (int scheme = 0; scheme < 2; scheme++) {
    double angle[4];
    for (int k = 0; k < 4; k++) {
      setting c = reference_case(scheme ? IMPROVED : STANDARD);
      c.arms = DEM_ARMS_CONSERVING;
      c.turn = k == 3 ? turn : NULL;
      c.first = k % 3;
      run r = open_run(&c);
      angle[k] = step(&r, 120000).angle;
      dem_system_destroy(r.system);
    }
    print_message("# angle %.4f, other orders %.1e %.1e, turned %.1e\n", angle[2], angle[0] - angle[2], angle[1] - angle[2],
                  angle[3] - angle[2]);
    for (int k = 0; k < 4; k++) ASSERT_ABS(angle[k], angle[2], 1e-9);
  }
}

/* ---- order, books ---- */

/* Soft contacts (overlaps of 1e-4 of r), started touching and released, so that springs and dashpots work while it rolls for 160
 * contact times. Slip, first order in itself, is ruled out by friction. */
static double angle_after(double steps, const char *scheme, int32_t arms) {
  setting c = reference_case(scheme);
  const double mass = 4.0 / 3 * PI * FINE * FINE * FINE * DENSITY;
  c.stiffness = 100;
  c.friction = 100;
  c.dt = PI * sqrt(mass / c.stiffness) / steps;
  c.arms = arms;
  c.angle = 0.2;
  run r = open_run(&c);
  const double angle = step(&r, llround(160 * steps)).angle;
  dem_system_destroy(r.system);
  return angle;
}

/* What three halvings of the step tell. */
static double order_of(const char *scheme, int32_t arms) {
  const double a = angle_after(400, scheme, arms), b = angle_after(800, scheme, arms), c = angle_after(1600, scheme, arms);
  const double order = log2(fabs((a - b) / (b - c)));
  print_message("# %s, arms %d: differences %.1e, %.1e of the angle, order %.2f\n", scheme, (int)arms, a - b, b - c, order);
  return order;
}

static void second_order(void **state) {
  (void)state;
  for (int32_t arms = DEM_ARMS_CONSERVING; arms <= DEM_ARMS_RADIUS; arms++) ASSERT_ABS(order_of(IMPROVED, arms), 2, 0.1);
  /* The false normal velocity works on the dashpot of the standard scheme. */
  assert_true(order_of(STANDARD, DEM_ARMS_CONSERVING) < 1.7);
}

static void books_close(void **state) {
  (void)state;
  for (int scheme = 0; scheme < 2; scheme++) {
    setting c = reference_case(scheme ? IMPROVED : STANDARD);
    c.arms = DEM_ARMS_CONSERVING;
    c.ledger = 1;
    dem_energy e;
    dem_energy_init(&e, sizeof e);
    run r = open_run(&c);
    double worst = 0;
    for (int k = 0; k < 200; k++) {
      step(&r, 1000);
      ASSERT_OK(r.system, dem_system_energy(r.system, &e));
      worst = fmax(worst, e.residual_relative);
    }
    dem_system_destroy(r.system);
    print_message("# %s: residual %.1e, numerical %.1e of what gravity gave\n", c.scheme, worst, e.numerical[0] / e.gravity);
    assert_true(e.gravity < 0 && e.sliding[0] >= 0);
    ASSERT_BELOW(worst, 1e-12);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(rolls_as_the_closed_form), TEST(leaves_as_lammps),      TEST(moves_as_lammps),
      TEST(plain_scheme_as_lammps),   TEST(standard_never_leaves), TEST(leaves_later_than_a_rigid_sphere),
      TEST(in_every_frame_and_order), TEST(second_order),          TEST(books_close),
  };
  return cmocka_run_group_tests_name("three_spheres", tests, NULL, NULL);
}
