/* Whole impacts of one pair: those that have a closed form, the fits of stiffness and damping, and the integration of Hertz with a
 * constant dashpot, whose work is bounded. The simulation judges impacts in property/test_advice_impacts.c. Link with
 * --wrap=demi_impact_hertz. */
#include "assertions.h"

#include "formulas.h"
#include "series.h"

static const double PI = 3.14159265358979323846;

#define GET(call)                     \
  do {                                \
    assert_int_equal((call), DEM_OK); \
  } while (0)

/* ---- closed forms and fits ---- */

static dem_impact impact_of(int32_t normal, int32_t damping, int32_t attraction) {
  dem_impact i;
  GET(dem_impact_init(&i, sizeof i));
  i.normal = normal;
  i.damping = damping;
  i.attraction = attraction;
  i.mass = 0.2;
  i.radius = 0.05;
  i.speed = 1.7;
  i.stiffness = normal == DEM_NORMAL_HERTZ ? 3e7 : 4e5;
  return i;
}

static void elastic_impacts_are_the_closed_forms(void **state) {
  (void)state;
  double d, t;
  dem_impact i = impact_of(DEM_NORMAL_HOOKE, DEM_DAMPING_NONE, 1);
  GET(dem_impact_predict(&i));
  ASSERT_REL(i.overlap, 1.7 * sqrt(0.2 / 4e5), 1e-15);
  ASSERT_REL(i.contact_time, PI * sqrt(0.2 / 4e5), 1e-14);
  assert_true(i.rebound == 1);
  for (int32_t attraction = 0; attraction < 2; attraction++) {
    i = impact_of(DEM_NORMAL_HERTZ, DEM_DAMPING_NONE, attraction);
    GET(dem_impact_predict(&i));
    GET(dem_formula_hertz_overlap(0.2, 0.05, 1.7, 3e7, &d));
    GET(dem_formula_hertz_contact_time(0.2, 0.05, 1.7, 3e7, &t));
    ASSERT_REL(i.overlap, d, 1e-14);
    ASSERT_REL(i.contact_time, t, 1e-12);
    assert_true(i.rebound == 1);
  }
}

/* x = v/w exp(-g t/2) sin wt and its first zero of x'. */
static void damped_hooke_is_the_closed_form(void **state) {
  (void)state;
  double c, t;
  dem_impact i = impact_of(DEM_NORMAL_HOOKE, DEM_DAMPING_RATE, 1);
  i.normal_damping = 700;
  GET(dem_impact_predict(&i));
  const double g = 700, w = sqrt(4e5 / 0.2 - g * g / 4), turn = atan2(2 * w, g) / w;
  ASSERT_REL(i.overlap, 1.7 / w * exp(-g * turn / 2) * sin(w * turn), 1e-13);
  ASSERT_REL(i.contact_time, PI / w, 1e-13);
  ASSERT_REL(i.rebound, exp(-g / 2 * PI / w), 1e-13);
  GET(dem_formula_hooke_contact_time(0.2, 4e5, 700 * 0.2, &t));
  ASSERT_REL(i.contact_time, t, 1e-13);
  /* over-damped it creeps and never ends; without attraction it does */
  GET(dem_formula_hooke_damping(0.2, 4e5, 1.5, &c));
  i.damping = DEM_DAMPING_COEFFICIENT;
  i.normal_damping = c;
  GET(dem_impact_predict(&i));
  assert_true(isinf(i.contact_time) && i.rebound == 0 && i.overlap > 0);
  i.attraction = 0;
  GET(dem_impact_predict(&i));
  ASSERT_REL(i.rebound, exp(-3 * acosh(1.5) / sqrt(1.25)), 1e-12);
}

/* Hertz with a constant dashpot, integrated: without dashpot it is the closed form, and a weak one takes what first order says,
 * 1 - e^2 = 4 B int x' ds over one way, int x' dx = 2 int_0^1 sqrt(1 - x^(5/2)) dx. */
static void a_weak_constant_dashpot_on_hertz(void **state) {
  (void)state;
  double d, lost = 0;
  enum { N = 200000 };
  GET(dem_formula_hertz_overlap(0.2, 0.05, 1.7, 3e7, &d));
  for (int k = 0; k < N; k++) lost += sqrt(1 - pow((k + 0.5) / N, 2.5)) / N;
  dem_impact i = impact_of(DEM_NORMAL_HERTZ, DEM_DAMPING_COEFFICIENT, 1);
  i.normal_damping = 1e-4 * i.mass * i.speed / d; /* B = 1e-4 */
  GET(dem_impact_predict(&i));
  ASSERT_REL(1 - i.rebound * i.rebound, 4 * 1e-4 * lost, 1e-3);
  ASSERT_REL(i.overlap, d, 1e-4);
  i.normal_damping *= 1e-8;
  GET(dem_impact_predict(&i));
  double t;
  GET(dem_formula_hertz_contact_time(0.2, 0.05, 1.7, 3e7, &t));
  ASSERT_REL(i.contact_time, t, 1e-8);
  ASSERT_REL(i.overlap, d, 1e-8);
  ASSERT_REL(i.rebound, 1, 1e-8);
  /* a strong one holds it, or lets it go without attraction */
  i.normal_damping = 5 * i.mass * i.speed / d;
  GET(dem_impact_predict(&i));
  assert_true(isinf(i.contact_time) && i.rebound == 0);
  i.attraction = 0;
  GET(dem_impact_predict(&i));
  assert_true(isfinite(i.contact_time) && i.rebound > 0 && i.rebound < 0.1);
}

/* exp(-2) is the rebound at critical damping, where the forms on both sides meet. */
static void critical_damping_joins_both_forms(void **state) {
  (void)state;
  for (int32_t normal = DEM_NORMAL_HOOKE; normal <= DEM_NORMAL_HERTZ; normal++) {
    dem_impact i[2];
    for (int k = 0; k < 2; k++) {
      i[k] = impact_of(normal, DEM_DAMPING_RESTITUTION_EXACT, 0);
      i[k].restitution = exp(-2) * (k ? 1 + 1e-8 : 1 - 1e-8);
      GET(dem_impact_predict(&i[k]));
    }
    ASSERT_REL(i[0].contact_time, i[1].contact_time, 1e-6);
    ASSERT_REL(i[0].overlap, i[1].overlap, 1e-6);
    ASSERT_REL(i[0].rebound, i[1].rebound, 1e-6);
  }
}

static int has_restitution(int32_t damping) {
  return damping == DEM_DAMPING_RESTITUTION || damping == DEM_DAMPING_RESTITUTION_EXACT;
}

static const double RESTITUTIONS[] = {0.5, 0.8, 0.9, 0.99, 1};

/* Every law, mode and end: the damping fitted to a rebound gives it, and the stiffness fitted to an overlap. */
static void fits_are_inverse_to_predictions(void **state) {
  (void)state;
  for (int32_t normal = DEM_NORMAL_HOOKE; normal <= DEM_NORMAL_HERTZ; normal++)
    for (int32_t damping = DEM_DAMPING_COEFFICIENT; damping <= DEM_DAMPING_RESTITUTION_EXACT; damping++)
      for (int32_t attraction = 0; attraction < 2; attraction++)
        for (int k = 0; k < 5; k++) {
          dem_impact i = impact_of(normal, damping, attraction);
          GET(dem_impact_fit_damping(&i, RESTITUTIONS[k]));
          ASSERT_REL(i.rebound, RESTITUTIONS[k], has_restitution(damping) || normal == DEM_NORMAL_HOOKE ? 1e-12 : 1e-8);
          const double overlap = i.overlap, stiffness = i.stiffness, parameter = i.normal_damping;
          i.stiffness = i.overlap = NAN;
          GET(dem_impact_fit_stiffness(&i, overlap));
          ASSERT_REL(i.stiffness, stiffness, 1e-7);
          ASSERT_REL(i.overlap, overlap, 1e-9);
          assert_true(i.normal_damping == parameter);
        }
}

/* ---- Hertz with a constant dashpot, from the weakest to the strongest ---- */

/* Calls of the integration from the functions under test, and their steps. */
static int64_t steps_taken, most_at_once;

demi_rebound __real_demi_impact_hertz(double damping, int cut);

demi_rebound __wrap_demi_impact_hertz(double damping, int cut);

demi_rebound __wrap_demi_impact_hertz(double damping, int cut) {
  const demi_rebound r = __real_demi_impact_hertz(damping, cut);
  steps_taken += r.steps;
  if (r.steps > most_at_once) most_at_once = r.steps;
  return r;
}

/* Taylor series of order 26 with 40 digits (mpmath), in units of the undamped impact: B, without attraction, {overlap, time,
 * rebound}. */
static const struct {
  double damping;
  int cut;
  double is[3];
} SERIES[] = {
    {1e-3, 0, {0.99934627690287218, 2.943756807590856, 0.99836591608337776}},
    {1e-3, 1, {0.99934627690287218, 2.935134368612401, 0.99837108110752447}},
    {0.03, 0, {0.98067863749810952, 2.9580360944569891, 0.95189391997336665}},
    {0.03, 1, {0.98067863749810952, 2.8734510290814097, 0.95334441725256912}},
    {0.3, 0, {0.830666398096276, 3.1259366332159549, 0.5931766211757114}},
    {0.3, 1, {0.830666398096276, 2.6654917657933511, 0.64464693430635133}},
    {0.6, 0, {0.70355889385288494, 3.427032802114387, 0.31478837622886838}},
    {0.6, 1, {0.70355889385288494, 2.5218105617955596, 0.43836240129211349}},
    {0.9, 0, {0.60596335749636092, 4.0029813871151509, 0.12552767865246963}},
    {0.9, 1, {0.60596335749636092, 2.4035778146615703, 0.30971177944438465}},
    {1, 0, {0.57844402943883107, 4.3466764433022354, 0.078441581343783811}},
    {1, 1, {0.57844402943883107, 2.3676197755558875, 0.27786213840533132}},
    {1.1, 0, {0.55301090416464029, 4.899502388196336, 0.038940710070663992}},
    {1.1, 1, {0.55301090416464029, 2.3330358476213641, 0.25011563484769213}},
    {2, 0, {0.39059559389374275, INFINITY, 0}},
    {2, 1, {0.39059559389374275, 2.0678538684606048, 0.10996334178549345}},
    {8, 0, {0.12177946769361804, INFINITY, 0}},
    {8, 1, {0.12177946769361804, 1.2147824293265093, 0.006395190180482951}},
    {50, 0, {0.019988296737209778, INFINITY, 0}},
    {50, 1, {0.019988296737209778, 0.3742471643227328, 7.058756901374727e-5}},
    {1e3, 0, {0.00099999937679935863, INFINITY, 0}},
    {1e3, 1, {0.00099999937679935863, 0.033687028489744462, 3.9528397142841464e-8}},
    {3e4, 0, {3.3333333326846465e-5, INFINITY, 0}},
    {3e4, 1, {3.3333333326846465e-5, 0.0016897670364611864, 8.0187537340753734e-12}},
    {99000, 0, {1.0101010100898514e-5, INFINITY, 0}},
    {99000, 1, {1.0101010100898514e-5, 0.00057234973166589695, 4.053423924489278e-13}},
};

static void constant_dashpots_agree_with_series(void **state) {
  (void)state;
  double worst = 0;
  for (size_t k = 0; k < sizeof SERIES / sizeof *SERIES; k++) {
    const demi_rebound r = demi_impact_hertz(SERIES[k].damping, SERIES[k].cut);
    const double got[3] = {r.overlap, r.time, r.speed};
    for (int a = 0; a < 3; a++) {
      if (isinf(SERIES[k].is[1]) && a > 0) {
        assert_true(got[a] == SERIES[k].is[a]);
        continue;
      }
      ASSERT_REL(got[a], SERIES[k].is[a], 1e-9);
      worst = fmax(worst, fabs(got[a] / SERIES[k].is[a] - 1));
    }
  }
  print_message("# Hertz with a constant dashpot: within %.1e of the series\n", worst);
}

/* The closed form of the strongest dashpots goes on where the integration ends. */
static void closed_form_meets_integration(void **state) {
  (void)state;
  for (int cut = 0; cut < 2; cut++) {
    const demi_rebound a = demi_impact_hertz(1e5, cut), b = demi_impact_hertz(1e5 * (1 + 1e-14), cut);
    assert_true(a.steps > 0 && b.steps == 0);
    ASSERT_REL(b.overlap, a.overlap, 1e-9);
    if (!cut) continue;
    ASSERT_REL(b.time, a.time, 1e-9);
    ASSERT_REL(b.speed, a.speed, 1e-9);
  }
}

enum { MOST_STEPS_OF_A_PREDICTION = 60000, MOST_STEPS_OF_A_FIT = 3000000 };

static void check_answer(dem_status status, const dem_impact *i) {
  assert_true(status == DEM_OK || status == DEM_BAD_ARGUMENT);
  if (status) return;
  assert_true(i->overlap > 0 && isfinite(i->overlap) && i->contact_time > 0);
  assert_true(i->rebound >= 0 && i->rebound <= 1 + 1e-9);
  assert_true(isfinite(i->contact_time) || i->rebound == 0);
}

/* Everything that a host may put in, far beyond sense: each call ends after a bounded number of steps, and what comes out depends on
 * the inputs through B and the law's scales alone. */
static void any_impact_is_predicted_in_bounded_work(void **state) {
  (void)state;
  static const double far[] = {1e-150, 1e-20, 1e-6, 1, 1e3, 1e11, 1e160};
  enum { FAR = 7, ALL = FAR * FAR * FAR * FAR * FAR };
  int64_t answered = 0;
  most_at_once = 0;
  for (int n = 0; n < 4 * ALL; n += 3) {
    if (!series_takes(n / 3)) continue;
    const int which = n % ALL;
    dem_impact i = impact_of(DEM_NORMAL_HERTZ, n / (2 * ALL) ? DEM_DAMPING_RATE : DEM_DAMPING_COEFFICIENT, n / ALL % 2);
    i.mass = far[which % FAR];
    i.radius = far[which / FAR % FAR];
    i.speed = far[which / (FAR * FAR) % FAR];
    i.stiffness = far[which / (FAR * FAR * FAR) % FAR];
    i.normal_damping = far[which / (FAR * FAR * FAR * FAR)];
    if (which % 5 == 4) i.normal = DEM_NORMAL_HOOKE;
    steps_taken = 0;
    const dem_status status = dem_impact_predict(&i);
    check_answer(status, &i);
    assert_true(steps_taken <= MOST_STEPS_OF_A_PREDICTION);
    if (status) continue;
    answered++;
    const long double rate = i.normal_damping / (n / (2 * ALL) ? 1.0L : (long double)i.mass);
    if (i.normal == DEM_NORMAL_HOOKE) {
      const long double z = rate / 2 * sqrtl((long double)i.mass / i.stiffness);
      if (z > 1e8L) ASSERT_REL(i.overlap, (double)(i.speed / rate), 1e-9);
    } else {
      const long double d0 = powl(15.0L / 16 * i.mass * i.speed * i.speed / (sqrtl((long double)i.radius) * i.stiffness), 0.4L);
      if (rate * d0 / i.speed > 1e8L) ASSERT_REL(i.overlap, (double)(i.speed / rate), 1e-9);
      if (rate * d0 / i.speed < 1e-11L) ASSERT_REL(i.overlap, (double)d0, 1e-9);
    }
  }
  print_message("# predictions: %lld of %lld answered, at most %lld steps\n", (long long)answered,
                (long long)series_count(4 * ALL / 3), (long long)most_at_once);
}

static void any_rebound_is_fitted_in_bounded_work(void **state) {
  (void)state;
  static const double rebounds[] = {1 - 1e-15, 1 - 1e-9, 0.99, 0.5, 0.1, 1e-3, 1e-6, 1e-10, 1e-14, 1e-30, 1e-100, 1e-250};
  static const double scales[] = {1e-9, 1, 1e12};
  int64_t most = 0;
  for (int n = 0; n < 12 * 3 * 3 * 8; n++) {
    if (!series_takes(n)) continue;
    const int normal = n / 108 % 2 ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, attraction = n / 216 % 2;
    dem_impact i = impact_of(normal, n / 432 ? DEM_DAMPING_RATE : DEM_DAMPING_COEFFICIENT, attraction);
    const double wanted = rebounds[n % 12];
    i.mass = scales[n / 12 % 3];
    i.stiffness *= scales[n / 36 % 3];
    steps_taken = 0;
    assert_int_equal(dem_impact_fit_damping(&i, wanted), DEM_OK);
    check_answer(DEM_OK, &i);
    /* with attraction the rebound goes through 0 steeply: what a double of damping can tell is an absolute bound */
    if (attraction)
      ASSERT_ABS(i.rebound, wanted, 1e-9);
    else
      ASSERT_REL(i.rebound, wanted, 1e-9);
    if (steps_taken > most) most = steps_taken;
    if (steps_taken > MOST_STEPS_OF_A_FIT)
      fail_msg("%g at attraction %d: %lld steps", wanted, attraction, (long long)steps_taken);
  }
  print_message("# fits of damping: at most %lld steps\n", (long long)most);
}

/* Overlaps up to m v/c, where the dashpot alone stops the sphere. */
static void any_overlap_beside_a_dashpot_is_fitted_in_bounded_work(void **state) {
  (void)state;
  static const double parts[] = {1e-12, 1e-6, 1e-2, 0.3, 0.9, 0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12};
  static const double scales[] = {1e-20, 1e-5, 1, 1e8, 1e30};
  int64_t most = 0;
  for (int n = 0; n < 9 * 5 * 5 * 4; n++) {
    if (!series_takes(n)) continue;
    const int normal = n / 225 % 2 ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE;
    dem_impact i = impact_of(normal, DEM_DAMPING_COEFFICIENT, n / 450);
    i.mass = scales[n / 9 % 5];
    i.normal_damping = scales[n / 45 % 5];
    const double wanted = parts[n % 9] * (i.mass * i.speed / i.normal_damping);
    steps_taken = 0;
    assert_int_equal(dem_impact_fit_stiffness(&i, wanted), DEM_OK);
    check_answer(DEM_OK, &i);
    ASSERT_REL(i.overlap, wanted, 1e-9);
    if (steps_taken > most) most = steps_taken;
    assert_true(steps_taken <= MOST_STEPS_OF_A_FIT);
    assert_int_equal(dem_impact_fit_stiffness(&i, wanted / parts[n % 9] * (1 + 1e-12)), DEM_BAD_ARGUMENT);
  }
  print_message("# fits of stiffness: at most %lld steps\n", (long long)most);
}

/* Hooke far beyond critical damping: the overlap is m v/c, the end without attraction comes after 2 acosh(z)/w with e = 1/(4 z^2). */
static void hooke_with_strong_dashpots(void **state) {
  (void)state;
  for (double z = 1e3; z < 1e150; z *= 31.6) {
    double c;
    dem_impact i = impact_of(DEM_NORMAL_HOOKE, DEM_DAMPING_COEFFICIENT, 0);
    i.mass = i.speed = i.stiffness = 1;
    GET(dem_formula_hooke_damping(1, 1, z, &c));
    i.normal_damping = c;
    GET(dem_impact_predict(&i));
    const double l = logl(2 * (long double)z) - 1 / (4 * (long double)z * z), w = z - 1 / (2 * z);
    ASSERT_REL(i.overlap, exp(-l * (z / w)), 1e-10);
    ASSERT_REL(i.contact_time, 2 * l / w, 1e-10);
    ASSERT_REL(i.rebound, exp(-2 * l * (z / w)), 1e-10);
  }
}

/* ---- refusals ---- */

typedef dem_status act_fn(dem_impact *);

static dem_status predict(dem_impact *i) { return dem_impact_predict(i); }

static dem_status fit_stiffness(dem_impact *i) { return dem_impact_fit_stiffness(i, 0.001); }

static dem_status fit_damping(dem_impact *i) { return dem_impact_fit_damping(i, 0.5); }

static void impact_refused(act_fn *act, dem_impact i) {
  const dem_impact before = i;
  const dem_status status = act(&i);
  assert_true(status == DEM_BAD_ARGUMENT || status == DEM_BAD_STRUCT);
  ASSERT_BITS(&i, &before, sizeof i);
}

static void bad_impacts_are_refused(void **state) {
  (void)state;
  act_fn *const acts[] = {predict, fit_stiffness, fit_damping};
  dem_impact good = impact_of(DEM_NORMAL_HERTZ, DEM_DAMPING_RESTITUTION, 1), i;
  for (int k = 0; k < 3; k++) {
#define REFUSED(change) i = good, change, impact_refused(acts[k], i)
    REFUSED(i.normal = DEM_NORMAL_NONE);
    REFUSED(i.normal = 7);
    REFUSED(i.damping = -1);
    REFUSED(i.damping = 9);
    REFUSED(i.attraction = 2);
    REFUSED(i.mass = 0);
    REFUSED(i.mass = INFINITY);
    REFUSED(i.radius = 0);
    REFUSED(i.speed = 0);
    REFUSED(i.speed = NAN);
    REFUSED(i.struct_size = 8);
    if (acts[k] != fit_stiffness) REFUSED(i.stiffness = 0);
    if (acts[k] != fit_damping) REFUSED(i.restitution = 0);
    if (acts[k] != fit_damping) REFUSED((i.damping = DEM_DAMPING_COEFFICIENT, i.normal_damping = -1));
  }
  /* nothing to fit; a dashpot that stops the sphere before the overlap; a mode that has no such parameter */
  i = good;
  i.damping = DEM_DAMPING_NONE;
  impact_refused(fit_damping, i);
  for (int32_t normal = DEM_NORMAL_HOOKE; normal <= DEM_NORMAL_HERTZ; normal++) {
    i = impact_of(normal, DEM_DAMPING_COEFFICIENT, 1);
    i.normal_damping = i.mass * i.speed / 0.0009;
    impact_refused(fit_stiffness, i);
  }
  i = impact_of(DEM_NORMAL_HOOKE, DEM_DAMPING_RESTITUTION, 0);
  const dem_impact before = i;
  assert_int_equal(dem_impact_fit_damping(&i, 0.05), DEM_BAD_ARGUMENT);
  ASSERT_BITS(&i, &before, sizeof i);
#undef REFUSED
  assert_int_equal(dem_impact_predict(NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_impact_fit_stiffness(NULL, 1), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_impact_fit_damping(NULL, 1), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_impact_init(NULL, sizeof i), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_advice_init(NULL, sizeof(dem_advice)), DEM_BAD_ARGUMENT);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastic_impacts_are_the_closed_forms),
      cmocka_unit_test(damped_hooke_is_the_closed_form),
      cmocka_unit_test(critical_damping_joins_both_forms),
      cmocka_unit_test(a_weak_constant_dashpot_on_hertz),
      cmocka_unit_test(fits_are_inverse_to_predictions),
      cmocka_unit_test(bad_impacts_are_refused),
      cmocka_unit_test(constant_dashpots_agree_with_series),
      cmocka_unit_test(closed_form_meets_integration),
      cmocka_unit_test(any_impact_is_predicted_in_bounded_work),
      cmocka_unit_test(any_rebound_is_fitted_in_bounded_work),
      cmocka_unit_test(any_overlap_beside_a_dashpot_is_fitted_in_bounded_work),
      cmocka_unit_test(hooke_with_strong_dashpots),
  };
  return cmocka_run_group_tests_name("impact_formulas", tests, NULL, NULL);
}
