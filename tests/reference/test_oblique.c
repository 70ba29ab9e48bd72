/* Oblique impacts of a sphere on a wall.
 *
 * Which of LAMMPS's tangential models is which of ours, arms = radius (LAMMPS's walls), c_n = 2 sqrt(5/6) beta sqrt(S_n m*)
 * (LAMMPS coeff_restitution = DEM_DAMPING_RESTITUTION, attractive part kept):
 *   gran/hooke/history       HOOKE + LINEAR, damping by rate
 *   hertz/material           HERTZ and, of displacement u or force f,
 *     mindlin                  LINEAR with k_t = 0: u, f_t = -8 G* a u
 *     mindlin/force            MINDLIN_FORCE
 *     mindlin_rescale          MINDLIN_RESCALED
 *     mindlin_rescale/force    MINDLIN (force kept, scaled with a on unloading)
 *   x_gamma_t                DEM_DAMPING_OF_NORMAL, c_t = x_gamma_t c_n
 * All but the last model compare directly, with no series of which; DEM_DAMPING_RESTITUTION, c_t = 2 sqrt(5/6) beta sqrt(S_t m*), is
 * not in LAMMPS. These go through oracle.h: scalar code that reproduces all 20 series, and is then run with the library's variant. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "csv.h"
#include "oracle.h"
#include "scenes/scenes.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846;

/* Relative to the speed of approach. Each of at most 2500 steps rounds a few times at 1.1e-16: 1e-12 at the very worst. */
static const double ROUND_OFF = 1e-12;

static const char *const series[] = {
    "e_hookehist_gt0_wall_tc50",
    "e_hookehist_gt0_wall_tc500",
    "e_hookehist_gt1_wall_tc50",
    "e_hookehist_gt1_wall_tc500",
    "e_soft_mindlin_xg0_wall_tc50",
    "e_soft_mindlin_xg0_wall_tc500",
    "e_soft_mindlin_xg1_wall_tc50",
    "e_soft_mindlin_xg1_wall_tc500",
    "e_soft_mindlin-force_xg0_wall_tc500",
    "e_soft_mindlin-force_xg1_wall_tc500",
    "e_soft_mindlin_rescale_xg0_wall_tc500",
    "e_soft_mindlin_rescale_xg1_wall_tc500",
    "e_stiff_mindlin_xg0_wall_tc50",
    "e_stiff_mindlin_xg0_wall_tc500",
    "e_stiff_mindlin_xg1_wall_tc50",
    "e_stiff_mindlin_xg1_wall_tc500",
    "e_stiff_mindlin-force_xg0_wall_tc500",
    "e_stiff_mindlin-force_xg1_wall_tc500",
    "e_stiff_mindlin_rescale_xg0_wall_tc500",
    "e_stiff_mindlin_rescale_xg1_wall_tc500",
};
enum { SERIES = sizeof series / sizeof series[0] };

/* What the heading of a series says. */
typedef struct heading {
  oracle o; /* everything but the state */
  double young, poisson, restitution, gamma_n, gamma_t;
  long steps;
} heading;

static void read_hooke(heading *h, const csv *t) {
  int dampflag;
  double *gn = &h->gamma_n, *gt = &h->gamma_t;
  const char *text = csv_after(t, "gran/hooke/history ");
  assert_int_equal(sscanf(text, "%lf %lf %lf %lf %lf %d", &h->o.kn, &h->o.kt, gn, gt, &h->o.friction, &dampflag), 6);
  if (!dampflag) *gt = 0;
  h->o.cn = *gn * h->o.mass;
  h->o.ct = *gt * h->o.mass;
}

static void read_hertz(heading *h, const csv *t) {
  char variant[64];
  const char *text = csv_after(t, "hertz/material ");
  assert_int_equal(sscanf(text, "%lf %lf %lf tangential %63s NULL %lf %lf", &h->young, &h->restitution, &h->poisson, variant,
                          &h->o.shear_factor, &h->o.friction),
                   6);
  const double nu = h->poisson, e = log(h->restitution);
  h->o.hertz = 1;
  h->o.young = h->young / (2 * (1 - nu * nu));
  h->o.shear = h->young / (4 * (2 - nu) * (1 + nu));
  h->o.beta = -e / sqrt(e * e + PI * PI);
  h->o.force_history = strstr(variant, "force") != NULL;
  h->o.rescale = strstr(variant, "rescale") != NULL;
}

static void read_heading(heading *h, csv *t, const char *name) {
  char file[96];
  snprintf(file, sizeof file, "%s.csv", name);
  assert_int_equal(csv_read(t, "lammps/e_oblique", file), 0);
  memset(h, 0, sizeof *h);
  h->o.dt = csv_number(t, "dt=");
  /* The first " d=" after the time step: the diameter. */
  h->o.radius = csv_number(t, "; d=") / 2;
  h->o.mass = csv_number(t, " m=");
  h->o.inertia = csv_number(t, " I=");
  h->steps = (long)csv_number(t, "state after ");
  if (strstr(t->head, "gran/hooke/history"))
    read_hooke(h, t);
  else
    read_hertz(h, t);
}

/* A row: angle, v_n and v_t in, v_n, v_t and w_y out. The contact begins 10.5 steps after the start. */
static oracle at_start(const heading *h, const double *row) {
  oracle o = h->o;
  o.vx = row[2];
  o.vz = -row[1];
  o.z = o.radius + 10.5 * o.dt * row[1];
  return o;
}

static double difference(const oracle *a, double vx, double vz, double w, const double *row) {
  const double d = fmax(fmax(fabs(a->vx - vx), fabs(a->vz - vz)), fabs(a->w - w) * a->radius);
  return d / hypot(row[1], row[2]);
}

static void oracle_is_lammps(void **state) {
  (void)state;
  csv_need("lammps/e_oblique");
  for (int i = 0; i < SERIES; i++) {
    heading h;
    csv t;
    read_heading(&h, &t, series[i]);
    double worst = 0;
    for (int64_t r = 0; r < t.rows; r++) {
      const double *row = csv_row(&t, r);
      oracle o = at_start(&h, row);
      oracle_step(&o, h.steps);
      worst = fmax(worst, difference(&o, row[4], row[3], row[5], row));
    }
    assert_int_equal(t.rows, 17);
    csv_free(&t);
    ASSERT_BELOW(worst, ROUND_OFF);
  }
}

/* ---- the library on the same impact ---- */

static void law_of(const heading *h, int32_t tangential, int32_t shear, dem_law_options *law) {
  dem_law_options_init(law, sizeof *law);
  law->slider = DEM_SLIDER_RESET;
  law->normal = h->o.hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE;
  law->tangential = tangential;
  law->friction = h->o.friction;
  law->damping = h->o.hertz ? DEM_DAMPING_RESTITUTION : DEM_DAMPING_RATE;
  law->restitution = h->o.hertz ? h->restitution : 1;
  law->normal_stiffness = h->o.kn;
  law->tangential_stiffness = h->o.kt;
  law->normal_damping = h->gamma_n;
  law->tangential_damping = shear;
  law->shear_damping = h->gamma_t;
}

static dem_system *library_open(dem_context *context, const heading *h, const dem_law_options *law, const oracle *start) {
  dem_system_options o;
  dem_material m;
  dem_system *s;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = h->o.dt;
  o.arms = DEM_ARMS_RADIUS;
  o.onset = DEM_ONSET_STEP;
  o.ledger = 1;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = h->young;
  if (h->young > 0) m.poisson = h->poisson;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  assert_int_equal(scene_set_law(context, s, 0, 0, law), DEM_OK);
  ASSERT_OK(s, scene_add_plane(s, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, start->z, start->radius), start->vx, 0, start->vz);
  r.density[0] = start->mass / (4.0 / 3 * PI * pow(start->radius, 3));
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

/* What the books say went out of the motion. */
static double energy_gone(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e));
  energy_assert_closed(&e, 1e-13, "oblique");
  assert_true(e.sliding[1] >= 0 && e.damping_normal[1] >= 0 && e.damping_tangential[1] >= 0);
  return e.potential_normal[1] + e.potential_tangential[1] + e.damping_normal[1] + e.damping_tangential[1] + e.sliding[1] +
         e.hysteresis[1] + e.numerical[1];
}

/* Runs the library from the oracle's start and leaves the end in v (x, y, z) and w; returns the energy that is gone. */
static double library_run(const heading *h, const dem_law_options *law, const oracle *start, double v[3], double w[3]) {
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_system *s = library_open(context, h, law, start);
  ASSERT_OK(s, dem_system_step(s, h->steps));
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 1, NULL, v, 0));
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 1, NULL, w, 0));
  const double gone = energy_gone(s);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return gone;
}

/* The kinetic energy that the impact of a row cost. */
static double energy_lost(const oracle *start, const double *row) {
  const double in = row[1] * row[1] + row[2] * row[2], out = row[3] * row[3] + row[4] * row[4];
  return 0.5 * start->mass * (in - out) - 0.5 * start->inertia * row[5] * row[5];
}

/* Mass and inertia of the library come from radius and density; LAMMPS printed theirs to 17 digits. */
static double worst_against_lammps(const heading *h, const csv *t, const dem_law_options *law, double from_angle) {
  double worst = 0;
  for (int64_t r = 0; r < t->rows; r++) {
    const double *row = csv_row(t, r);
    if (row[0] < from_angle) continue;
    const oracle start = at_start(h, row);
    double v[3], w[3];
    const double gone = library_run(h, law, &start, v, w);
    /* the accounts against LAMMPS's kinetic energies, where velocities agree to ROUND_OFF of the speed: twice that */
    const double energy = 0.5 * start.mass * (row[1] * row[1] + row[2] * row[2]);
    if (from_angle == 0 && law->tangential == DEM_TANGENTIAL_LINEAR)
      ASSERT_ABS(gone, energy_lost(&start, row), 4 * ROUND_OFF * energy);
    assert_true(v[1] == 0 && w[0] == 0 && w[2] == 0);
    const oracle end = {.vx = row[4], .vz = row[3], .w = row[5], .radius = start.radius};
    worst = fmax(worst, difference(&end, v[0], v[2], w[1], row));
  }
  return worst;
}

static double worst_against_oracle(const heading *h, const csv *t, const dem_law_options *law) {
  double worst = 0;
  for (int64_t r = 0; r < t->rows; r++) {
    oracle o = at_start(h, csv_row(t, r));
    double v[3], w[3];
    library_run(h, law, &o, v, w);
    oracle_step(&o, h->steps);
    worst = fmax(worst, difference(&o, v[0], v[2], w[1], csv_row(t, r)));
  }
  return worst;
}

static void hooke_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/e_oblique");
  for (int i = 0; i < 4; i++) {
    heading h;
    csv t;
    dem_law_options law;
    read_heading(&h, &t, series[i]);
    law_of(&h, DEM_TANGENTIAL_LINEAR, h.gamma_t > 0 ? DEM_DAMPING_RATE : DEM_DAMPING_NONE, &law);
    const double worst = worst_against_lammps(&h, &t, &law, 0);
    print_message("# %s: largest difference %.2e of the speed\n", series[i], worst);
    csv_free(&t);
    ASSERT_BELOW(worst, ROUND_OFF);
  }
}

static void hertz_linear_as_lammps_mindlin(void **state) {
  (void)state;
  csv_need("lammps/e_oblique");
  static const char *const same[] = {"e_soft_mindlin_xg0_wall_tc50", "e_soft_mindlin_xg0_wall_tc500",
                                     "e_stiff_mindlin_xg0_wall_tc50", "e_stiff_mindlin_xg0_wall_tc500"};
  for (int i = 0; i < 4; i++) {
    heading h;
    csv t;
    dem_law_options law;
    read_heading(&h, &t, same[i]);
    law_of(&h, DEM_TANGENTIAL_LINEAR, DEM_DAMPING_NONE, &law);
    const double worst = worst_against_lammps(&h, &t, &law, 0);
    print_message("# %s: largest difference %.2e of the speed\n", same[i], worst);
    csv_free(&t);
    ASSERT_BELOW(worst, ROUND_OFF);
  }
}

/* Mindlin's variants with and without tangential dashpot, soft and stiff. */
static void hertz_variants_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/e_oblique");
  for (int i = 4; i < SERIES; i++) {
    heading h;
    csv t;
    dem_law_options law;
    read_heading(&h, &t, series[i]);
    const int32_t tangential = h.o.force_history ? DEM_TANGENTIAL_MINDLIN_FORCE
                               : h.o.rescale     ? DEM_TANGENTIAL_MINDLIN_RESCALED
                                                 : DEM_TANGENTIAL_LINEAR;
    h.gamma_t = h.o.shear_factor;
    law_of(&h, tangential, h.o.shear_factor > 0 ? DEM_DAMPING_OF_NORMAL : DEM_DAMPING_NONE, &law);
    const double worst = worst_against_lammps(&h, &t, &law, 0);
    print_message("# %s: largest difference %.2e of the speed\n", series[i], worst);
    csv_free(&t);
    ASSERT_BELOW(worst, ROUND_OFF);
  }
}

/* Under gross sliding the force is mu f_n whatever the spring remembers: at 50 degrees and more the stiff sphere slides in
 * every step (7/2 mu (1+e) = tan 33 degrees), and all variants of LAMMPS give the same digits. So does MINDLIN, directly. */
static void mindlin_slides_as_lammps(void **state) {
  (void)state;
  csv_need("lammps/e_oblique");
  static const char *const variants[] = {"e_stiff_mindlin_xg0_wall_tc500", "e_stiff_mindlin-force_xg0_wall_tc500",
                                         "e_stiff_mindlin_rescale_xg0_wall_tc500"};
  for (int i = 0; i < 3; i++) {
    heading h;
    csv t;
    dem_law_options law;
    read_heading(&h, &t, variants[i]);
    law_of(&h, DEM_TANGENTIAL_MINDLIN, DEM_DAMPING_NONE, &law);
    const double sliding = worst_against_lammps(&h, &t, &law, 50), all = worst_against_lammps(&h, &t, &law, 0);
    print_message("# %s: MINDLIN sliding %.2e, at all angles %.2e of the speed\n", variants[i], sliding, all);
    csv_free(&t);
    ASSERT_BELOW(sliding, ROUND_OFF);
    assert_true(all > 1e-6); /* a model of its own: rescale/force, of which there is no series */
  }
}

/* Every combination of ours at every angle of every heading, against the scalar code in our variant. */
static void compare_variant(int i, int32_t tangential, int32_t shear) {
  heading h;
  csv t;
  dem_law_options law;
  read_heading(&h, &t, series[i]);
  h.o.force_history = h.o.rescale = tangential == DEM_TANGENTIAL_MINDLIN;
  h.o.shear_factor = 0;
  h.o.shear_by_stiffness = shear == DEM_DAMPING_RESTITUTION;
  law_of(&h, tangential, shear, &law);
  const double worst = worst_against_oracle(&h, &t, &law);
  print_message("# %s, tangential %d, shear damping %d: %.2e of the speed\n", series[i], tangential, shear, worst);
  csv_free(&t);
  ASSERT_BELOW(worst, ROUND_OFF);
}

static void hertz_as_scalar_code(void **state) {
  (void)state;
  csv_need("lammps/e_oblique");
  static const int headings[] = {4, 5, 12, 13};
  for (int i = 0; i < 4; i++) {
    compare_variant(headings[i], DEM_TANGENTIAL_MINDLIN, DEM_DAMPING_NONE);
    compare_variant(headings[i], DEM_TANGENTIAL_MINDLIN, DEM_DAMPING_RESTITUTION);
    compare_variant(headings[i], DEM_TANGENTIAL_LINEAR, DEM_DAMPING_RESTITUTION);
  }
}

/* ---- closed form of gross sliding ---- */

/* v_t' = v_t - mu (1+e) v_n, w' = 5/2 mu (1+e) v_n / r while tan(angle) > 7/2 mu (1+e): exact for a contact of zero duration
 * and a friction force mu f_n throughout. A spring has to be wound up first, which takes until the slip is mu f_n/k_t; while
 * it lasts the force is short of mu f_n by at most all of it. Hooke: k_n d(t) mu/k_t = v_t t at once when v_t > mu k_n/k_t v_n:
 * from the first step on it slides. So the deviation left is the discrete onset, one step of the dashpot of order dt g_n and of
 * the impulse, (dt/t_c)^2. Elastic and with arms = radius: 1e-5 at dt = t_c/500. */
static void check_sliding(double mu, double e, double degrees) {
  const double k = 2e5, tc = PI / sqrt(k), dt = tc / 500, vn = cos(degrees * PI / 180), vt = sin(degrees * PI / 180);
  assert_true(vt / vn > 3.5 * mu * (1 + e));
  heading h = {.o = {.dt = dt, .mass = 1, .radius = 0.5, .kn = k, .kt = k * 2 / 7, .friction = mu}, .steps = 600};
  dem_law_options law;
  law_of(&h, DEM_TANGENTIAL_LINEAR, DEM_DAMPING_NONE, &law);
  law.damping = e < 1 ? DEM_DAMPING_RESTITUTION : DEM_DAMPING_NONE;
  law.restitution = e;
  const oracle start = {.mass = 1, .radius = 0.5, .z = 0.5 + 10.5 * dt * vn, .vx = vt, .vz = -vn};
  double v[3], w[3];
  library_run(&h, &law, &start, v, w);
  /* The restitution reached, so that the test is of sliding only: the impulse is (1+e) v_n. With attraction at the very end
   * the cap mu |f_n| acts on the attractive part too, of impulse less than (1-e)/2 of the whole. */
  const double reached = v[2] / vn, bound = e < 1 ? mu * (1 - e) * vn : 1e-5;
  ASSERT_ABS(reached, e, 2e-3);
  ASSERT_ABS(v[0], vt - mu * (1 + reached) * vn, bound);
  ASSERT_ABS(w[1], 2.5 * mu * (1 + reached) * vn / 0.5, 5 * bound);
  /* Whatever the force was, it acted at the arm R: the spin follows from the loss of tangential momentum. */
  ASSERT_ABS(w[1], (vt - v[0]) * 0.5 / 0.1, 1e-12);
}

static void gross_sliding_closed_form(void **state) {
  (void)state;
  check_sliding(0.1, 1, 45);
  check_sliding(0.1, 1, 70);
  check_sliding(0.3, 1, 75);
  check_sliding(0.1, 0.9, 60);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oracle_is_lammps),
      cmocka_unit_test(hooke_as_lammps),
      cmocka_unit_test(hertz_linear_as_lammps_mindlin),
      cmocka_unit_test(hertz_variants_as_lammps),
      cmocka_unit_test(mindlin_slides_as_lammps),
      cmocka_unit_test(hertz_as_scalar_code),
      cmocka_unit_test(gross_sliding_closed_form),
  };
  return cmocka_run_group_tests_name("oblique", tests, NULL, NULL);
}
