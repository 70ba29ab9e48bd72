/* Packings that relax: what must hold whatever the packing.
 *
 *   report    energy and forces of the system after the relaxation are those of the report; the books close
 *   bridge    the relaxed system steps at once and stays where it is; relaxed again it is at its minimum already
 *   after     after each load step the host may measure the system, and may not change it
 *   threads   the same bits for 1 to 4 threads, of a minimisation and of a deformation
 *   frames    moved, turned by a right angle and relabelled, a packing has the same energy and the same pressure
 *   dynamics  overdamped dynamics come to the same stress, to 1e-6
 *   modulus   the shear modulus of the linear response K is that of small finite strains, to 1e-4
 *   network   the number of the network, and the sums of forces; the tolerance of forces */
#include "assertions.h"

#include <dem/plugin/objective.h>
#include <stdlib.h>

#include "relaxed.h"
#include "trial.h"

static const double K = 1e4;

/* A disordered packing that is well compressed: 144 discs, or 216 spheres. */
static packing open_crowd(int dimension, int32_t threads, int32_t ledger) {
  const dem_law_options law = packing_spring(K);
  dem_system_options o = packing_options(dimension);
  const int side = dimension == 2 ? 12 : 6;
  const double spacing = dimension == 2 ? 0.68 : 0.66;
  o.threads = threads;
  o.ledger = ledger;
  for (int a = 0; a < dimension; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = spacing * side;
  }
  packing w = packing_open(&o, &law);
  crowd_put(&w, dimension, side, spacing, 4711, 1.0);
  return w;
}

static double largest_of(const packing *w, int32_t field) {
  double *v = field_of(w, field, 3), most = 0;
  for (int64_t k = 0; k < 3 * particle_count(w); k++) most = fmax(most, fabs(v[k]));
  free(v);
  return most;
}

static dem_energy energy_of(const packing *w) {
  dem_energy e;
  assert_int_equal(dem_energy_init(&e, sizeof e), DEM_OK);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

static void test_report(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    packing w = open_crowd(dimension, 1, 1);
    const dem_minimise_report r = relax_to(w.system, NULL, 1e-9);
    const dem_statics s = statics_of(&w, NULL);
    const dem_energy e = energy_of(&w);
    ASSERT_REL(e.potential_normal[0], r.value, 1e-12);
    ASSERT_ABS(largest_of(&w, DEM_FORCE), r.gradient_largest, 1e-11 * s.force_mean);
    ASSERT_ABS(largest_of(&w, DEM_VELOCITY), 0, 0);
    ASSERT_ABS(largest_of(&w, DEM_SPIN), 0, 0);
    ASSERT_BELOW(fabs(e.residual), 1e-12 * e.potential_normal[0]);
    packing_close(&w);
  }
}

static void test_bridge(void **state) {
  (void)state;
  packing w = open_crowd(2, 1, 1);
  const dem_minimise_report first = relax_to(w.system, NULL, 1e-10);
  double *before = field_of(&w, DEM_POSITION, 3);
  ASSERT_OK(w.system, dem_system_step(w.system, 3000));
  double *after = field_of(&w, DEM_POSITION, 3);
  for (int64_t k = 0; k < 3 * particle_count(&w); k++) ASSERT_ABS(after[k], before[k], 1e-8);
  dem_minimise_options m = minimise_options(0);
  m.gradient_absolute = 10 * first.gradient;
  dem_minimise_report again = {.struct_size = (uint32_t)sizeof again};
  ASSERT_OK(w.system, dem_system_minimise(w.system, NULL, &m, &again));
  assert_int_equal(again.reason, DEM_MINIMISE_GRADIENT);
  ASSERT_REL(again.value, first.value, 1e-10);
  ASSERT_BELOW(fabs(energy_of(&w).residual), 1e-12 * first.value);
  free(before);
  free(after);
  packing_close(&w);
}

/* ---- after each load step ---- */

typedef struct seen {
  packing *packing;
  int64_t steps;
  double volume, xx; /* of the latest statics */
} seen;

static int32_t see(void *user, int64_t step, const dem_minimise_report *report) {
  seen *s = user;
  const dem_statics t = statics_of(s->packing, NULL);
  assert_int_equal(step, ++s->steps);
  assert_true(report->reason > 0);
  s->volume = t.volume;
  s->xx = t.stress[0];
  assert_int_equal(dem_system_step(s->packing->system, 1), DEM_BUSY);
  assert_int_equal(dem_system_minimise(s->packing->system, NULL, NULL, NULL), DEM_BUSY);
  return step == 2;
}

static void test_after_step(void **state) {
  (void)state;
  packing w = open_crowd(2, 1, 0);
  seen s = {.packing = &w};
  relax_to(w.system, NULL, 1e-6);
  const dem_minimise_options m = minimise_options(1e-6);
  const double volume = statics_of(&w, NULL).volume;
  dem_deformation d;
  dem_deformation_init(&d, sizeof d);
  d.steps = 4;
  d.strain[DEM_BOX_XX] = -0.01;
  d.after_step = see;
  d.user = &s;
  assert_int_equal(dem_system_deform(w.system, &d, NULL, &m, NULL), DEM_CANCELLED);
  assert_int_equal(s.steps, 2);
  ASSERT_REL(s.volume, exp(-0.005) * volume, 1e-13);
  ASSERT_REL(statics_of(&w, NULL).stress[0], s.xx, 1e-15);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  packing_close(&w);
}

/* ---- threads ---- */

static double *deformed_positions(int32_t threads) {
  packing w = open_crowd(2, threads, 0);
  relax_to(w.system, NULL, 1e-6);
  const dem_minimise_options m = minimise_options(1e-6);
  dem_deformation d;
  dem_deformation_init(&d, sizeof d);
  d.steps = 3;
  d.strain[DEM_BOX_XY] = 0.01;
  dem_relax_options o = relax_options();
  ASSERT_OK(w.system, dem_system_deform(w.system, &d, NULL, &m, NULL));
  o.box_free[DEM_BOX_XX] = 1;
  o.stress[DEM_BOX_XX] = 0.2 * K;
  relax_to(w.system, &o, 1e-6);
  double *positions = field_of(&w, DEM_POSITION, 3);
  packing_close(&w);
  return positions;
}

static void test_threads(void **state) {
  (void)state;
  double *one = deformed_positions(1);
  for (int32_t threads = 2; threads <= 4; threads++) {
    double *several = deformed_positions(threads);
    ASSERT_BITS(one, several, 3 * 144 * sizeof *one);
    free(several);
  }
  free(one);
}

/* ---- frames ---- */

/* The packing of open_crowd, with x and y exchanged, moved, in the opposite order. */
static packing open_changed(int turned, double moved, int reversed) {
  packing w = open_crowd(2, 1, 0);
  const int64_t count = particle_count(&w);
  double *x = field_of(&w, DEM_POSITION, 3), *radius = field_of(&w, DEM_RADIUS, 1);
  dem_id *ids = malloc((size_t)count * sizeof *ids);
  rows r;
  ASSERT_OK(w.system, dem_system_ids(w.system, count, ids));
  assert_int_equal(rows_create(&r, count), 0);
  for (int64_t k = 0; k < count; k++)
    rows_put(&r, x[3 * k + (turned ? 1 : 0)] + moved, x[3 * k + (turned ? 0 : 1)] - 0.5 * moved, 0, radius[k]);
  if (reversed) rows_reverse(&r);
  ASSERT_OK(w.system, dem_system_remove_particles(w.system, count, ids));
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  free(x);
  free(radius);
  free(ids);
  return w;
}

static void test_frames(void **state) {
  (void)state;
  packing w = open_crowd(2, 1, 0);
  const dem_minimise_report r = relax_to(w.system, NULL, 1e-10);
  const double pressure = statics_of(&w, NULL).pressure;
  packing_close(&w);
  for (int k = 0; k < 3; k++) {
    packing other = open_changed(k == 0, k == 1 ? 1.7 : 0, k == 2);
    const dem_minimise_report same = relax_to(other.system, NULL, 1e-10);
    ASSERT_REL(same.value_first, r.value_first, 1e-12);
    ASSERT_REL(same.gradient_first, r.gradient_first, 1e-12);
    ASSERT_REL(same.value, r.value, 1e-9);
    ASSERT_REL(statics_of(&other, NULL).pressure, pressure, 1e-8);
    packing_close(&other);
  }
}

/* ---- dynamics ---- */

/* From a relaxed packing that is sheared by 1e-4: the minimum, and where a heavy drag leads to. */
static void test_dynamics(void **state) {
  (void)state;
  dem_statics end[2];
  for (int dynamic = 0; dynamic < 2; dynamic++) {
    packing w = open_crowd(2, 1, 0);
    relax_to(w.system, NULL, 1e-12);
    dem_box box;
    dem_box_init(&box, sizeof box);
    ASSERT_OK(w.system, dem_system_get_box(w.system, &box));
    box.tilt[0] = 1e-4 * (box.high[1] - box.low[1]);
    ASSERT_OK(w.system, dem_system_set_box(w.system, &box, 1));
    if (dynamic) {
      double *rate = calloc(144, sizeof *rate);
      for (int k = 0; k < 144; k++) rate[k] = 40;
      ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_DRAG_RATE, 144, NULL, rate, 0));
      ASSERT_OK(w.system, dem_system_set_dt(w.system, 2e-3));
      ASSERT_OK(w.system, dem_system_step(w.system, 20000));
      free(rate);
    } else {
      relax_to(w.system, NULL, 1e-10);
    }
    end[dynamic] = statics_of(&w, NULL);
    packing_close(&w);
  }
  ASSERT_ABS(end[0].stress[1], end[1].stress[1], 1e-6 * fabs(end[0].stress[1]));
  ASSERT_TENSOR(end[0].stress, end[1].stress, 1e-9);
}

/* ---- modulus ---- */

typedef struct response {
  dem_trial *trial;
  int64_t n, box;        /* unknowns; the first of the strain */
  double *u, *r, *p, *q; /* the response, what is left, direction, product */
} response;

static double product_of(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* K u = -K e for the displacements, by conjugate gradients. */
static void respond(response *c, dem_system *system) {
  const int64_t free_ones = c->box;
  double square = product_of(c->r, c->r, free_ones);
  const double enough = 1e-22 * square;
  memcpy(c->p, c->r, (size_t)c->n * sizeof *c->p);
  for (int k = 0; k < 5000 && square > enough; k++) {
    for (int64_t j = free_ones; j < c->n; j++) c->p[j] = 0;
    ASSERT_OK(system, dem_trial_apply(c->trial, c->p, c->q));
    const double a = square / product_of(c->p, c->q, free_ones), old = square;
    for (int64_t j = 0; j < free_ones; j++) c->u[j] += a * c->p[j], c->r[j] -= a * c->q[j];
    square = product_of(c->r, c->r, free_ones);
    for (int64_t j = 0; j < free_ones; j++) c->p[j] = c->r[j] + square / old * c->p[j];
  }
  assert_true(square <= enough);
}

/* G = 1/V (e.K e + e.K u), e the unit shear of the box and u the response of the particles to it. */
static double modulus_of(const packing *w) {
  dem_trial_options o;
  dem_trial_rows rows_of;
  response c;
  dem_trial_options_init(&o, sizeof o);
  dem_trial_rows_init(&rows_of, sizeof rows_of);
  o.rotations = 0;
  o.box = 1;
  ASSERT_OK(w->system, dem_trial_open(w->system, &o, &c.trial));
  ASSERT_OK(w->system, dem_trial_get_rows(c.trial, &rows_of));
  c.n = rows_of.unknowns;
  c.box = c.n - rows_of.box_width;
  double *room = calloc((size_t)(4 * c.n), sizeof *room);
  c.u = room, c.r = room + c.n, c.p = room + 2 * c.n, c.q = room + 3 * c.n;
  ASSERT_OK(w->system, dem_trial_evaluate(c.trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, c.q));
  c.p[c.box + 2] = 1;
  ASSERT_OK(w->system, dem_trial_apply(c.trial, c.p, c.q));
  const double affine = c.q[c.box + 2];
  for (int64_t k = 0; k < c.box; k++) c.r[k] = -c.q[k];
  respond(&c, w->system);
  memset(c.u + c.box, 0, (size_t)(c.n - c.box) * sizeof *c.u);
  ASSERT_OK(w->system, dem_trial_apply(c.trial, c.u, c.q));
  const double modulus = (affine + c.q[c.box + 2]) / rows_of.volume;
  ASSERT_OK(w->system, dem_trial_close(c.trial));
  free(room);
  return modulus;
}

static double stress_at(double strain) {
  packing w = open_crowd(2, 1, 0);
  dem_relax_options o = relax_options();
  relax_to(w.system, NULL, 1e-12);
  o.strain[DEM_BOX_XY] = strain;
  relax_to(w.system, &o, 1e-7);
  const double stress = statics_of(&w, NULL).stress[1];
  packing_close(&w);
  return stress;
}

static void test_modulus(void **state) {
  (void)state;
  packing w = open_crowd(2, 1, 0);
  relax_to(w.system, NULL, 1e-12);
  const double linear = modulus_of(&w), step = 1e-5;
  packing_close(&w);
  ASSERT_REL((stress_at(-step) - stress_at(step)) / (2 * step), linear, 1e-4);
}

/* ---- network ---- */

/* Of the trial at displacements u. */
static demi_trial_network network_at(dem_trial *trial, const double *u, int32_t ask) {
  double *gradient = calloc(2 * 144, sizeof *gradient), energy;
  demi_trial_network n;
  ASSERT_OK(trial->system, dem_trial_evaluate(trial, u, ask, &energy, gradient));
  assert_int_equal(demi_trial_find_loads(trial), DEM_OK);
  demi_trial_measure(trial, &n);
  free(gradient);
  return n;
}

/* The number of a network does not depend on threads, on lists or on the way it was evaluated; it changes when a disc moves away. */
static void test_network(void **state) {
  (void)state;
  uint64_t first = 0;
  for (int32_t threads = 1; threads <= 4; threads++) {
    packing w = open_crowd(2, threads, 0);
    dem_trial_options o;
    dem_trial *trial;
    double u[2 * 144] = {0};
    dem_trial_options_init(&o, sizeof o);
    o.rotations = 0;
    const dem_statics s = statics_of(&w, NULL);
    ASSERT_OK(w.system, dem_trial_open(w.system, &o, &trial));
    const demi_trial_network lean = network_at(trial, NULL, DEM_TRIAL_FORCE);
    const demi_trial_network general = network_at(trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT);
    assert_int_equal(lean.contacts, (int64_t)s.contacts);
    ASSERT_REL(lean.force, s.contacts * s.force_mean, 1e-12);
    ASSERT_REL(lean.virial, 2 * s.volume * s.pressure, 1e-12);
    assert_true(lean.pairs == general.pairs);
    for (int k = 0; k < 2 * 144; k++) u[k] = k % 2 ? 3.0 : 0.2 * (k % 7);
    assert_true(network_at(trial, u, DEM_TRIAL_FORCE).pairs != lean.pairs);
    for (int k = 0; k < 2 * 144; k++) u[k] = k % 2 ? 3.0 : 1.0;
    assert_true(network_at(trial, u, DEM_TRIAL_FORCE).pairs == lean.pairs);
    u[40] += 1.5;
    assert_true(network_at(trial, u, DEM_TRIAL_FORCE).pairs != lean.pairs);
    if (threads == 1) first = lean.pairs;
    assert_true(lean.pairs == first);
    ASSERT_OK(w.system, dem_trial_close(trial));
    packing_close(&w);
  }
}

/* The tolerance of forces is that of the forces of the system. */
static void test_force_tolerance(void **state) {
  (void)state;
  dem_minimise_options m = minimise_options(0);
  m.force_relative = 1e-9;
  packing w = open_crowd(2, 1, 0);
  dem_minimise_report r = {.struct_size = (uint32_t)sizeof r};
  ASSERT_OK(w.system, dem_system_minimise(w.system, NULL, &m, &r));
  assert_int_equal(r.reason, DEM_MINIMISE_FORCE);
  const dem_statics s = statics_of(&w, NULL);
  double *f = field_of(&w, DEM_FORCE, 3), most = 0;
  for (int64_t k = 0; k < particle_count(&w); k++) most = fmax(most, hypot(f[3 * k], f[3 * k + 1]));
  ASSERT_BELOW(most, 1e-9 * s.force_mean);
  ASSERT_ABS(r.force_relative, most / s.force_mean, 1e-12);
  free(f);
  packing_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_report),  cmocka_unit_test(test_bridge),  cmocka_unit_test(test_after_step),
      cmocka_unit_test(test_threads), cmocka_unit_test(test_frames),  cmocka_unit_test(test_dynamics),
      cmocka_unit_test(test_modulus), cmocka_unit_test(test_network), cmocka_unit_test(test_force_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
