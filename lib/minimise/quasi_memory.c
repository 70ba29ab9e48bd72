/* Limited memory: the direction d = -H g of L-BFGS from products alone.
 *
 * With pairs s_i, y_i (i = 1, the oldest, to m), rho_i = 1/(s_i.y_i) and gamma = s_m.y_m/y_m.y_m, the two loops of
 * J. Nocedal, Mathematics of Computation 35 (1980) 773-782 are
 *
 *   q = g;        i = m ... 1:  alpha_i = rho_i s_i.q,            q = q - alpha_i y_i
 *   r = gamma q;  i = 1 ... m:  beta_i = rho_i y_i.r,             r = r + (alpha_i - beta_i) s_i;     d = -r
 *
 * All vectors in it are sums of g, s_i and y_i, so that their factors follow from the products s_i.g, y_i.g, s_i.y_j, y_i.y_j (as in
 * W. Chen, Z. Wang, J. Zhou, Advances in Neural Information Processing Systems 27 (2014) 1332-1340). An iteration passes over the
 * arrays twice, whatever m: once for x + d, once for all products with the new gradient. */
#include "quasi_memory.h"

#include <math.h>
#include <string.h>

#include "cpu.h"
#include "parallel.h"

enum { BLOCKS_PER_THREAD = 2, LANES = 16, SUMS = 72 };

/* ---- memory ---- */

/* A block has its part of all arrays side by side. */
static int64_t block_length(const demi_quasi_memory *q) { return (int64_t)DEMI_VECTOR_BLOCK * 2 * (q->memory + 1); }
static int64_t step_place(int32_t slot) { return (int64_t)DEMI_VECTOR_BLOCK * 2 * slot; }
static int64_t change_place(int32_t slot) { return step_place(slot) + DEMI_VECTOR_BLOCK; }

static size_t pair_bytes(const dem_minimiser *m, const demi_quasi_memory *q) {
  return (size_t)(m->vectors.blocks * block_length(q)) * sizeof(float);
}

static size_t partial_bytes(const dem_minimiser *m) { return (size_t)m->vectors.blocks * SUMS * sizeof(double); }

void demi_quasi_close(dem_minimiser *m, demi_quasi_memory *q) {
  demi_free(m->context, q->pairs, pair_bytes(m, q));
  demi_free(m->context, q->partial, partial_bytes(m));
  q->pairs = NULL;
  q->partial = NULL;
}

dem_status demi_quasi_open(dem_minimiser *m, demi_quasi_memory *q) {
  memset(q, 0, sizeof *q);
  q->memory = m->options.memory;
  for (int32_t k = 0; k <= q->memory; k++) q->slot[k] = k;
  q->pairs = demi_allocate_zero(m->context, pair_bytes(m, q));
  q->partial = demi_allocate_zero(m->context, partial_bytes(m));
  if (q->pairs && q->partial) return DEM_OK;
  demi_quasi_close(m, q);
  return DEM_NO_MEMORY;
}

/* The slot of the tried step. */
static int32_t spare(const demi_quasi_memory *q) { return q->slot[q->kept]; }

/* ---- the direction ---- */

void demi_quasi_find_direction(const demi_quasi_memory *q, double gradient_square, double first_factor,
                               demi_quasi_direction *d) {
  double alpha[DEMI_PAIRS_MOST];
  double *by_step = d->step_factor, *by_change = d->change_factor;
  const double gamma = q->kept > 0 ? demi_quasi_scale(q) : first_factor;
  for (int32_t a = q->kept - 1; a >= 0; a--) {
    const int32_t i = q->slot[a];
    double sum = q->step_slope[i];
    for (int32_t b = a + 1; b < q->kept; b++) sum += by_change[q->slot[b]] * q->step_change[i][q->slot[b]];
    alpha[i] = sum / q->step_change[i][i];
    by_change[i] = -alpha[i];
  }
  for (int32_t a = 0; a < q->kept; a++) {
    const int32_t i = q->slot[a];
    double sum = q->change_slope[i], along = 0;
    for (int32_t b = 0; b < q->kept; b++) {
      const int32_t j = q->slot[b];
      sum += by_change[j] * (b < a ? q->change_change[j][i] : q->change_change[i][j]);
      if (b < a) along += by_step[j] * q->step_change[j][i];
    }
    by_step[i] = alpha[i] - (gamma * sum + along) / q->step_change[i][i];
  }
  d->gradient_factor = -gamma;
  d->slope = -gamma * gradient_square;
  for (int32_t a = 0; a < q->kept; a++) {
    const int32_t i = q->slot[a];
    by_step[i] = -by_step[i];
    by_change[i] *= -gamma;
    d->slope += by_step[i] * q->step_slope[i] + by_change[i] * q->change_slope[i];
  }
}

/* ---- passes over the arrays ---- */

typedef struct pass {
  const dem_minimiser *m;
  const demi_quasi_memory *q;
  demi_quasi_block block; /* the first one */
  int64_t place[2 * DEMI_PAIRS_MOST];
  double factor[2 * DEMI_PAIRS_MOST];
  int32_t tasks;
  void (*kernel)(const demi_quasi_block *block, double *out);
} pass;

static void run_blocks(void *argument, int32_t task) {
  const pass *p = argument;
  const int64_t blocks = p->m->vectors.blocks, numbers = (p->m->n + LANES - 1) / LANES * LANES;
  for (int64_t k = blocks * task / p->tasks; k < blocks * (task + 1) / p->tasks; k++) {
    const int64_t first = k * DEMI_VECTOR_BLOCK;
    demi_quasi_block b = p->block;
    b.count = numbers - first < DEMI_VECTOR_BLOCK ? numbers - first : DEMI_VECTOR_BLOCK;
    b.pairs += k * block_length(p->q);
    b.x += first;
    b.gradient += first;
    b.tried += first;
    b.tried_gradient += first;
    p->kernel(&b, p->q->partial + k * SUMS);
  }
}

static void run(pass *p) {
  const int64_t worth = p->m->vectors.blocks / BLOCKS_PER_THREAD;
  p->tasks = worth < p->m->vectors.threads ? (int32_t)worth : p->m->vectors.threads;
  if (p->tasks < 1) p->tasks = 1;
  p->block.place = p->place;
  p->block.factor = p->factor;
  demi_parallel(p->m->context, p->tasks, run_blocks, p);
}

static double total(const pass *p, int32_t sum) {
  double all = 0;
  for (int64_t k = 0; k < p->m->vectors.blocks; k++) all += p->q->partial[k * SUMS + sum];
  return all;
}

/* `tried` and `tried_gradient` are set by the pass that uses them. */
static void begin(pass *p, const dem_minimiser *m, const demi_quasi_memory *q) {
  demi_quasi_block *b = &p->block;
  p->m = m;
  p->q = q;
  b->kept = 2 * q->kept;
  b->pairs = q->pairs;
  b->step = step_place(spare(q));
  b->change = change_place(spare(q));
  b->step_scale = q->step_scale[spare(q)];
  b->change_scale = q->change_scale[spare(q)];
  b->x = b->tried = m->x;
  b->gradient = b->tried_gradient = m->gradient;
  for (int32_t a = 0; a < q->kept; a++) {
    p->place[2 * a] = step_place(q->slot[a]);
    p->place[2 * a + 1] = change_place(q->slot[a]);
  }
}

/* A power of 2 that brings numbers of this size near 1, so that none is too large or too small for single precision. */
static double scale_for(double size) {
  int exponent = 0;
  if (!(size > 0 && isfinite(size))) return 1;
  frexp(size, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

void demi_quasi_step(const dem_minimiser *m, demi_quasi_memory *q, const demi_quasi_direction *d, double factor, double *tried,
                     demi_quasi_trial *t) {
  pass p;
  q->step_scale[spare(q)] = scale_for(factor * fabs(d->slope) / m->norm);
  begin(&p, m, q);
  for (int32_t a = 0; a < q->kept; a++) {
    const int32_t i = q->slot[a];
    p.factor[2 * a] = factor * d->step_factor[i] / q->step_scale[i];
    p.factor[2 * a + 1] = factor * d->change_factor[i] / q->change_scale[i];
  }
  p.block.gradient_factor = factor * d->gradient_factor;
  p.block.tried = tried;
  p.kernel = DEMI_SELECT(m->context, demi_quasi_step);
  run(&p);
  t->square = total(&p, 0);
  t->largest = 0;
  for (int64_t k = 0; k < m->vectors.blocks; k++) t->largest = fmax(t->largest, q->partial[k * SUMS + 1]);
}

void demi_quasi_note(const dem_minimiser *m, demi_quasi_memory *q, const double *tried_gradient, demi_quasi_trial *t) {
  pass p;
  const int32_t slot = spare(q);
  q->change_scale[slot] = scale_for(m->norm);
  begin(&p, m, q);
  p.block.tried_gradient = tried_gradient;
  p.kernel = DEMI_SELECT(m->context, demi_quasi_note);
  run(&p);
  t->step_slope[slot] = total(&p, 0) / q->step_scale[slot];
  t->step_change[slot] = total(&p, 1) / q->step_scale[slot];
  t->change_slope[slot] = total(&p, 2);
  t->change_change[slot] = total(&p, 3);
  t->gradient_square = total(&p, 4);
  for (int32_t a = 0; a < q->kept; a++) {
    const int32_t i = q->slot[a];
    t->step_change[i] = total(&p, DEMI_QUASI_OWN_SUMS + 2 * a) / q->step_scale[i];
    t->change_change[i] = total(&p, DEMI_QUASI_OWN_SUMS + 2 * a + 1) / q->change_scale[i];
    t->step_slope[i] = q->step_slope[i] + t->step_change[i];
    t->change_slope[i] = q->change_slope[i] + t->change_change[i];
  }
}

/* ---- keeping ---- */

/* Below this cosine between s and y the curvature is one of rounding. */
static const double LEAST_COSINE = 1e-10;

void demi_quasi_keep(demi_quasi_memory *q, const demi_quasi_trial *t) {
  const int32_t slot = spare(q);
  for (int32_t a = 0; a <= q->kept; a++) {
    const int32_t i = a < q->kept ? q->slot[a] : slot;
    q->step_slope[i] = t->step_slope[i];
    q->change_slope[i] = t->change_slope[i];
    q->step_change[i][slot] = t->step_change[i];
    q->change_change[i][slot] = t->change_change[i];
  }
  if (!(t->step_change[slot] > LEAST_COSINE * sqrt(t->square * t->change_change[slot]))) return;
  if (q->kept < q->memory) {
    q->kept++;
    return;
  }
  const int32_t oldest = q->slot[0];
  for (int32_t k = 0; k < q->memory; k++) q->slot[k] = q->slot[k + 1];
  q->slot[q->memory] = oldest;
}
