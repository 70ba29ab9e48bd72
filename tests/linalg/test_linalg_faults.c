/* What libdem-linalg refuses, and memory that is short.
 *
 * Every allocation of a call fails in turn, once and from then on. The answer is DEM_NO_MEMORY, the arrays of the caller are as they were,
 * nothing leaks, and the same call with memory gives the bits of a call that never lacked it. (What CHOLMOD and OpenBLAS allocate for
 * themselves does not go through the allocator of the host.) */
#include "assertions.h"

#include <locale.h>
#include <stdlib.h>

#include "preconditioner.h"
#include "solids.h"

/* ---- an allocator that fails when asked to ---- */

typedef struct failing {
  int64_t calls, fail_at, bytes; /* allocations so far; which one fails, 0 = none; in use */
  int sticky;                    /* 1: and all after it */
} failing;

static void *hook(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  failing *f = user;
  void *fresh = NULL;
  if (new_size > 0) {
    f->calls++;
    if (f->fail_at && (f->calls == f->fail_at || (f->sticky && f->calls > f->fail_at))) return NULL;
    fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
    assert_non_null(fresh);
    memset(fresh, 0xA5, new_size);
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  free(pointer);
  f->bytes += (int64_t)new_size - (int64_t)old_size;
  return fresh;
}

static dem_linalg *open_failing(failing *f) {
  dem_linalg *l;
  dem_linalg_options o;
  memset(f, 0, sizeof *f);
  dem_linalg_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = f;
  f->fail_at = 1;
  assert_int_equal(dem_linalg_create(&o, &l), DEM_NO_MEMORY);
  assert_null(l);
  f->fail_at = f->calls = 0;
  assert_int_equal(dem_linalg_create(&o, &l), DEM_OK);
  return l;
}

enum { RESULTS = 400 };
typedef dem_status call_fn(dem_linalg *l, const solid *s, double *results);

static void fail_each(const solid *s, call_fn *call) {
  failing f;
  double expected[RESULTS], results[RESULTS];
  dem_linalg *l = open_failing(&f);
  memset(expected, 0, sizeof expected);
  const int64_t bytes = f.bytes;
  f.calls = 0;
  assert_int_equal(call(l, s, expected), DEM_OK);
  const int64_t calls = f.calls;
  assert_true(calls >= 3);
  for (int sticky = 0; sticky < 2; sticky++)
    for (int64_t at = 1; at <= calls; at++) {
      memset(results, 0, sizeof results);
      f.calls = 0;
      f.fail_at = at;
      f.sticky = sticky;
      assert_int_equal(call(l, s, results), DEM_NO_MEMORY);
      assert_non_null(strstr(dem_linalg_message(l), "memory"));
      assert_int_equal(f.bytes, bytes);
      for (int k = 0; k < RESULTS; k++) assert_true(results[k] == 0);
      f.fail_at = 0;
      assert_int_equal(call(l, s, results), DEM_OK);
      ASSERT_BITS(results, expected, sizeof results);
    }
  assert_int_equal(dem_linalg_destroy(l), DEM_OK);
  assert_int_equal(f.bytes, 0);
}

static dem_status call_dense(dem_linalg *l, const solid *s, double *results) {
  return dem_linalg_find_modes(l, s->trial, NULL, RESULTS, results, NULL, NULL, NULL);
}

static dem_status call_lanczos(dem_linalg *l, const solid *s, double *results) {
  dem_linalg_modes_options o;
  dem_linalg_modes_options_init(&o, sizeof o);
  o.method = DEM_LINALG_LANCZOS;
  o.count = 3;
  return dem_linalg_find_modes(l, s->trial, &o, RESULTS, results, NULL, NULL, NULL);
}

static dem_status call_moduli(dem_linalg *l, const solid *s, double *results) {
  dem_linalg_moduli m;
  dem_linalg_moduli_init(&m, sizeof m);
  const dem_status status = dem_linalg_find_moduli(l, s->trial, &m);
  results[0] = m.bulk;
  results[1] = m.shear;
  return status;
}

static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  return dem_trial_blocks(user, sizeof(dem_trial_block), visit, visitor);
}

static dem_status call_cholesky(dem_linalg *l, const solid *s, double *results) {
  dem_preconditioner *p;
  const dem_matrix_source source = {
      .struct_size = sizeof source, .unknowns = s->rows.unknowns, .blocks = blocks, .blocks_user = s->trial};
  ASSERT_OK(s->w.system, dem_trial_evaluate(s->trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, s->gradient));
  dem_status status = dem_linalg_cholesky(l, s->w.context, NULL, &p);
  if (status) return status;
  status = p->table.update(p->user, &source);
  for (int64_t u = 0; u < s->rows.unknowns; u++) s->u[u] = 1 + (double)u;
  if (!status) status = p->table.apply(p->user, s->u, results);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  return status;
}

static void memory_of_modes(void **state) {
  (void)state;
  solid s;
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, 0.02, 0);
  fail_each(&s, call_dense);
  fail_each(&s, call_lanczos);
  fail_each(&s, call_cholesky);
  solid_close(&s);
}

static void memory_of_moduli(void **state) {
  (void)state;
  solid s;
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, 0.02, 1);
  fail_each(&s, call_moduli);
  solid_close(&s);
}

/* ---- refused inputs: the text names the item and the value ---- */

#define REFUSED(call, status, ...)                                                                            \
  do {                                                                                                        \
    const char *const words[] = {__VA_ARGS__};                                                                \
    assert_int_equal((call), (status));                                                                       \
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {                                               \
      if (!strstr(dem_linalg_message(s.linalg), words[k])) print_error("%s\n", dem_linalg_message(s.linalg)); \
      assert_non_null(strstr(dem_linalg_message(s.linalg), words[k]));                                        \
    }                                                                                                         \
  } while (0)

static dem_status modes_with(solid *s, const dem_linalg_modes_options *o, int64_t capacity) {
  double w[RESULTS];
  return dem_linalg_find_modes(s->linalg, s->trial, o, capacity, w, NULL, NULL, NULL);
}

static void refused_modes(void **state) {
  (void)state;
  solid s;
  dem_linalg_modes_options plain, o;
  dem_linalg_modes_report report = {.struct_size = 8};
  double w[RESULTS];
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, 0.02, 0);
  dem_linalg_modes_options_init(&plain, sizeof plain);
  o = plain, o.method = 3;
  REFUSED(modes_with(&s, &o, RESULTS), DEM_BAD_ARGUMENT, "method", "3", "0 to 2");
  o = plain, o.count = -1;
  REFUSED(modes_with(&s, &o, RESULTS), DEM_BAD_ARGUMENT, "count", "-1");
  o = plain, o.tolerance = NAN;
  REFUSED(modes_with(&s, &o, RESULTS), DEM_BAD_ARGUMENT, "tolerance", "nan");
  o = plain, o.masses = 2;
  REFUSED(modes_with(&s, &o, RESULTS), DEM_BAD_ARGUMENT, "masses", "2", "0 to 1");
  o = plain, o.restarts_most = 0;
  REFUSED(modes_with(&s, &o, RESULTS), DEM_BAD_ARGUMENT, "restarts_most");
  o = plain, o.struct_size = 12;
  REFUSED(modes_with(&s, &o, RESULTS), DEM_BAD_STRUCT, "struct_size");
  REFUSED(modes_with(&s, NULL, 29), DEM_BAD_ARGUMENT, "capacity", "29", "30");
  REFUSED(dem_linalg_find_modes(s.linalg, NULL, NULL, 9, w, NULL, NULL, NULL), DEM_BAD_ARGUMENT, "trial");
  REFUSED(dem_linalg_find_modes(s.linalg, s.trial, NULL, 9, NULL, NULL, NULL, NULL), DEM_BAD_ARGUMENT, "frequency");
  REFUSED(dem_linalg_find_modes(s.linalg, s.trial, NULL, RESULTS, w, NULL, NULL, &report), DEM_BAD_STRUCT, "report");
  assert_int_equal(dem_linalg_find_modes(NULL, s.trial, NULL, 9, w, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(modes_with(&s, NULL, 30), DEM_OK);
  solid_close(&s);
}

static void nothing_touches(void **state) {
  (void)state;
  solid s;
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, -0.1, 0);
  REFUSED(modes_with(&s, NULL, RESULTS), DEM_INCOMPLETE, "no particle");
  solid_close(&s);
}

static void refused_moduli(void **state) {
  (void)state;
  solid s;
  dem_linalg_moduli m;
  dem_linalg_moduli_init(&m, sizeof m);
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, 0.02, 0);
  REFUSED(dem_linalg_find_moduli(s.linalg, s.trial, &m), DEM_BAD_ARGUMENT, "box", "1");
  REFUSED(dem_linalg_find_moduli(s.linalg, NULL, &m), DEM_BAD_ARGUMENT, "trial");
  m.struct_size = 16;
  REFUSED(dem_linalg_find_moduli(s.linalg, s.trial, &m), DEM_BAD_STRUCT, "16");
  solid_close(&s);
  /* Nothing touches: all moduli are 0. */
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, -0.1, 1);
  dem_linalg_moduli_init(&m, sizeof m);
  assert_int_equal(dem_linalg_find_moduli(s.linalg, s.trial, &m), DEM_OK);
  assert_true(m.bulk == 0 && m.shear == 0 && m.pressure == 0);
  assert_int_equal(m.rattlers, 16);
  solid_close(&s);
}

static void refused_cholesky(void **state) {
  (void)state;
  solid s;
  dem_preconditioner *p;
  dem_linalg_cholesky_options plain, o;
  dem_linalg_cholesky_report r;
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, 0.02, 0);
  dem_linalg_cholesky_options_init(&plain, sizeof plain);
  dem_linalg_cholesky_report_init(&r, sizeof r);
  o = plain, o.shift_least = 0;
  REFUSED(dem_linalg_cholesky(s.linalg, s.w.context, &o, &p), DEM_BAD_ARGUMENT, "shift_least", "0");
  o = plain, o.shift_most = 1e-9;
  REFUSED(dem_linalg_cholesky(s.linalg, s.w.context, &o, &p), DEM_BAD_ARGUMENT, "shift_most", "1e-09");
  REFUSED(dem_linalg_cholesky(s.linalg, NULL, &plain, &p), DEM_BAD_ARGUMENT, "context");
  assert_int_equal(dem_linalg_get_cholesky_report(s.linalg, NULL, &r), DEM_NOT_FOUND);
  solid_close(&s);
}

static void refused_density(void **state) {
  (void)state;
  solid s;
  dem_linalg_density_options plain, o;
  const double w[2] = {1, INFINITY};
  double d[50];
  solid_open_lattice(&s, SOLID_TRIANGLE, 4, 4, 0.02, 0);
  dem_linalg_density_options_init(&plain, sizeof plain);
  REFUSED(dem_linalg_density(s.linalg, 2, w, NULL, NULL, d), DEM_BAD_ARGUMENT, "frequency 1");
  REFUSED(dem_linalg_density(s.linalg, 1, w, NULL, NULL, NULL), DEM_BAD_ARGUMENT, "NULL");
  o = plain, o.bins = 0;
  REFUSED(dem_linalg_density(s.linalg, 1, w, &o, NULL, d), DEM_BAD_ARGUMENT, "bins", "0");
  o = plain, o.logarithmic = 1;
  REFUSED(dem_linalg_density(s.linalg, 1, w, &o, NULL, d), DEM_BAD_ARGUMENT, "low", "0");
  o = plain, o.logarithmic = 1, o.low = 1e-300, o.high = 1e300;
  REFUSED(dem_linalg_density(s.linalg, 1, w, &o, NULL, d), DEM_BAD_ARGUMENT, "too far apart", "1e+300");
  o = plain, o.high = -1;
  REFUSED(dem_linalg_density(s.linalg, 1, w, &o, NULL, d), DEM_BAD_ARGUMENT, "high", "-1");
  o = plain, o.total = -1;
  REFUSED(dem_linalg_density(s.linalg, 1, w, &o, NULL, d), DEM_BAD_ARGUMENT, "total", "-1");
  /* Messages have a decimal point in every language. */
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
    o = plain, o.total = -0.5;
    REFUSED(dem_linalg_density(s.linalg, 1, w, &o, NULL, d), DEM_BAD_ARGUMENT, "-0.5,");
    setlocale(LC_NUMERIC, "C");
  }
  solid_close(&s);
}

static void stamped_structs(void **state) {
  (void)state;
  _Alignas(8) unsigned char bytes[2048];
  dem_linalg *l;
  dem_linalg_options o;
#define CHECK_INIT(type)                                                            \
  do {                                                                              \
    memset(bytes, 0xEE, sizeof bytes);                                              \
    assert_int_equal(type##_init((type *)(void *)bytes, sizeof(type) + 8), DEM_OK); \
    assert_int_equal(*(uint32_t *)(void *)bytes, sizeof(type) + 8);                 \
    for (size_t k = 0; k < 8; k++) assert_int_equal(bytes[sizeof(type) + k], 0);    \
    assert_int_equal(bytes[sizeof(type) + 8], 0xEE);                                \
    assert_int_equal(type##_init(NULL, sizeof(type)), DEM_BAD_ARGUMENT);            \
    assert_int_equal(type##_init((type *)(void *)bytes, 4), DEM_BAD_STRUCT);        \
  } while (0)
  CHECK_INIT(dem_linalg_options);
  CHECK_INIT(dem_linalg_cholesky_options);
  CHECK_INIT(dem_linalg_cholesky_report);
  CHECK_INIT(dem_linalg_modes_options);
  CHECK_INIT(dem_linalg_modes_report);
  CHECK_INIT(dem_linalg_density_options);
  CHECK_INIT(dem_linalg_moduli);
  dem_linalg_options_init(&o, sizeof o);
  o.reserved_zero = 1;
  assert_int_equal(dem_linalg_create(&o, &l), DEM_UNSUPPORTED);
  o.reserved_zero = 0;
  o.struct_size = 4;
  assert_int_equal(dem_linalg_create(&o, &l), DEM_BAD_STRUCT);
  assert_int_equal(dem_linalg_create(NULL, NULL), DEM_BAD_ARGUMENT);
  assert_string_equal(dem_linalg_message(NULL), "");
  assert_int_equal(dem_linalg_destroy(NULL), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_modes), cmocka_unit_test(memory_of_moduli), cmocka_unit_test(refused_modes),
      cmocka_unit_test(nothing_touches), cmocka_unit_test(refused_moduli),   cmocka_unit_test(refused_cholesky),
      cmocka_unit_test(refused_density), cmocka_unit_test(stamped_structs),
  };
  return cmocka_run_group_tests_name("linalg_faults", tests, NULL, NULL);
}
