#include "conformance/minimise_functions.h"

#include <math.h>
#include <string.h>

static dem_objective_table table_of(const char *name, int64_t unknowns) {
  dem_objective_table t;
  dem_objective_table_init(&t, sizeof t);
  t.contract = DEM_OBJECTIVE_CONTRACT;
  t.name = name;
  t.unknowns = unknowns;
  return t;
}

/* ---- bowl ---- */

static double lambda(const bowl *b, int64_t i) { return pow(b->condition, (double)i / (double)(b->n - 1)); }

static dem_status bowl_evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  const bowl *b = user;
  double sum = 0, stiffness = 1;
  const double ratio = pow(b->condition, 1.0 / (double)(b->n - 1));
  (void)ask;
  for (int64_t i = 0; i < b->n; i++, stiffness *= ratio) {
    sum += (0.5 * stiffness * x[i] - 1) * x[i];
    if (gradient) gradient[i] = stiffness * x[i] - 1;
  }
  if (value) *value = sum;
  return DEM_OK;
}

static dem_status bowl_apply(void *user, const double *p, double *product) {
  const bowl *b = user;
  double stiffness = 1;
  const double ratio = pow(b->condition, 1.0 / (double)(b->n - 1));
  for (int64_t i = 0; i < b->n; i++, stiffness *= ratio) product[i] = stiffness * p[i];
  return DEM_OK;
}

dem_objective_table bowl_table(const bowl *b) {
  dem_objective_table t = table_of("bowl", b->n);
  t.evaluate = bowl_evaluate;
  t.apply = bowl_apply;
  return t;
}

double bowl_minimum(const bowl *b) {
  double sum = 0;
  for (int64_t i = 0; i < b->n; i++) sum -= 0.5 / lambda(b, i);
  return sum;
}

/* ---- chain ---- */

static dem_status chain_evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  chain *c = user;
  double sum = c->offset;
  if (++c->evaluations == c->fail_at) return c->failure;
  if (c->inner) c->inner_answer = dem_minimiser_iterate(c->inner, 1);
  for (int64_t i = 0; i < c->n; i++) {
    const double push = cos((double)(i % 1024)), cube = x[i] * x[i] * x[i], left = i > 0 ? x[i] - x[i - 1] : 0;
    sum += 0.5 * left * left + (0.25 * cube - push) * x[i];
    if (gradient) gradient[i] = cube - push + left - (i + 1 < c->n ? x[i + 1] - x[i] : 0);
    if (gradient && c->wrong) gradient[i] = -gradient[i];
  }
  if (value) *value = sum;
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(c->at, x, (size_t)c->n * sizeof *x);
  return DEM_OK;
}

static dem_status chain_apply(void *user, const double *p, double *product) {
  const chain *c = user;
  for (int64_t i = 0; i < c->n; i++) {
    const double left = i > 0 ? p[i] - p[i - 1] : 0;
    product[i] = 3 * c->at[i] * c->at[i] * p[i] + left - (i + 1 < c->n ? p[i + 1] - p[i] : 0);
  }
  return DEM_OK;
}

/* Springs as blocks of one unknown each; the quartic part of unknown i rides on the spring to its left (of unknown 0: on the first). */
static dem_status chain_blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  const chain *c = user;
  for (int64_t i = 0; i + 1 < c->n; i++) {
    dem_trial_block b;
    memset(&b, 0, sizeof b);
    b.i = i;
    b.j = i + 1;
    b.width_i = b.width_j = 1;
    b.ii[0] = 1 + (i == 0 ? 3 * c->at[0] * c->at[0] : 0);
    b.jj[0] = 1 + 3 * c->at[i + 1] * c->at[i + 1];
    b.ij[0] = b.ji[0] = -1;
    if (visit(visitor, 1, &b)) return DEM_CANCELLED;
  }
  return DEM_OK;
}

static dem_status chain_measure(void *user, const double *x, const double *gradient, dem_objective_measure *measure) {
  const chain *c = user;
  (void)x;
  measure->network = 7;
  measure->force_mean = 1;
  for (int64_t i = 0; i < c->n; i++) measure->force_largest = fmax(measure->force_largest, fabs(gradient[i]));
  return DEM_OK;
}

static void chain_destroy(void *user) { ((chain *)user)->destroyed++; }

dem_objective_table chain_table(const chain *c) {
  dem_objective_table t = table_of("chain", c->n);
  t.evaluate = chain_evaluate;
  t.apply = chain_apply;
  t.blocks = chain_blocks;
  t.measure = chain_measure;
  t.destroy = chain_destroy;
  return t;
}

/* ---- ring ---- */

/* From i to j the shorter way round. */
static double apart(const ring *r, double from, double to) { return remainder(to - from, r->length); }

static dem_status ring_evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  ring *r = user;
  double sum = 0;
  if (gradient) memset(gradient, 0, (size_t)r->n * sizeof *gradient);
  for (int64_t i = 0; i < r->n; i++)
    for (int64_t j = 0; j < i; j++) {
      const double d = apart(r, x[j], x[i]), overlap = 1 - fabs(d);
      if (overlap <= 0) continue;
      sum += 0.5 * overlap * overlap;
      if (gradient) gradient[i] -= copysign(overlap, d);
      if (gradient) gradient[j] += copysign(overlap, d);
    }
  if (value) *value = sum;
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(r->at, x, (size_t)r->n * sizeof *x);
  return DEM_OK;
}

static dem_status ring_apply(void *user, const double *p, double *product) {
  const ring *r = user;
  memset(product, 0, (size_t)r->n * sizeof *product);
  for (int64_t i = 0; i < r->n; i++)
    for (int64_t j = 0; j < i; j++) {
      if (fabs(apart(r, r->at[j], r->at[i])) >= 1) continue;
      product[i] += p[i] - p[j];
      product[j] += p[j] - p[i];
    }
  return DEM_OK;
}

dem_objective_table ring_table(const ring *r) {
  dem_objective_table t = table_of("ring", r->n);
  t.longest_step = 0.2;
  t.evaluate = ring_evaluate;
  t.apply = ring_apply;
  return t;
}

/* Gaps of 0.1 to 1.9 times the mean, in no order. */
void ring_start(const ring *r, double *x) {
  double at = 0, sum = 0;
  for (int64_t i = 0; i < r->n; i++) sum += 0.1 + 1.8 * (double)(i * 37 % 64) / 64;
  for (int64_t i = 0; i < r->n; i++) {
    x[i] = at;
    at += r->length * (0.1 + 1.8 * (double)(i * 37 % 64) / 64) / sum;
  }
}

double ring_minimum(const ring *r) {
  const double gap = fmax(0, 1 - r->length / (double)r->n);
  return 0.5 * (double)r->n * gap * gap;
}

/* ---- barrier ---- */

static dem_status barrier_evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  barrier *b = user;
  double sum = 0;
  int outside = 0;
  for (int i = 0; i < 4; i++) {
    outside |= x[i] <= 0;
    sum += x[i] - (i + 1) * log(fmax(x[i], 1e-300));
    if (gradient) gradient[i] = 1 - (i + 1) / x[i];
  }
  b->refused += outside;
  if (outside && b->outside == 0) return DEM_BAD_ARGUMENT;
  if (value) *value = outside && b->outside == 1 ? NAN : sum;
  if (outside && gradient && b->outside == 2) gradient[2] = NAN;
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(b->at, x, sizeof b->at);
  return DEM_OK;
}

static dem_status barrier_apply(void *user, const double *p, double *product) {
  const barrier *b = user;
  for (int i = 0; i < 4; i++) product[i] = (i + 1) * p[i] / (b->at[i] * b->at[i]);
  return DEM_OK;
}

dem_objective_table barrier_table(void) {
  dem_objective_table t = table_of("barrier", 4);
  t.evaluate = barrier_evaluate;
  t.apply = barrier_apply;
  return t;
}

double barrier_minimum(void) {
  double sum = 0;
  for (int i = 1; i <= 4; i++) sum += i - i * log(i);
  return sum;
}

/* ---- saddle ---- */

static dem_status saddle_evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  saddle *s = user;
  const double y2 = x[1] * x[1];
  if (value) *value = 0.5 * (x[0] * x[0] - y2) + 0.25 * s->bound * y2 * y2;
  if (gradient) gradient[0] = x[0];
  if (gradient) gradient[1] = x[1] * (s->bound * y2 - 1);
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(s->at, x, sizeof s->at);
  return DEM_OK;
}

static dem_status saddle_apply(void *user, const double *p, double *product) {
  const saddle *s = user;
  product[0] = p[0];
  product[1] = p[1] * (3 * s->bound * s->at[1] * s->at[1] - 1);
  return DEM_OK;
}

dem_objective_table saddle_table(void) {
  dem_objective_table t = table_of("saddle", 2);
  t.evaluate = saddle_evaluate;
  t.apply = saddle_apply;
  return t;
}
