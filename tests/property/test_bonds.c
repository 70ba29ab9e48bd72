/* The springs and dashpots of bonds against closed forms (dem/bond.h): along, across, in bending and twisting, at rest, in relaxation
 * and while the bond turns. */
#include "assertions.h"

#include "scenes/bonded.h"

static const double PI = 3.14159265358979323846;

/* ---- along the bond ---- */

/* Velocity-Verlet of x'' = -w^2 x from a turning point is cos(n a) exactly, sin(a/2) = w dt/2. */
static double verlet_cosine(double omega, double dt, int64_t n) { return cos((double)n * 2 * asin(0.5 * omega * dt)); }

static void check_oscillator(const dem_bond_type *t, double k, double stretch) {
  const bonded_setup u = {.dt = 1e-3};
  bonded w = bonded_open(&u);
  const dem_id i = bonded_put(&w, 0.1, 0.2, 0.3), j = bonded_put(&w, 1.1 + stretch, 0.2, 0.3);
  bonded_join(&w, bonded_add_type(&w, t), i, j, 1.0);
  const double omega = sqrt(2 * k);
  for (int n = 1; n <= 1000; n++) {
    bonded_step(&w, 1);
    ASSERT_ABS(bonded_distance(&w, i, j) - 1, stretch * verlet_cosine(omega, 1e-3, n), 1e-12);
  }
  bonded_close(&w);
}

/* A pair of masses m on a spring k swings at sqrt(2 k/m), drawn or pushed, whatever the contact law would do. */
static void pair_swings(void **state) {
  (void)state;
  const dem_bond_type a = bond_harmonic(800), b = bond_beam(800 / BOND_AREA, 100);
  check_oscillator(&a, 800, 0.1);
  check_oscillator(&a, 800, -0.1);
  check_oscillator(&b, 800, 0.1);
  check_oscillator(&b, 800, -0.1);
}

/* Stable below h = sqrt(2 m/k) and not above. */
static void stability_limit(void **state) {
  (void)state;
  for (int above = 0; above < 2; above++) {
    const bonded_setup u = {.dt = sqrt(2.0 / 800) * (above ? 1.01 : 0.99)};
    bonded w = bonded_open(&u);
    const dem_bond_type t = bond_harmonic(800);
    const dem_id i = bonded_put(&w, 0, 0, 0), j = bonded_put(&w, 1.001, 0, 0);
    bonded_join(&w, bonded_add_type(&w, &t), i, j, 1.0);
    double most = 0;
    for (int n = 0; n < 200 && most < 1e3; n++) { /* an instability ends far away, where steps are refused */
      bonded_step(&w, 1);
      most = fmax(most, fabs(bonded_distance(&w, i, j) - 1));
    }
    /* at 0.99 of the limit the discrete amplitude is at most 1/sqrt(1 - 0.99^2) = 7 times the first */
    assert_true(above ? most > 0.01 : most < 0.0071);
    bonded_close(&w);
  }
}

/* The library's own limit, for bonds stiffer than the contact law: 2/omega of the stiffest of its springs. */
static void check_limit(const dem_bond_type *t, double omega2) {
  const bonded_setup u = {.dt = 1e-4};
  bonded w = bonded_open(&u);
  const dem_id i = bonded_put(&w, 0, 0, 0), j = bonded_put(&w, 1, 0, 0);
  bonded_join(&w, bonded_add_type(&w, t), i, j, 0);
  double limit;
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &limit));
  ASSERT_REL(limit, 2 / sqrt(omega2), 1e-14);
  bonded_close(&w);
}

static void limit_is_told(void **state) {
  (void)state;
  dem_bond_type t = bond_harmonic(1e6);
  check_limit(&t, 2e6);
  t = bond_beam(1e6, 0);
  check_limit(&t, 2e6 * BOND_AREA);
  t.tangential_stiffness = 1e6;
  check_limit(&t, 1e6 * BOND_AREA * (2 + 2 * 0.25 / 0.1));
  t.bending_stiffness = 1e8;
  check_limit(&t, 1e8 * BOND_INERTIA * 20);
  t.twisting_stiffness = 1e8;
  check_limit(&t, 2e8 * BOND_INERTIA * 20);
}

/* A straight chain of N with free ends swings lengthwise in the mode x_k = cos(pi p (k + 1/2)/N) at 2 sqrt(k/m) sin(pi p/(2N)). */
static void axial_waves(void **state) {
  (void)state;
  enum { LINKS = 10 };
  for (int mode = 1; mode < LINKS; mode += 4) {
    const bonded_setup u = {.dt = 1e-3};
    bonded w = bonded_open(&u);
    const dem_bond_type t = bond_beam(800 / BOND_AREA, 300);
    const int32_t type = bonded_add_type(&w, &t);
    const double omega = 2 * sqrt(800) * sin(PI * mode / (2 * LINKS)), size = 0.01;
    dem_id id[LINKS];
    double shape[LINKS], x[3];
    for (int k = 0; k < LINKS; k++) {
      shape[k] = size * cos(PI * mode * (k + 0.5) / LINKS);
      id[k] = bonded_put(&w, k + shape[k], 0, 0);
      if (k) bonded_join(&w, type, id[k], id[k - 1], 1.0);
    }
    for (int n = 1; n <= 600; n++) {
      bonded_step(&w, 1);
      for (int k = 0; k < LINKS; k++) {
        bonded_get(&w, DEM_POSITION, id[k], x);
        ASSERT_ABS(x[0] - k, shape[k] * verlet_cosine(omega, 1e-3, n), 1e-11);
      }
    }
    bonded_close(&w);
  }
}

/* With a dashpot the swing dies as exp(-c t/2), m* being in both the dashpot and the motion; what is lost is heat. */
static void damped_pair(void **state) {
  (void)state;
  const bonded_setup u = {.dt = 1e-5, .ledger = 1};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_harmonic(800);
  t.normal_damping = 4;
  const dem_id i = bonded_put(&w, 0, 0, 0), j = bonded_put(&w, 1.01, 0, 0);
  bonded_join(&w, bonded_add_type(&w, &t), i, j, 1.0);
  const dem_energy before = bonded_books(&w);
  const double omega = sqrt(1600 - 4.0);
  for (int n = 1; n <= 5; n++) {
    bonded_step(&w, 5000);
    const double time = 0.05 * n, exact = 0.01 * exp(-2 * time) * (cos(omega * time) + 2 / omega * sin(omega * time));
    /* the dashpot sees the velocity half a step before, as if the mass were less by c dt/2: the phase runs ahead by c dt/4 */
    ASSERT_ABS(bonded_distance(&w, i, j) - 1, exact, 0.01 * (4 * 1e-5 / 4) * (1 + omega * time));
  }
  const dem_energy e = bonded_books(&w);
  bonded_assert_closes(&e);
  ASSERT_REL(e.damping_bond + e.kinetic_linear + e.potential_bond, before.potential_bond, 1e-6); /* (w dt)^2 */
  bonded_close(&w);
}

/* ---- across, bending, twisting ---- */

/* One end held: the other is given a displacement across in one go of many small steps; f_t = -k_tb A u. */
static void static_shear(void **state) {
  (void)state;
  const bonded_setup u = {.dt = 1e-3};
  bonded w = bonded_open(&u);
  const dem_bond_type t = bond_beam(1e3, 400);
  const dem_id i = bonded_put(&w, 1, 0, 0), j = bonded_put(&w, 0, 0, 0);
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &j, 1));
  bonded_join(&w, bonded_add_type(&w, &t), i, j, 0);
  bonded_set(&w, DEM_VELOCITY, i, 0, 1e-6, 0);
  bonded_step(&w, 1);
  const dem_bond b = bonded_only_bond(&w);
  /* one step from rest: u = v dt */
  ASSERT_REL(b.force[1], -400 * BOND_AREA * 1e-9, 1e-9);
  assert_true(b.i == i && b.j == j && b.force[2] == 0);
  ASSERT_BELOW(fabs(b.force[0]), 1.01e-9 * fabs(b.force[1])); /* the bond has turned by u */
  bonded_close(&w);
}

/* Two spheres turned against each other about n swing at sqrt(2 k_w 2I/inertia), about another axis at the bending frequency
 * sqrt(2 k_b I/inertia) when the tangential spring is off. */
static void check_torsion(int axis, double stiffness) {
  const double rate = 1e-3, omega = sqrt(2 * stiffness / 0.1);
  const bonded_setup u = {.dt = 1e-3};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_beam(1e3, 0);
  t.bending_stiffness = axis == 0 ? 0 : stiffness / BOND_INERTIA;
  t.twisting_stiffness = axis == 0 ? stiffness / (2 * BOND_INERTIA) : 0;
  const dem_id i = bonded_put(&w, 1, 0, 0), j = bonded_put(&w, 0, 0, 0);
  bonded_join(&w, bonded_add_type(&w, &t), i, j, 0);
  double spin[3] = {0, 0, 0}, now[3];
  spin[axis] = rate;
  bonded_set(&w, DEM_SPIN, i, spin[0], spin[1], spin[2]);
  bonded_set(&w, DEM_SPIN, j, -spin[0], -spin[1], -spin[2]);
  for (int n = 1; n <= 500; n++) {
    bonded_step(&w, 1);
    bonded_get(&w, DEM_SPIN, i, now);
    /* full-step spin of velocity-Verlet started at the middle: amplitude cos(a/2) of the half-step one, in all exactly cos(n a) */
    ASSERT_ABS(now[axis], rate * verlet_cosine(omega, 1e-3, n), 1e-12 * rate * n);
  }
  bonded_close(&w);
}

static void torsional_oscillators(void **state) {
  (void)state;
  check_torsion(0, 3.0);
  check_torsion(1, 2.0);
  check_torsion(2, 2.0);
}

/* Discs in a plane: bending about z is all there is; what points out of the plane is refused. */
static void in_two_dimensions(void **state) {
  (void)state;
  bonded w;
  dem_system_options o;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.dimension = 2;
  o.shape = DEM_SHAPE_DISC;
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  bonded_set_law(&w, 0);
  dem_bond_type t = bond_beam(1e3, 0);
  t.tangential_stiffness = 1e-9;
  t.bending_stiffness = 2 / BOND_INERTIA;
  t.twisting_stiffness = 1;
  const dem_id i = bonded_put(&w, 1, 0, 0), j = bonded_put(&w, 0, 0, 0);
  dem_bond b = {.i = i, .j = j, .type = bonded_add_type(&w, &t), .force = {0, 0, 1}};
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  b.force[2] = 0;
  b.bending[0] = 1;
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  b.bending[0] = 0;
  b.twisting = 1;
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL), DEM_BAD_ARGUMENT);
  b.twisting = 0;
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
  bonded_set(&w, DEM_SPIN, i, 0, 0, 1e-3);
  bonded_set(&w, DEM_SPIN, j, 0, 0, -1e-3);
  double inertia, now[3];
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_INERTIA, 1, &i, &inertia, 0));
  for (int n = 1; n <= 300; n++) {
    bonded_step(&w, 1);
    bonded_get(&w, DEM_SPIN, i, now);
    ASSERT_ABS(now[2], 1e-3 * verlet_cosine(sqrt(2 * 2 / inertia), 1e-3, n), 1e-10);
  }
  bonded_close(&w);
}

/* ---- relaxation ---- */

/* Ends held: every elastic part falls as exp(-t/t_d), the rest length goes to the length, and what is lost is heat. */
static void relaxation(void **state) {
  (void)state;
  const bonded_setup u = {.dt = 1e-3, .ledger = 1};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_beam(1e3, 400);
  t.bending_stiffness = t.twisting_stiffness = 500;
  t.relaxation_time = 0.2;
  const dem_id i = bonded_put(&w, 1.1, 0, 0), j = bonded_put(&w, 0, 0, 0);
  dem_bond b = {.i = i,
                .j = j,
                .type = bonded_add_type(&w, &t),
                .rest_length = 1,
                .force = {0, 3, 4},
                .bending = {0, 1, 2},
                .twisting = 5};
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
  const dem_id both[2] = {i, j};
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 2, both, 1));
  const dem_energy before = bonded_books(&w);
  const double held =
      0.5 * 1e3 * BOND_AREA * 0.01 + 12.5 / (400 * BOND_AREA) + 2.5 / (500 * BOND_INERTIA) + 12.5 / (500 * 2 * BOND_INERTIA);
  ASSERT_REL(before.potential_bond, held, 1e-14);
  bonded_step(&w, 300);
  b = bonded_only_bond(&w);
  const double left = exp(-1.5);
  ASSERT_REL(1.1 - b.rest_length, 0.1 * left, 1e-12);
  ASSERT_REL(b.force[2], 4 * left, 1e-12);
  ASSERT_REL(b.bending[1], left, 1e-12);
  ASSERT_REL(b.twisting, 5 * left, 1e-12);
  const dem_energy e = bonded_books(&w);
  ASSERT_REL(e.potential_bond, held * left * left, 1e-12);
  ASSERT_REL(e.damping_bond, held * (1 - left * left), 1e-12);
  bonded_assert_closes(&e);
  bonded_close(&w);
}

/* ---- turning with the bond ---- */

/* A bonded pair that turns as one: the elastic parts turn with it, their lengths and the energy stay. The turn about an axis
 * across the bond comes from the velocities, that about the bond from the spins. */
static void state_turns_with_the_bond(void **state) {
  (void)state;
  for (int about = 0; about < 2; about++) {
    const bonded_setup u = {.dt = 1e-3};
    bonded w = bonded_open(&u);
    dem_bond_type t = bond_beam(1e4, 1e-9);
    t.bending_stiffness = t.twisting_stiffness = 1e-9;
    const dem_id i = bonded_put(&w, 0.5, 0, 0), j = bonded_put(&w, -0.5, 0, 0);
    const double rate = 0.5, f = 1e-9;
    dem_bond b = {
        .i = i, .j = j, .type = bonded_add_type(&w, &t), .force = {0, f, 0}, .bending = {0, 0, 2 * f}, .twisting = 3 * f};
    ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, NULL));
    for (int k = 0; k < 2; k++) {
      bonded_set(&w, DEM_SPIN, k ? j : i, about ? rate : 0, 0, about ? 0 : rate);
      if (!about) bonded_set(&w, DEM_VELOCITY, k ? j : i, 0, k ? -0.5 * rate : 0.5 * rate, 0);
    }
    bonded_step(&w, 1000);
    b = bonded_only_bond(&w);
    /* by half a radian, but for the stretch that the turn takes, rate^2 m/(4 k), and the scheme's (rate dt)^2 */
    const double c = cos(0.5), s = sin(0.5);
    const double force[3] = {about ? 0 : -s * f, c * f, about ? s * f : 0};
    const double bending[3] = {0, about ? -2 * s * f : 0, about ? 2 * c * f : 2 * f};
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(b.force[a], force[a], 1e-4 * f);
      ASSERT_ABS(b.bending[a], bending[a], 1e-4 * f);
    }
    ASSERT_REL(b.twisting, 3 * f, 1e-6);
    bonded_close(&w);
  }
}

/* ---- a pair that turns while its springs swing: the order of a scheme ---- */

static void turning_pair(const char *integrator, double dt, int damped, double out[12]) {
  const bonded_setup u = {.integrator = integrator, .dt = dt, .ledger = 1};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_beam(1e4, 5e3);
  t.bending_stiffness = t.twisting_stiffness = 1e4;
  if (damped) t.tangential_damping = 20;
  const dem_id i = bonded_put(&w, 0.5, 0, 0), j = bonded_put(&w, -0.5, 0, 0);
  bonded_join(&w, bonded_add_type(&w, &t), i, j, 1);
  bonded_set(&w, DEM_VELOCITY, i, 0, 5, 0.3);
  bonded_set(&w, DEM_VELOCITY, j, 0, -5, 0.2);
  bonded_set(&w, DEM_SPIN, i, 2, 1, 12);
  bonded_set(&w, DEM_SPIN, j, -1, 1, 9);
  bonded_step(&w, (int64_t)(0.5 / dt + 0.5));
  bonded_get(&w, DEM_POSITION, i, out);
  bonded_get(&w, DEM_POSITION, j, out + 3);
  bonded_get(&w, DEM_SPIN, i, out + 6);
  bonded_get(&w, DEM_SPIN, j, out + 9);
  const dem_energy e = bonded_books(&w);
  bonded_assert_closes(&e);
  bonded_close(&w);
}

static double pair_error(const char *integrator, double dt, int damped, const double *exact) {
  double now[12], worst = 0;
  turning_pair(integrator, dt, damped, now);
  for (int k = 0; k < 12; k++) worst = fmax(worst, fabs(now[k] - exact[k]) * (k < 6 ? 10 : 1));
  return worst;
}

/* Half the step, a quarter of the error. Velocities seen in the frame of the end of a step alone have a false part that goes with
 * the first power of the step. */
static void turning_pair_converges(void **state) {
  (void)state;
  double exact[12], plain = 0;
  turning_pair("improved-velocity-verlet", 5e-4 / 64, 0, exact);
  for (int scheme = 0; scheme < 2; scheme++) {
    const char *name = scheme ? "improved-velocity-verlet" : "velocity-verlet";
    const double e[3] = {pair_error(name, 5e-4, 0, exact), pair_error(name, 2.5e-4, 0, exact),
                         pair_error(name, 1.25e-4, 0, exact)};
    print_message("# %s: errors %.2e %.2e %.2e, orders %.2f %.2f\n", name, e[0], e[1], e[2], log2(e[0] / e[1]),
                  log2(e[1] / e[2]));
    if (scheme)
      assert_true(log2(e[1] / e[2]) > 1.95 && e[2] < 0.5 * plain);
    else
      assert_true(log2(e[1] / e[2]) < 1.7);
    plain = e[2];
  }
  turning_pair("improved-velocity-verlet", 5e-4, 1, exact); /* closes with dashpots too */
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pair_swings),
      cmocka_unit_test(stability_limit),
      cmocka_unit_test(limit_is_told),
      cmocka_unit_test(axial_waves),
      cmocka_unit_test(damped_pair),
      cmocka_unit_test(static_shear),
      cmocka_unit_test(torsional_oscillators),
      cmocka_unit_test(in_two_dimensions),
      cmocka_unit_test(relaxation),
      cmocka_unit_test(state_turns_with_the_bond),
      cmocka_unit_test(turning_pair_converges),
  };
  return cmocka_run_group_tests_name("bonds", tests, NULL, NULL);
}
