/* Jamming of frictionless discs and spheres: known packing fractions, isostatic contacts, the given pressure, rattlers, and decompression
 * and compression back and forth. */
#include "assertions.h"

#include <stdlib.h>

enum { DISCS = 200, SPHERES = 100, FEW = 40 };

typedef struct packing {
  dem_context *context;
  dem_law *law;
  dem_system *system;
} packing;

/* Frictionless contacts of stiffness 1; with Hertz of Young's modulus 1. */
static void open_seed(packing *p, int32_t dimension, int32_t normal, double fraction, int32_t threads, int64_t count,
                      uint64_t seed) {
  dem_law_options law;
  dem_packing_options o;
  dem_system_options system;
  dem_material material;
  assert_int_equal(dem_context_create(NULL, &p->context), DEM_OK);
  dem_law_options_init(&law, sizeof law);
  law.normal = normal;
  law.tangential = DEM_TANGENTIAL_NONE;
  if (normal == DEM_NORMAL_HOOKE) law.normal_stiffness = 1;
  dem_material_init(&material, sizeof material);
  material.young = 1;
  assert_int_equal(dem_law_create(p->context, &law, &p->law), DEM_OK);
  dem_packing_options_init(&o, sizeof o);
  o.dimension = dimension;
  o.count = count;
  o.seed = seed;
  o.distribution = DEM_RADII_BIDISPERSE;
  o.radius = 0.5;
  o.packing_fraction = fraction;
  dem_system_options_init(&system, sizeof system);
  system.threads = threads;
  if (dem_packing_system(p->context, &o, &system, &material, p->law, 1, &p->system) != DEM_OK)
    fail_msg("%s", dem_context_message(p->context));
}

static void open_packing(packing *p, int32_t dimension, int32_t normal, double fraction, int32_t threads) {
  open_seed(p, dimension, normal, fraction, threads, dimension == 2 ? DISCS : SPHERES, 1);
}

static void close_packing(packing *p) {
  assert_int_equal(dem_system_destroy(p->system), DEM_OK);
  dem_law_release(p->law);
  assert_int_equal(dem_context_destroy(p->context), DEM_OK);
}

static dem_jam_options options_to(int32_t goal, double value) {
  dem_jam_options o;
  assert_int_equal(dem_jam_options_init(&o, sizeof o), DEM_OK);
  o.goal = goal;
  if (goal == DEM_JAM_PRESSURE) o.pressure = value;
  if (goal == DEM_JAM_POINT) o.fraction_tolerance = value;
  return o;
}

static dem_jam_report jam(const packing *p, const dem_jam_options *o) {
  dem_jam_report r;
  dem_jam_report_init(&r, sizeof r);
  ASSERT_OK(p->system, dem_system_jam(p->system, o, NULL, &r));
  print_message("# reason %d, %d steps (%d taken back), %lld iterations: phi %.9f, phi_J %.9f, p %.4e, contacts %g of %g\n",
                r.reason, r.steps, r.taken_back, (long long)r.iterations, r.packing_fraction, r.fraction_point, r.pressure,
                r.contacts, r.contacts_isostatic);
  return r;
}

static dem_jam_report jam_to_pressure(const packing *p, double pressure) {
  const dem_jam_options o = options_to(DEM_JAM_PRESSURE, pressure);
  const dem_jam_report r = jam(p, &o);
  assert_int_equal(r.reason, DEM_JAM_REACHED);
  ASSERT_REL(r.pressure, pressure, 1e-3);
  return r;
}

static dem_statics statics_of(const packing *p) {
  dem_statics m;
  dem_statics_init(&m, sizeof m);
  ASSERT_OK(p->system, dem_system_statics(p->system, NULL, &m));
  return m;
}

/* ---- physics ---- */

/* Bidisperse discs lose their contacts at 0.84, and have then d(N' - 1) + 1 of them: O'Hern et al. 2003. */
static void discs_jam_at_the_known_fraction_and_isostatic(void **state) {
  (void)state;
  packing p;
  open_packing(&p, 2, DEM_NORMAL_HOOKE, 0.9, 1);
  const dem_jam_report r = jam_to_pressure(&p, 1e-7);
  ASSERT_ABS(r.packing_fraction, 0.84, 0.01);
  ASSERT_ABS(r.fraction_point, r.packing_fraction, 1e-6);
  ASSERT_ABS(r.contacts, r.contacts_isostatic, 1e-9);
  /* the report is that of the state */
  const dem_statics m = statics_of(&p);
  ASSERT_REL(m.pressure, r.pressure, 1e-12);
  ASSERT_REL(m.packing_fraction, r.packing_fraction, 1e-14);
  ASSERT_ABS(r.contacts_isostatic, 2 * (DISCS - m.rattlers - 1) + 1, 0);
  close_packing(&p);
}

/* The pressure of Hertz contacts goes with the power 3/2 of phi - phi_J, so that a secant of it alone would miss phi_J. Bidisperse spheres:
 * 0.648 (O'Hern et al. 2003); a packing of 100 scatters by 0.01. */
static void spheres_come_to_their_jamming_point(void **state) {
  (void)state;
  packing p;
  open_packing(&p, 3, DEM_NORMAL_HERTZ, 0.72, 1);
  const dem_jam_options o = options_to(DEM_JAM_POINT, 1e-4);
  const dem_jam_report r = jam(&p, &o);
  assert_int_equal(r.reason, DEM_JAM_REACHED);
  ASSERT_ABS(r.fraction_point, 0.648, 0.03);
  assert_true(r.packing_fraction > r.fraction_point && r.packing_fraction - r.fraction_point <= 1e-4);
  ASSERT_ABS(r.contacts, r.contacts_isostatic, 0.04 * r.contacts_isostatic);
  /* phi_J is where the pressure vanishes: below it by twice the distance there is none, above it by that it is there */
  const double below = r.fraction_point - (r.packing_fraction - r.fraction_point);
  dem_minimise_options m;
  dem_minimise_options_init(&m, sizeof m);
  m.gradient_relative = 1e-6;
  ASSERT_OK(p.system, dem_system_compress(p.system, below, NULL, &m, NULL));
  assert_true(statics_of(&p).pressure < 1e-3 * r.pressure);
  close_packing(&p);
}

/* A loose start is compressed until it carries the pressure; the pressure can be raised and lowered again. */
static void loose_packings_are_compressed(void **state) {
  (void)state;
  packing p;
  open_packing(&p, 2, DEM_NORMAL_HOOKE, 0.8, 1);
  const dem_jam_report low = jam_to_pressure(&p, 1e-3);
  assert_true(low.fraction_unjammed > 0.79 && low.fraction_unjammed < low.packing_fraction);
  const dem_jam_report high = jam_to_pressure(&p, 1e-2);
  assert_true(high.packing_fraction > low.packing_fraction && high.contacts > low.contacts);
  (void)jam_to_pressure(&p, 1e-3);
  close_packing(&p);
}

static void compression_meets_its_packing_fraction(void **state) {
  (void)state;
  static const double fractions[3] = {0.95, 0.7, 0.88};
  packing p;
  dem_minimise_options m;
  open_packing(&p, 2, DEM_NORMAL_HOOKE, 0.85, 1);
  dem_minimise_options_init(&m, sizeof m);
  m.gradient_relative = 1e-6;
  for (int k = 0; k < 3; k++) {
    dem_minimise_report r;
    double fraction;
    dem_minimise_report_init(&r, sizeof r);
    ASSERT_OK(p.system, dem_system_compress(p.system, fractions[k], NULL, &m, &r));
    assert_true(r.reason > 0 || r.reason == DEM_MINIMISE_STALLED);
    ASSERT_OK(p.system, dem_system_packing_fraction(p.system, &fraction));
    ASSERT_REL(fraction, fractions[k], 1e-14);
  }
  close_packing(&p);
}

/* ---- rattlers ---- */

static void read_forces(const packing *p, int64_t count, const dem_id *ids, double *forces) {
  ASSERT_OK(p->system, dem_system_get_field(p->system, DEM_CONTACT_FORCE, count, ids, forces, 0));
}

/* Without its rattlers a packing has the same contacts, pressure and balance of forces. */
static void rattlers_carry_nothing(void **state) {
  (void)state;
  packing p;
  dem_id gone[DISCS], left[DISCS];
  int32_t flags[DISCS];
  double after[3 * DISCS];
  int64_t count = 0, now = 0;
  open_packing(&p, 2, DEM_NORMAL_HOOKE, 0.9, 1);
  const dem_jam_report r = jam_to_pressure(&p, 1e-4);
  const dem_statics before = statics_of(&p);
  assert_true(r.rattlers > 1);
  ASSERT_OK(p.system, dem_system_get_field_int(p.system, DEM_RATTLER, DISCS, NULL, flags, 0));
  /* too little room: nothing happens */
  ASSERT_STATUS(p.system, dem_system_remove_rattlers(p.system, 0, 1, gone, &count), DEM_BAD_ARGUMENT);
  ASSERT_ABS((double)count, r.rattlers, 0);
  ASSERT_OK(p.system, dem_system_particle_count(p.system, &now));
  assert_int_equal(now, DISCS);
  dem_id all[DISCS];
  ASSERT_OK(p.system, dem_system_ids(p.system, DISCS, all));
  ASSERT_OK(p.system, dem_system_remove_rattlers(p.system, 0, DISCS, gone, &count));
  ASSERT_ABS((double)count, r.rattlers, 0);
  for (int64_t k = 0, g = 0; k < DISCS; k++)
    if (flags[k]) assert_true(gone[g++] == all[k]);
  ASSERT_OK(p.system, dem_system_particle_count(p.system, &now));
  assert_int_equal(now + count, DISCS);
  const dem_statics without = statics_of(&p);
  ASSERT_ABS(without.rattlers, 0, 0);
  ASSERT_REL(without.pressure, before.pressure, 1e-5);
  ASSERT_ABS(without.contacts, r.contacts, 1e-9);
  ASSERT_OK(p.system, dem_system_ids(p.system, now, left));
  read_forces(&p, now, left, after);
  for (int64_t k = 0; k < 3 * now; k++) ASSERT_ABS(after[k], 0, 1e-5 * before.force_mean);
  ASSERT_OK(p.system, dem_system_remove_rattlers(p.system, 0, 0, NULL, &count));
  assert_int_equal(count, 0);
  close_packing(&p);
}

/* ---- the search ---- */

/* Places in the box, in edges, as if no particle had ever been wrapped. */
static void read_places(const packing *p, int64_t count, double *places) {
  dem_box box;
  int32_t image[3 * FEW];
  dem_box_init(&box, sizeof box);
  ASSERT_OK(p->system, dem_system_get_box(p->system, &box));
  ASSERT_OK(p->system, dem_system_get_field(p->system, DEM_POSITION, count, NULL, places, 0));
  ASSERT_OK(p->system, dem_system_get_field_int(p->system, DEM_IMAGE, count, NULL, image, 0));
  for (int64_t k = 0; k < 3 * count; k++)
    if (k % 3 < 2) places[k] = (places[k] - box.low[k % 3]) / (box.high[k % 3] - box.low[k % 3]) + image[k];
}

/* Large steps towards phi_J overshoot now and then: they are taken back, with the images of the particles, and phi_J is found all the
 * same. No particle has moved by half the box, so an image that is lost shows. */
static void steps_that_lose_the_network_are_taken_back(void **state) {
  (void)state;
  int32_t taken_back = 0, crossed = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    packing p;
    double before[3 * FEW], after[3 * FEW];
    open_seed(&p, 2, DEM_NORMAL_HOOKE, 0.92, 1, FEW, seed);
    read_places(&p, FEW, before);
    dem_jam_options o = options_to(DEM_JAM_POINT, 1e-8);
    o.fall = 0.001;
    const dem_jam_report r = jam(&p, &o);
    assert_int_equal(r.reason, DEM_JAM_REACHED);
    ASSERT_ABS(r.contacts, r.contacts_isostatic, 1e-9);
    assert_true((r.taken_back > 0) == (r.fraction_unjammed > 0));
    read_places(&p, FEW, after);
    for (int k = 0; k < 3 * FEW; k++) {
      ASSERT_ABS(after[k], before[k], 0.5);
      crossed += r.taken_back > 0 && k % 3 < 2 && floor(after[k]) != floor(before[k]);
    }
    taken_back += r.taken_back;
    close_packing(&p);
  }
  assert_true(taken_back > 0 && crossed > 0);
}

static void the_bits_do_not_depend_on_threads(void **state) {
  (void)state;
  packing a, b;
  double x[3 * DISCS], y[3 * DISCS];
  open_packing(&a, 2, DEM_NORMAL_HOOKE, 0.9, 1);
  open_packing(&b, 2, DEM_NORMAL_HOOKE, 0.9, 3);
  (void)jam_to_pressure(&a, 1e-2);
  (void)jam_to_pressure(&b, 1e-2);
  ASSERT_OK(a.system, dem_system_get_field(a.system, DEM_POSITION, DISCS, NULL, x, 0));
  ASSERT_OK(b.system, dem_system_get_field(b.system, DEM_POSITION, DISCS, NULL, y, 0));
  ASSERT_BITS(x, y, sizeof x);
  close_packing(&a);
  close_packing(&b);
}

typedef struct watch {
  dem_system *system;
  int32_t calls, stop_at;
  dem_status tried; /* status of a change from inside */
} watch;

static int32_t watch_step(void *user, const dem_jam_report *r) {
  watch *w = user;
  double fraction = 0;
  w->calls++;
  assert_int_equal(r->steps, w->calls);
  ASSERT_OK(w->system, dem_system_packing_fraction(w->system, &fraction));
  ASSERT_REL(fraction, r->packing_fraction, 1e-15);
  dem_statics measured;
  dem_statics_init(&measured, sizeof measured);
  ASSERT_OK(w->system, dem_system_statics(w->system, NULL, &measured));
  ASSERT_REL(measured.packing_fraction, r->packing_fraction, 1e-12);
  w->tried = dem_system_compress(w->system, 0.5, NULL, NULL, NULL);
  return w->calls == w->stop_at;
}

static void a_search_can_be_stopped(void **state) {
  (void)state;
  packing p;
  dem_minimise_options m;
  dem_jam_report r;
  open_packing(&p, 2, DEM_NORMAL_HOOKE, 0.9, 1);
  watch w = {p.system, 0, 2, DEM_OK};
  dem_jam_options o = options_to(DEM_JAM_PRESSURE, 1e-4);
  o.progress = watch_step;
  o.progress_user = &w;
  r = jam(&p, &o);
  assert_int_equal(r.reason, DEM_JAM_CANCELLED);
  assert_int_equal(w.calls, 2);
  assert_int_equal(w.tried, DEM_BUSY);
  o.progress = NULL;
  o.steps_most = 1;
  r = jam(&p, &o);
  assert_int_equal(r.reason, DEM_JAM_STEPS);
  assert_int_equal(r.steps, 1);
  o.steps_most = 10;
  dem_minimise_options_init(&m, sizeof m);
  m.iterations_most = 2;
  m.gradient_relative = 1e-15;
  dem_jam_report_init(&r, sizeof r);
  ASSERT_OK(p.system, dem_system_compress(p.system, 0.95, NULL, &m, NULL));
  ASSERT_OK(p.system, dem_system_jam(p.system, &o, &m, &r));
  assert_int_equal(r.reason, DEM_JAM_NOT_RELAXED);
  assert_int_equal(r.minimise_reason, DEM_MINIMISE_STOPPED_ITERATIONS);
  close_packing(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(discs_jam_at_the_known_fraction_and_isostatic),
      cmocka_unit_test(spheres_come_to_their_jamming_point),
      cmocka_unit_test(loose_packings_are_compressed),
      cmocka_unit_test(compression_meets_its_packing_fraction),
      cmocka_unit_test(rattlers_carry_nothing),
      cmocka_unit_test(steps_that_lose_the_network_are_taken_back),
      cmocka_unit_test(the_bits_do_not_depend_on_threads),
      cmocka_unit_test(a_search_can_be_stopped),
  };
  return cmocka_run_group_tests_name("jam", tests, NULL, NULL);
}
