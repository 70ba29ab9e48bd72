#include "long_vectors.h"

#include <math.h>
#include <string.h>

#include "context.h"
#include "parallel.h"
#include "vector_kernels.h"

/* Fewer blocks than this for each thread take longer to hand out than to work off. */
enum { BLOCKS_PER_THREAD = 16, LANES = 16 };

dem_status demi_vectors_open(demi_vectors *v, dem_context *context, int64_t n, int32_t threads) {
  memset(v, 0, sizeof *v);
  v->context = context;
  v->n = n;
  v->blocks = (n + DEMI_VECTOR_BLOCK - 1) / DEMI_VECTOR_BLOCK;
  v->threads = threads;
  v->partial = demi_allocate(context, (size_t)v->blocks * DEMI_DOTS_MOST * sizeof *v->partial);
  return v->partial ? DEM_OK : DEM_NO_MEMORY;
}

void demi_vectors_close(demi_vectors *v) {
  if (v->partial) demi_free(v->context, v->partial, (size_t)v->blocks * DEMI_DOTS_MOST * sizeof *v->partial);
  v->partial = NULL;
}

static size_t array_bytes(const demi_vectors *v) { return (size_t)((v->n + LANES - 1) / LANES * LANES) * sizeof(double); }

double *demi_vectors_new(const demi_vectors *v) { return demi_allocate_zero(v->context, array_bytes(v)); }

void demi_vectors_delete(const demi_vectors *v, double *array) { demi_free(v->context, array, array_bytes(v)); }

/* One operation, handed out as runs of whole blocks. */
typedef struct job {
  const demi_vectors *v;
  int32_t tasks;
  int32_t count;
  const double *const *a, *const *b;
  double s, t;
  double *out;
} job;

static int64_t first_block(const job *j, int32_t task) { return j->v->blocks * task / j->tasks; }

static int64_t first_entry(const job *j, int32_t task) {
  return task == j->tasks ? j->v->n : first_block(j, task) * DEMI_VECTOR_BLOCK;
}

/* Of the block that begins there. */
static int64_t entries_from(const demi_vectors *v, int64_t at) {
  return v->n - at < DEMI_VECTOR_BLOCK ? v->n - at : DEMI_VECTOR_BLOCK;
}

static void run(job *j, dem_task_fn task) {
  const int64_t worth = j->v->blocks / BLOCKS_PER_THREAD;
  j->tasks = worth < j->v->threads ? (int32_t)worth : j->v->threads;
  if (j->tasks < 1) j->tasks = 1;
  demi_parallel(j->v->context, j->tasks, task, j);
}

static void dots_task(void *argument, int32_t task) {
  const job *j = argument;
  const demi_vectors *v = j->v;
  demi_dot_fn *dot = DEMI_SELECT(v->context, demi_dot_block);
  for (int64_t block = first_block(j, task); block < first_block(j, task + 1); block++) {
    const int64_t at = block * DEMI_VECTOR_BLOCK, entries = entries_from(v, at);
    for (int32_t k = 0; k < j->count; k++) v->partial[k * v->blocks + block] = dot(j->a[k] + at, j->b[k] + at, entries);
  }
}

void demi_dots(const demi_vectors *v, int32_t count, const double *const *a, const double *const *b, double *products) {
  job j = {.v = v, .count = count, .a = a, .b = b};
  run(&j, dots_task);
  for (int32_t k = 0; k < count; k++) {
    double sum = 0;
    for (int64_t block = 0; block < v->blocks; block++) sum += v->partial[k * v->blocks + block];
    products[k] = sum;
  }
}

double demi_dot(const demi_vectors *v, const double *a, const double *b) {
  double product;
  demi_dots(v, 1, &a, &b, &product);
  return product;
}

double demi_norm(const demi_vectors *v, const double *a) { return sqrt(demi_dot(v, a, a)); }

static void combine_task(void *argument, int32_t task) {
  const job *j = argument;
  const int64_t at = first_entry(j, task), n = first_entry(j, task + 1) - at;
  DEMI_SELECT(j->v->context, demi_combine_run)(j->s, *j->a + at, j->t, *j->b + at, j->out + at, n);
}

void demi_combine(const demi_vectors *v, double s, const double *a, double t, const double *b, double *out) {
  job j = {.v = v, .a = &a, .b = &b, .s = s, .t = t, .out = out};
  run(&j, combine_task);
}

void demi_axpy(const demi_vectors *v, double s, const double *a, double *y) { demi_combine(v, s, a, 1.0, y, y); }

void demi_copy(const demi_vectors *v, const double *a, double *out) { memcpy(out, a, (size_t)v->n * sizeof *a); }

static void largest_task(void *argument, int32_t task) {
  const job *j = argument;
  const demi_vectors *v = j->v;
  for (int64_t block = first_block(j, task); block < first_block(j, task + 1); block++) {
    const int64_t at = block * DEMI_VECTOR_BLOCK;
    v->partial[block] = DEMI_SELECT(v->context, demi_largest_block)(*j->a + at, entries_from(v, at));
  }
}

double demi_largest(const demi_vectors *v, const double *a) {
  job j = {.v = v, .a = &a};
  double largest = 0;
  run(&j, largest_task);
  for (int64_t block = 0; block < v->blocks; block++)
    if (isnan(v->partial[block]) || isgreater(v->partial[block], largest)) largest = v->partial[block];
  return largest;
}
