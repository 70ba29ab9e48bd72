/* The springs of a law (law/springs.c) and the energies that a contact stores (contact/stored.c), against closed forms.
 *
 *   Hooke   f = k d                      U = k d^2/2                   k_t = constant
 *   Hertz   f = 4/3 Y* sqrt(R*) d^(3/2)  U = 8/15 Y* sqrt(R*) d^(5/2)  k_n = 2 Y* a, k_t = 8 G* a, a = sqrt(R* d)
 *
 * An impact at speed v reaches the overlap x with U(x) = m v^2/2, m the effective mass, and takes pi sqrt(m/k) on Hooke's spring and
 * 2 sqrt(pi) Gamma(7/5)/Gamma(9/10) x/v on Hertz's (Landau, Lifshitz, Theory of Elasticity, section 9). */
#include "assertions.h"

#include "contacts.h"
#include "context.h"
#include "springs.h"

enum { COUNT = 11 };
static const double PI = 3.14159265358979323846, K = 2e5, KT = 6e4, YOUNG = 3e7, SHEAR = 8e6; /* Y*, G* */

static dem_context *context;

static int open_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &context);
}

static int close_context(void **state) {
  (void)state;
  return dem_context_destroy(context);
}

/* ---- laws ---- */

static dem_law_options options_of(int32_t normal, int32_t tangential) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal = normal;
  o.tangential = tangential;
  if (normal == DEM_NORMAL_HOOKE) o.normal_stiffness = K;
  if (normal == DEM_NORMAL_HOOKE && tangential == DEM_TANGENTIAL_LINEAR) o.tangential_stiffness = KT;
  return o;
}

static demi_bound bind(const dem_law_options *o, dem_law **law) {
  dem_bind materials;
  demi_message message;
  demi_bound bound;
  assert_int_equal(dem_bind_init(&materials, sizeof materials), DEM_OK);
  materials.effective_young = YOUNG;
  materials.effective_shear = SHEAR;
  materials.shear_ratio = 4 * SHEAR / YOUNG;
  assert_int_equal(dem_law_create(context, o, law), DEM_OK);
  assert_int_equal(demi_law_bind(*law, &materials, &message, &bound), DEM_OK);
  return bound;
}

/* Contacts that differ in everything; every third one already touches. */
static void set_contacts(demi_springs *s) {
  memset(s, 0, sizeof *s);
  s->count = COUNT;
  for (int q = 0; q < COUNT; q++) {
    s->radius[q] = 0.05 + 0.01 * q;
    s->mass[q] = 0.3 + 0.07 * q;
    s->speed[q] = 0.1 * (q + 1);
    s->overlap[q] = q % 3 == 1 ? 1e-4 * (q + 1) : -1e-3 * q;
  }
}

static double hertz_energy(double radius, double overlap) { return 8.0 / 15.0 * YOUNG * sqrt(radius) * pow(overlap, 2.5); }
static double energy_of_approach(const demi_springs *s, int q) { return 0.5 * s->mass[q] * s->speed[q] * s->speed[q]; }

/* ---- springs ---- */

static void an_impact_on_a_hooke_spring(void **state) {
  (void)state;
  dem_law *law;
  demi_springs s;
  dem_law_options o = options_of(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR);
  o.damping = o.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.normal_damping = 30;
  o.shear_damping = 11;
  o.friction = 0.35;
  const demi_bound bound = bind(&o, &law);
  set_contacts(&s);
  demi_springs_find(&bound, &s);
  for (int q = 0; q < COUNT; q++) {
    const double before = fmax(s.overlap[q], 0), x = sqrt(before * before + 2 * energy_of_approach(&s, q) / K);
    ASSERT_REL(s.expected[q], x, 1e-10);
    ASSERT_REL(s.time[q], PI * sqrt(s.mass[q] / K), 1e-10);
    ASSERT_REL(s.normal[q], K, 1e-14);
    ASSERT_REL(s.normal_viscosity[q], 30, 1e-14);
    ASSERT_REL(s.tangential[q], KT, 1e-12);
    ASSERT_REL(s.tangential_viscosity[q], 11, 1e-12);
  }
  assert_true(demi_bound_friction(&bound) == 0.35);
  dem_law_release(law);
}

static void an_impact_on_a_hertz_spring(void **state) {
  (void)state;
  const int32_t kinds[] = {DEM_TANGENTIAL_LINEAR, DEM_TANGENTIAL_MINDLIN, DEM_TANGENTIAL_MINDLIN_RESCALED};
  for (int k = 0; k < 3; k++) {
    dem_law *law;
    demi_springs s;
    const dem_law_options o = options_of(DEM_NORMAL_HERTZ, kinds[k]);
    const demi_bound bound = bind(&o, &law);
    set_contacts(&s);
    demi_springs_find(&bound, &s);
    for (int q = 0; q < COUNT; q++) {
      const double energy = energy_of_approach(&s, q) + hertz_energy(s.radius[q], fmax(s.overlap[q], 0));
      const double x = pow(energy / hertz_energy(s.radius[q], 1), 0.4), a = sqrt(s.radius[q] * x);
      ASSERT_REL(s.expected[q], x, 1e-9);
      const double from_rest = sqrt(2 * energy / s.mass[q]); /* speed of an impact that begins at first touch */
      ASSERT_REL(s.time[q], 2 * sqrt(PI) * tgamma(1.4) / tgamma(0.9) * x / from_rest, 1e-9);
      ASSERT_REL(s.normal[q], 2 * YOUNG * a, 1e-9);
      ASSERT_REL(s.tangential[q], 8 * SHEAR * a, 1e-9);
      assert_true(s.normal_viscosity[q] == 0);
      ASSERT_ABS(s.tangential_viscosity[q], 0, 1e-12);
    }
    dem_law_release(law);
  }
}

/* A tangential dashpot that is a fraction of the normal one is that whatever the normal one goes with. */
static void a_dashpot_of_the_normal_one(void **state) {
  (void)state;
  const int32_t modes[] = {DEM_DAMPING_COEFFICIENT, DEM_DAMPING_RATE, DEM_DAMPING_VISCOELASTIC, DEM_DAMPING_RESTITUTION};
  for (int hertz = 0; hertz < 2; hertz++)
    for (int k = 0; k < 4; k++) {
      dem_law *law;
      demi_springs s;
      dem_law_options o = options_of(hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR);
      o.damping = modes[k];
      o.tangential_damping = DEM_DAMPING_OF_NORMAL;
      o.shear_damping = 0.4;
      if (modes[k] == DEM_DAMPING_RESTITUTION)
        o.restitution = 0.7;
      else
        o.normal_damping = 13;
      const demi_bound bound = bind(&o, &law);
      set_contacts(&s);
      demi_springs_find(&bound, &s);
      for (int q = 0; q < COUNT; q++) {
        assert_true(s.normal_viscosity[q] > 0);
        ASSERT_REL(s.tangential_viscosity[q], 0.4 * s.normal_viscosity[q], 1e-12);
      }
      dem_law_release(law);
    }
}

/* Force and energy at overlaps that are given, and a law without friction. */
static void forces_at_an_overlap(void **state) {
  (void)state;
  for (int hertz = 0; hertz < 2; hertz++) {
    dem_law *law;
    demi_springs s;
    const dem_law_options o = options_of(hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, DEM_TANGENTIAL_NONE);
    const demi_bound bound = bind(&o, &law);
    set_contacts(&s);
    for (int q = 0; q < COUNT; q++) s.overlap[q] = 1e-4 * (q + 1);
    demi_springs_force(&bound, &s);
    for (int q = 0; q < COUNT; q++) {
      const double d = s.overlap[q], energy = hertz ? hertz_energy(s.radius[q], d) : 0.5 * K * d * d;
      ASSERT_REL(s.expected[q], energy, 1e-13);
      ASSERT_REL(s.normal[q], (hertz ? 2.5 : 2) * energy / d, 1e-13);
    }
    demi_springs_find(&bound, &s);
    for (int q = 0; q < COUNT; q++) assert_true(s.tangential[q] == 0 && s.tangential_viscosity[q] == 0);
    assert_true(demi_bound_friction(&bound) == 0);
    dem_law_release(law);
  }
}

/* ---- stored energies ---- */

static const double D = 2e-4, R = 0.07, M = 0.4; /* overlap, R*, m* */

static demi_stored stored_of(const dem_law_options *o, const double *history) {
  dem_law *law;
  demi_workspace *w = test_calloc(1, sizeof *w + 64);
  demi_workspace *aligned = (demi_workspace *)(void *)(((uintptr_t)w + 63) / 64 * 64);
  const demi_bound bound = bind(o, &law);
  demi_lanes_init(&aligned->lanes, aligned->now.normal);
  const demi_stored held = demi_contacts_stored(aligned, &bound, D, R, M, history);
  test_free(w);
  dem_law_release(law);
  return held;
}

/* Displacements are small, so that no spring is at its Coulomb cap. */
static const double U[3] = {0, 3e-6, -4e-6};
static const double U2 = 25e-12;

static void a_contact_of_hooke_stores(void **state) {
  (void)state;
  dem_law_options o = options_of(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR);
  o.rolling = DEM_ROLLING_SPRING;
  o.rolling_stiffness = 900;
  o.twisting = DEM_TWISTING_SPRING;
  o.twisting_stiffness = 700;
  const double history[] = {U[0], U[1], U[2], 0, 5e-5, 12e-5, 2e-3};
  const demi_stored held = stored_of(&o, history), fresh = stored_of(&o, NULL);
  ASSERT_REL(held.normal, 0.5 * K * D * D, 1e-14);
  ASSERT_REL(held.tangential, 0.5 * KT * U2, 1e-14);
  ASSERT_REL(held.rolling, 0.5 * 900 * 169e-10, 1e-14);
  ASSERT_REL(held.twisting, 0.5 * 700 * R * R * 4e-6, 1e-14);
  assert_true(fresh.normal == held.normal && fresh.tangential == 0 && fresh.rolling == 0 && fresh.twisting == 0);
}

/* Rescaled: the displacement shrinks with the contact radius, a/a_before. Force history: f^2/(2 k_t). */
static void a_contact_of_hertz_stores(void **state) {
  (void)state;
  const double kt = 8 * SHEAR * sqrt(R * D);
  for (double before = 1; before < 3; before++) {
    const double shrunk = 1 / before, force[] = {0, kt * U[1], kt * U[2], before * sqrt(R * D)};
    const double displacement[] = {U[0], U[1], U[2], before * sqrt(R * D)};
    dem_law_options o = options_of(DEM_NORMAL_HERTZ, DEM_TANGENTIAL_LINEAR);
    ASSERT_REL(stored_of(&o, U).normal, hertz_energy(R, D), 1e-14);
    ASSERT_REL(stored_of(&o, U).tangential, 0.5 * kt * U2, 1e-14);
    o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
    ASSERT_REL(stored_of(&o, U).tangential, 0.5 * kt * U2, 1e-14);
    o.tangential = DEM_TANGENTIAL_MINDLIN_RESCALED;
    ASSERT_REL(stored_of(&o, displacement).tangential, 0.5 * kt * U2 * shrunk * shrunk, 1e-14);
    o.tangential = DEM_TANGENTIAL_MINDLIN;
    ASSERT_REL(stored_of(&o, force).tangential, 0.5 * kt * U2 * shrunk * shrunk, 1e-14);
  }
}

/* Marshall's twisting spring k_t a^2/2, beside Hertz and beside a constant k_t. */
static void twisting_after_marshall_stores(void **state) {
  (void)state;
  for (int hertz = 0; hertz < 2; hertz++) {
    dem_law_options o = options_of(hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR);
    o.twisting = DEM_TWISTING_MARSHALL;
    const double history[] = {0, 0, 0, 1e-4}, kt = hertz ? 8 * SHEAR * sqrt(R * D) : KT;
    ASSERT_REL(stored_of(&o, history).twisting, 0.5 * (0.5 * kt * R * D) * 1e-8, 1e-13);
  }
}

/* Its dashpot is that of the tangential part times a^2/2, however that is given. Stiffness and dashpot are powers of a, and so of the
 * overlap, which gives the derivative of the moment. */
static void twisting_after_marshall_is_damped(void **state) {
  (void)state;
  const int32_t modes[] = {DEM_DAMPING_COEFFICIENT, DEM_DAMPING_RATE, DEM_DAMPING_VISCOELASTIC, DEM_DAMPING_RESTITUTION};
  for (int hertz = 0; hertz < 2; hertz++)
    for (int k = 0; k < 4; k++) {
      dem_law *law;
      dem_bind materials;
      dem_probe p;
      dem_law_options o = options_of(hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR);
      o.twisting = DEM_TWISTING_MARSHALL;
      o.tangential_damping = modes[k];
      o.shear_damping = modes[k] == DEM_DAMPING_RESTITUTION ? 0 : 20;
      if (modes[k] == DEM_DAMPING_RESTITUTION) o.restitution = 0.7;
      bind(&o, &law);
      dem_bind_init(&materials, sizeof materials);
      materials.effective_young = YOUNG;
      materials.effective_shear = SHEAR;
      dem_probe_init(&p, sizeof p);
      p.dt = 1e-6;
      p.overlap = D;
      p.effective_radius = R;
      p.effective_mass = M;
      p.inverse_inertia = 1;
      p.normal[2] = 1;
      p.velocity[0] = 1e-4;
      p.turning[2] = 1e-3;
      assert_int_equal(dem_law_probe(law, &materials, &p), DEM_OK);
      assert_true(p.tangential_damping[0] < 0);
      ASSERT_REL(p.twisting_damping / 1e-3, 0.5 * R * D * p.tangential_damping[0] / 1e-4, 1e-12);
      const double power = modes[k] == DEM_DAMPING_VISCOELASTIC ? 1.5 : modes[k] == DEM_DAMPING_RESTITUTION && hertz ? 1.25 : 1;
      const double by_overlap = ((hertz ? 1.5 : 1) * p.twisting_elastic + power * p.twisting_damping) / D;
      ASSERT_REL(p.twisting_overlap, by_overlap, 1e-12);
      dem_law_release(law);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_on_a_hooke_spring),    cmocka_unit_test(an_impact_on_a_hertz_spring),
      cmocka_unit_test(a_dashpot_of_the_normal_one),    cmocka_unit_test(forces_at_an_overlap),
      cmocka_unit_test(a_contact_of_hooke_stores),      cmocka_unit_test(a_contact_of_hertz_stores),
      cmocka_unit_test(twisting_after_marshall_stores), cmocka_unit_test(twisting_after_marshall_is_damped),
  };
  return cmocka_run_group_tests_name("springs", tests, open_context, close_context);
}
