/* Two spheres meet.
 *
 * Closed form, equal spheres of mass m at +-x, head on, touching at t = 0, Hooke:
 *   x = d/2 - (v/w) e^{-g t/2} sin wt,  v_x = -v e^{-g t/2} (cos wt - g/(2w) sin wt),  w^2 = 2k/m - g^2/4. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "csv.h"
#include "scenes/scenes.h"

static const double PI = 3.14159265358979323846;

typedef struct pair {
  dem_context *context;
  dem_system *system;
  dem_id ids[2];
} pair;

static void pair_open(pair *p, const dem_law_options *law, double dt, const char *integrator, const double x[2][3],
                      const double v[2][3]) {
  dem_system_options o;
  rows r;
  assert_int_equal(dem_context_create(NULL, &p->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  o.arms = DEM_ARMS_RADIUS;
  o.transport = DEM_TRANSPORT_PROJECT;
  o.onset = DEM_ONSET_STEP;
  assert_int_equal(dem_system_create(p->context, &o, &p->system), DEM_OK);
  ASSERT_OK(p->system, dem_system_set_integrator_name(p->system, integrator));
  ASSERT_OK(p->system, dem_system_add_material(p->system, NULL, NULL));
  assert_int_equal(scene_set_law(p->context, p->system, 0, 0, law), DEM_OK);
  assert_int_equal(rows_create(&r, 2), 0);
  for (int i = 0; i < 2; i++) rows_velocity(&r, rows_put(&r, x[i][0], x[i][1], x[i][2], 0.5), v[i][0], v[i][1], v[i][2]);
  ASSERT_OK(p->system, rows_add(&r, p->system, p->ids));
  rows_destroy(&r);
}

static void pair_close(pair *p) {
  dem_system_destroy(p->system);
  assert_int_equal(dem_context_destroy(p->context), DEM_OK);
}

static void get(const pair *p, int32_t field, double out[2][3]) {
  ASSERT_OK(p->system, dem_system_get_field(p->system, field, 2, p->ids, &out[0][0], 0));
}

/* ---- closed form ---- */

static const double STIFFNESS = 2e5, SPEED = 0.5;

static double frequency(double g) { return sqrt(2 * STIFFNESS - g * g / 4); }

/* Largest error against the closed form, relative to amplitude and speed, after `steps` steps that cover 0.7 contact times. */
static double closed_form_error(const char *integrator, double g, int steps) {
  const double w = frequency(g), t = 0.7 * PI / w, e = exp(-g * t / 2);
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.tangential = DEM_TANGENTIAL_NONE;
  law.normal_stiffness = STIFFNESS;
  law.damping = g > 0 ? DEM_DAMPING_RATE : DEM_DAMPING_NONE;
  law.normal_damping = g;
  pair p;
  const double x0[2][3] = {{0.5, 0, 0}, {-0.5, 0, 0}}, v0[2][3] = {{-SPEED, 0, 0}, {SPEED, 0, 0}};
  pair_open(&p, &law, t / steps, integrator, x0, v0);
  ASSERT_OK(p.system, dem_system_step(p.system, steps));
  double x[2][3], v[2][3];
  get(&p, DEM_POSITION, x);
  get(&p, DEM_VELOCITY, v);
  pair_close(&p);
  const double exact_x = 0.5 - SPEED / w * e * sin(w * t);
  const double exact_v = -SPEED * e * (cos(w * t) - g / (2 * w) * sin(w * t));
  /* Head on: the two mirror each other to round-off and nothing leaves the line. */
  ASSERT_ABS(x[0][0], -x[1][0], 1e-15);
  ASSERT_ABS(x[0][1] + x[0][2] + x[1][1] + x[1][2], 0, 0);
  return fmax(fabs(x[0][0] - exact_x) * w / SPEED, fabs(v[0][0] - exact_v) / SPEED);
}

static double order(const char *integrator, double g, int steps) {
  const double coarse = closed_form_error(integrator, g, steps), fine = closed_form_error(integrator, g, 2 * steps);
  const double p = log2(coarse / fine);
  print_message("# %s, g = %g: errors %.3e (%d steps) %.3e (%d steps), order %.4f\n", integrator, g, coarse, steps, fine,
                2 * steps, p);
  return p;
}

/* Second order where forces depend on positions only. */
static void elastic_impact_second_order(void **state) {
  (void)state;
  for (int n = 25; n <= 400; n *= 4) ASSERT_ABS(order("velocity-verlet", 0, n), 2, 0.1);
}

static void elastic_impact_first_order_with_euler(void **state) {
  (void)state;
  for (int n = 400; n <= 6400; n *= 4) ASSERT_ABS(order("euler", 0, n), 1, 0.1);
}

/* A dashpot sees the velocity half a step back, so it is of first order under either integrator; the test holds the
 * convergence to the damped closed form. At the finest step the error is below what a first-order scheme with this damping
 * makes: (g/w) w dt per unit time, over w t of about 2. */
static void damped_impact_converges(void **state) {
  (void)state;
  const double g = 100;
  for (int n = 400; n <= 6400; n *= 4) {
    ASSERT_ABS(order("euler", g, n), 1, 0.1);
    const double p = order("velocity-verlet", g, n);
    assert_true(p > 0.9);
  }
  const double wdt = 0.7 * PI / 12800;
  ASSERT_BELOW(closed_form_error("velocity-verlet", g, 12800), 2 * g / frequency(g) * wdt);
}

/* After a damped impact the speed is e times what it was; e = exp(-g t_c/2), t_c = pi/w. The step of 1/4000 contact time
 * leaves a first-order error of about pi/4000 g/w. */
static void damped_impact_restitution(void **state) {
  (void)state;
  const double g = 100, w = frequency(g), dt = PI / w / 4000;
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.tangential = DEM_TANGENTIAL_NONE;
  law.normal_stiffness = STIFFNESS;
  law.damping = DEM_DAMPING_RESTITUTION;
  law.restitution = exp(-g * PI / w / 2);
  pair p;
  const double x0[2][3] = {{0.5, 0, 0}, {-0.5, 0, 0}}, v0[2][3] = {{-SPEED, 0, 0}, {SPEED, 0, 0}};
  pair_open(&p, &law, dt, "velocity-verlet", x0, v0);
  ASSERT_OK(p.system, dem_system_step(p.system, 4400));
  double v[2][3];
  get(&p, DEM_VELOCITY, v);
  pair_close(&p);
  ASSERT_REL(v[0][0] / SPEED, law.restitution, 4 * PI / 4000 * g / w);
}

/* ---- step by step against LAMMPS ---- */

static void read_law(const csv *t, dem_law_options *law) {
  double kn, kt, gn, gt, mu;
  int dampflag;
  const char *style = csv_after(t, "pair_style gran/hooke ");
  assert_int_equal(sscanf(style, "%lf %lf %lf %lf %lf %d", &kn, &kt, &gn, &gt, &mu, &dampflag), 6);
  dem_law_options_init(law, sizeof *law);
  law->tangential = DEM_TANGENTIAL_VISCOUS;
  law->normal_stiffness = kn;
  law->damping = law->tangential_damping = DEM_DAMPING_RATE;
  law->normal_damping = gn;
  law->shear_damping = dampflag ? gt : 0;
  law->friction = mu;
}

/* Columns: step, t, x1, y1, vx1, vy1, wz1, x2, y2, vx2, vy2, wz2, ke_trans, ke_rot, e_el, overlap. The impact lasts 160
 * steps and is not chaotic, so round-off stays far below the bound of the project, 1e-9. */
static double compare_row(const pair *p, const double *row) {
  double x[2][3], v[2][3], w[2][3], worst = 0;
  get(p, DEM_POSITION, x);
  get(p, DEM_VELOCITY, v);
  get(p, DEM_SPIN, w);
  for (int i = 0; i < 2; i++) {
    const double *r = row + 2 + 5 * i, ours[5] = {x[i][0], x[i][1], v[i][0], v[i][1], w[i][2]};
    for (int k = 0; k < 5; k++) worst = fmax(worst, fabs(ours[k] - r[k]));
  }
  dem_energy energy;
  dem_energy_init(&energy, sizeof energy);
  ASSERT_OK(p->system, dem_system_energy(p->system, &energy));
  worst = fmax(worst, fabs(energy.kinetic_linear - row[12]));
  worst = fmax(worst, fabs(energy.kinetic_angular - row[13]));
  return fmax(worst, fabs(energy.potential_normal[0] - row[14]));
}

static void compare_series(const char *name) {
  csv t;
  dem_law_options law;
  assert_int_equal(csv_read(&t, "lammps/a_impact", name), 0);
  read_law(&t, &law);
  const double *r = csv_row(&t, 0), dt = csv_row(&t, 1)[1];
  const double x[2][3] = {{r[2], r[3], 0}, {r[7], r[8], 0}}, v[2][3] = {{r[4], r[5], 0}, {r[9], r[10], 0}};
  pair p;
  pair_open(&p, &law, dt, "velocity-verlet", x, v);
  double worst = 0, touched = 0;
  for (int64_t s = 1; s < t.rows; s++) {
    ASSERT_OK(p.system, dem_system_step(p.system, 1));
    worst = fmax(worst, compare_row(&p, csv_row(&t, s)));
    touched += csv_row(&t, s)[15] > 0;
  }
  pair_close(&p);
  print_message("# %s: %d rows, %g in contact, largest difference %.2e\n", name, (int)t.rows, touched, worst);
  assert_true(touched > 10);
  csv_free(&t);
  ASSERT_BELOW(worst, 1e-9);
}

static void impact_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/a_impact");
  static const char *const kinds[] = {"g0_visc", "g100_frictionless", "g100_visc"};
  for (int kind = 0; kind < 3; kind++)
    for (int b = 0; b < 2; b++)
      for (int tc = 16; tc <= 160; tc *= 10) {
        char name[64];
        snprintf(name, sizeof name, "a_%s_b0.%d_tc%d.csv", kinds[kind], b, tc);
        compare_series(name);
      }
}

/* ---- a sphere between two walls, collision by collision ---- */

static dem_system *between_walls(dem_context *context, double dt, double start) {
  dem_system_options o;
  dem_law_options law;
  dem_system *s;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  o.arms = DEM_ARMS_RADIUS;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  dem_law_options_init(&law, sizeof law);
  law.tangential = DEM_TANGENTIAL_NONE;
  law.normal_stiffness = 2e5;
  assert_int_equal(scene_set_law(context, s, 0, 0, &law), DEM_OK);
  ASSERT_OK(s, scene_add_plane(s, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}));
  ASSERT_OK(s, scene_add_plane(s, 0, (double[3]){0, 0, 1.01}, (double[3]){0, 0, -1}));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, start, 0.5), 0, 0, 1);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

static void advance(dem_system *s, int64_t steps, double *z, double *v) {
  double x[3], u[3];
  ASSERT_OK(s, dem_system_step(s, steps));
  ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, 1, NULL, x, 0));
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 1, NULL, u, 0));
  *z = x[2];
  *v = u[2];
}

/* With a finite step the speed after a collision depends on where in a step the touch falls, by up to 1e-3 of the speed: the
 * bouncing is a chaotic map, and round-off grows by a factor of about 1.1 in each collision. A twin that starts 1e-13 apart
 * measures the growth A; n steps of rounding numbers of size 1 may then come to n A 2.2e-16. As long as that is below the
 * project's 1e-9 we hold the comparison to 1e-9, later to the bound itself. */
static void compare_walls(int tc, int at_least) {
  char name[64];
  csv t;
  snprintf(name, sizeof name, "b_tc%d_percollision.csv", tc);
  assert_int_equal(csv_read(&t, "lammps/b_walls", name), 0);
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  const double dt = csv_row(&t, 0)[2] / csv_row(&t, 0)[1];
  dem_system *s = between_walls(context, dt, 0.505), *twin = between_walls(context, dt, 0.505 + 1e-13);
  double worst = 0, done = 0, growth = 1;
  int strict = 0;
  for (int64_t c = 0; c < t.rows; c++) {
    const double *row = csv_row(&t, c);
    double z, v, twin_z, twin_v;
    advance(s, (int64_t)(row[1] - done), &z, &v);
    advance(twin, (int64_t)(row[1] - done), &twin_z, &twin_v);
    done = row[1];
    growth = fmax(growth, fmax(fabs(z - twin_z), fabs(v - twin_v)) / 1e-13);
    const double off = fmax(fabs(z - row[3]), fabs(v - row[4])), bound = done * growth * 2.2e-16;
    ASSERT_BELOW(off, fmax(bound, 1e-9));
    if (bound > 1e-9) continue;
    worst = fmax(worst, off);
    strict++;
  }
  print_message("# walls, tc/%d: %d of %d collisions to 1e-9 (largest difference %.2e), growth of a displacement %.1e\n", tc,
                strict, (int)t.rows, worst, growth);
  dem_system_destroy(s);
  dem_system_destroy(twin);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  csv_free(&t);
  assert_true(strict >= at_least);
}

static void walls_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/b_walls");
  compare_walls(16, 20);
  compare_walls(50, 20);
  compare_walls(160, 20);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastic_impact_second_order),
      cmocka_unit_test(elastic_impact_first_order_with_euler),
      cmocka_unit_test(damped_impact_converges),
      cmocka_unit_test(damped_impact_restitution),
      cmocka_unit_test(impact_as_lammps),
      cmocka_unit_test(walls_as_lammps),
  };
  return cmocka_run_group_tests_name("impact", tests, NULL, NULL);
}
