/* The direction of the limited memory against the two loops of Nocedal over the same pairs in double precision, and its bits. */
#include "assertions.h"

#include <stdlib.h>
#include <string.h>

#include "quasi_memory.h"
#include "unit/lattice.h"

enum { NUMBERS = 5003, MEMORY = 5, STEPS = 12 };

/* f = sum of c_i x_i^2/2, curvatures 1 to 1000: gradient c x. */
static void find_gradient(const double *x, double *g) {
  for (int i = 0; i < NUMBERS; i++) g[i] = (1 + 999.0 * i / NUMBERS) * x[i];
}

static double dot(const double *a, const double *b) {
  long double sum = 0;
  for (int i = 0; i < NUMBERS; i++) sum += (long double)a[i] * b[i];
  return (double)sum;
}

/* The latest pairs, newest last. */
typedef struct history {
  int kept;
  double s[MEMORY][NUMBERS], y[MEMORY][NUMBERS];
} history;

static void remember(history *h, const double *x, const double *g, const double *tried, const double *tried_g) {
  if (h->kept == MEMORY) {
    memmove(h->s, h->s + 1, (MEMORY - 1) * sizeof *h->s);
    memmove(h->y, h->y + 1, (MEMORY - 1) * sizeof *h->y);
    h->kept--;
  }
  for (int i = 0; i < NUMBERS; i++) {
    h->s[h->kept][i] = tried[i] - x[i];
    h->y[h->kept][i] = tried_g[i] - g[i];
  }
  h->kept++;
}

static void two_loops(const history *h, const double *g, double first, double *d) {
  double alpha[MEMORY], gamma = first;
  memcpy(d, g, NUMBERS * sizeof *d);
  for (int k = h->kept - 1; k >= 0; k--) {
    alpha[k] = dot(h->s[k], d) / dot(h->s[k], h->y[k]);
    for (int i = 0; i < NUMBERS; i++) d[i] -= alpha[k] * h->y[k][i];
  }
  if (h->kept > 0) gamma = dot(h->s[h->kept - 1], h->y[h->kept - 1]) / dot(h->y[h->kept - 1], h->y[h->kept - 1]);
  for (int i = 0; i < NUMBERS; i++) d[i] *= gamma;
  for (int k = 0; k < h->kept; k++) {
    const double beta = dot(h->y[k], d) / dot(h->s[k], h->y[k]);
    for (int i = 0; i < NUMBERS; i++) d[i] += (alpha[k] - beta) * h->s[k][i];
  }
  for (int i = 0; i < NUMBERS; i++) d[i] = -d[i];
}

typedef struct walk {
  dem_context *context;
  dem_minimiser m;
  demi_quasi_memory q;
  double *tried, *tried_gradient;
} walk;

static int open_walk(walk *w, int32_t instructions, int32_t threads, double size) {
  dem_context_options o;
  uint64_t seed = 7;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&o, sizeof o);
  o.instructions = instructions;
  if (dem_context_create(&o, &w->context) != DEM_OK) return 0;
  w->m.context = w->context;
  w->m.n = NUMBERS;
  w->m.options.memory = MEMORY;
  assert_int_equal(demi_vectors_open(&w->m.vectors, w->context, NUMBERS, threads), DEM_OK);
  w->m.x = demi_vectors_new(&w->m.vectors);
  w->m.gradient = demi_vectors_new(&w->m.vectors);
  w->tried = demi_vectors_new(&w->m.vectors);
  w->tried_gradient = demi_vectors_new(&w->m.vectors);
  assert_int_equal(demi_quasi_open(&w->m, &w->q), DEM_OK);
  for (int i = 0; i < NUMBERS; i++) w->m.x[i] = size * (lattice_random(&seed) - 0.5);
  find_gradient(w->m.x, w->m.gradient);
  w->m.norm = demi_norm(&w->m.vectors, w->m.gradient);
  return 1;
}

static void close_walk(walk *w) {
  demi_quasi_close(&w->m, &w->q);
  demi_vectors_delete(&w->m.vectors, w->m.x);
  demi_vectors_delete(&w->m.vectors, w->m.gradient);
  demi_vectors_delete(&w->m.vectors, w->tried);
  demi_vectors_delete(&w->m.vectors, w->tried_gradient);
  demi_vectors_close(&w->m.vectors);
  dem_context_destroy(w->context);
}

static void swap(double **a, double **b) {
  double *was = *a;
  *a = *b;
  *b = was;
}

/* One step; `h`, if given, follows in double precision, and the directions are compared. */
static void step(walk *w, history *h, double *d, double factor) {
  demi_quasi_direction direction;
  demi_quasi_trial trial;
  demi_quasi_find_direction(&w->q, w->m.norm * w->m.norm, 1e-3, &direction);
  demi_quasi_step(&w->m, &w->q, &direction, factor, w->tried, &trial);
  find_gradient(w->tried, w->tried_gradient);
  demi_quasi_note(&w->m, &w->q, w->tried_gradient, &trial);
  if (h) {
    double difference = 0, square = 0, largest = 0;
    two_loops(h, w->m.gradient, 1e-3, d);
    for (int i = 0; i < NUMBERS; i++) {
      const double made = w->tried[i] - w->m.x[i];
      difference += (made - factor * d[i]) * (made - factor * d[i]);
      square += made * made;
      largest = fmax(largest, fabs(made));
    }
    ASSERT_BELOW(sqrt(difference / square), 1e-5); /* pairs are in single precision */
    ASSERT_REL(trial.square, square, 1e-13);
    ASSERT_REL(trial.largest, largest, 1e-15);
    ASSERT_REL(direction.slope, dot(d, w->m.gradient), 1e-5);
    ASSERT_REL(trial.gradient_square, dot(w->tried_gradient, w->tried_gradient), 1e-13);
    remember(h, w->m.x, w->m.gradient, w->tried, w->tried_gradient);
  }
  demi_quasi_keep(&w->q, &trial);
  w->m.norm = sqrt(trial.gradient_square);
  swap(&w->m.x, &w->tried);
  swap(&w->m.gradient, &w->tried_gradient);
}

/* Of any size of the numbers: single precision would end at 1e-38 and 1e38. */
static void two_loops_agree(void **state) {
  (void)state;
  static const double sizes[] = {1, 1e-40, 1e40};
  history *h = malloc(sizeof *h);
  double *d = malloc(NUMBERS * sizeof *d);
  assert_non_null(h);
  assert_non_null(d);
  for (int k = 0; k < 3; k++) {
    walk w;
    h->kept = 0;
    assert_true(open_walk(&w, DEM_INSTRUCTIONS_AUTO, 1, sizes[k]));
    for (int n = 0; n < STEPS; n++) step(&w, h, d, n % 3 == 2 ? 0.3 : 1);
    assert_int_equal(w.q.kept, MEMORY);
    close_walk(&w);
  }
  free(d);
  free(h);
}

static void same_bits(void **state) {
  (void)state;
  walk first, w;
  assert_true(open_walk(&first, DEM_INSTRUCTIONS_PLAIN, 1, 1));
  for (int n = 0; n < STEPS; n++) step(&first, NULL, NULL, 1);
  for (int32_t set = DEM_INSTRUCTIONS_AUTO; set <= DEM_INSTRUCTIONS_AVX512; set++)
    for (int32_t threads = 1; threads <= 3; threads++) {
      if (!open_walk(&w, set, threads, 1)) continue;
      for (int n = 0; n < STEPS; n++) step(&w, NULL, NULL, 1);
      assert_memory_equal(w.m.x, first.m.x, NUMBERS * sizeof *w.m.x);
      close_walk(&w);
    }
  close_walk(&first);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_loops_agree), cmocka_unit_test(same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
