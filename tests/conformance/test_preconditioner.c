/* Every preconditioner, the built-in ones by name and one from a table, on a model lattice. */
#include "assertions.h"

#include <stdlib.h>

#include "preconditioner.h"
#include "unit/lattice.h"

enum { N = LATTICE_N };
static const char *const names[] = {"block-jacobi", "incomplete-cholesky"};
enum { NAMES = sizeof names / sizeof *names };

/* ---- the objective: a lattice of linear springs that pulls its grains to given places, and more than linearly at each grain ---- */

typedef struct springs {
  lattice l;
  double k[N * N], at[N];
  int64_t network, updates_expected;
} springs;

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  springs *s = user;
  double sum = 0;
  for (int r = 0; r < N; r++) {
    double force = 0;
    for (int c = 0; c < N; c++) force += s->k[r * N + c] * x[c];
    const double push = cos(r), cube = 1e-3 * x[r] * x[r] * x[r];
    sum += x[r] * (0.5 * force + 0.25 * cube - push);
    if (gradient) gradient[r] = force + cube - push;
  }
  if (value) *value = sum;
  if (ask & DEM_OBJECTIVE_TANGENT) memcpy(s->at, x, sizeof s->at);
  return DEM_OK;
}

static dem_status apply(void *user, const double *p, double *product) {
  const springs *s = user;
  for (int r = 0; r < N; r++) {
    product[r] = 3e-3 * s->at[r] * s->at[r] * p[r];
    for (int c = 0; c < N; c++) product[r] += s->k[r * N + c] * p[c];
  }
  return DEM_OK;
}

/* Without the small cubes, which M need not know. */
static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  return lattice_blocks(&((springs *)user)->l, visit, visitor);
}

static dem_status measure(void *user, const double *x, const double *gradient, dem_objective_measure *out) {
  (void)x, (void)gradient;
  out->network = ((springs *)user)->network;
  return DEM_OK;
}

static springs *springs_new(double prestress) {
  springs *s = calloc(1, sizeof *s);
  s->l = (lattice){.prestress = prestress, .scale = 1};
  s->network = 1;
  lattice_dense(&s->l, s->k);
  return s;
}

static dem_objective_table table_of(void) {
  dem_objective_table t;
  dem_objective_table_init(&t, sizeof t);
  t.contract = DEM_OBJECTIVE_CONTRACT;
  t.name = "springs";
  t.unknowns = N;
  t.evaluate = evaluate;
  t.apply = apply;
  t.blocks = blocks;
  t.measure = measure;
  return t;
}

/* ---- a preconditioner of one's own: the diagonal ---- */

typedef struct diagonal {
  double d[N];
  int32_t updates, destroyed, fail;
  dem_status answer;
} diagonal;

static int32_t add_diagonal(void *user, int64_t count, const dem_trial_block *b) {
  double *d = user;
  for (int64_t k = 0; k < count; k++) {
    for (int r = 0; r < b[k].width_i; r++) d[b[k].i + r] += b[k].ii[r * b[k].width_i + r];
    for (int r = 0; r < b[k].width_j; r++) d[b[k].j + r] += b[k].jj[r * b[k].width_j + r];
  }
  return 0;
}

static dem_status diagonal_update(void *user, const dem_matrix_source *source) {
  diagonal *d = user;
  d->updates++;
  assert_int_equal(source->unknowns, N);
  assert_int_equal(source->struct_size, sizeof *source);
  if (d->answer) return d->answer;
  memset(d->d, 0, sizeof d->d);
  const dem_status status = source->blocks(source->blocks_user, add_diagonal, d->d);
  for (int i = 0; i < N; i++) d->d[i] = d->d[i] > 0 ? d->d[i] : 1;
  return status;
}

static dem_status diagonal_apply(void *user, const double *right, double *solution) {
  const diagonal *d = user;
  for (int i = 0; i < N; i++) solution[i] = right[i] / d->d[i];
  return d->fail ? DEM_FAILED_PLUGIN : DEM_OK;
}

static void diagonal_destroy(void *user) { ((diagonal *)user)->destroyed++; }

static dem_preconditioner_table diagonal_table(void) {
  dem_preconditioner_table t;
  assert_int_equal(dem_preconditioner_table_init(&t, sizeof t), DEM_OK);
  t.contract = DEM_PRECONDITIONER_CONTRACT;
  t.name = "diagonal";
  t.update = diagonal_update;
  t.apply = diagonal_apply;
  t.destroy = diagonal_destroy;
  return t;
}

static dem_preconditioner *make(dem_context *context, int k, diagonal *own) {
  dem_preconditioner *p = NULL;
  const dem_preconditioner_table t = diagonal_table();
  const dem_status status =
      k < NAMES ? dem_preconditioner_find(context, names[k], &p) : dem_preconditioner_create(context, &t, own, &p);
  if (status) fail_msg("%s", dem_context_message(context));
  return p;
}

/* ---- M ---- */

/* M^-1 is symmetric and positive definite, whatever H is; and close to H^-1 in the sense that matters where H is positive definite. */
static void symmetric_positive(void **state) {
  double *a = malloc(sizeof *a * N * N), unit[N], column[N];
  for (int k = 0; k <= NAMES; k++)
    for (int h = 0; h < 3; h++) {
      diagonal own = {.updates = 0};
      springs *s = springs_new(h == 0 ? 0.05 : h == 1 ? -0.05 : -2);
      dem_preconditioner *p = make(*state, k, &own);
      dem_matrix_source source = {
          .struct_size = sizeof source, .unknowns = N, .network = 1, .blocks = blocks, .blocks_user = s};
      assert_int_equal(p->table.update(p->user, &source), DEM_OK);
      double largest = 0;
      for (int c = 0; c < N; c++) {
        memset(unit, 0, sizeof unit);
        unit[c] = 1;
        assert_int_equal(p->table.apply(p->user, unit, column), DEM_OK);
        for (int r = 0; r < N; r++) a[r * N + c] = column[r];
        for (int r = 0; r < N; r++) largest = fmax(largest, fabs(column[r]));
      }
      for (int r = 0; r < N; r++)
        for (int c = 0; c < r; c++) ASSERT_ABS(a[r * N + c], a[c * N + r], 1e-13 * largest);
      assert_true(dense_cholesky(a, N));
      assert_int_equal(dem_preconditioner_release(p), DEM_OK);
      free(s);
    }
  free(a);
}

static dem_minimise_report minimise(dem_context *context, springs *s, dem_preconditioner *p) {
  const dem_objective_table table = table_of();
  dem_minimise_options o;
  dem_minimise_report r;
  dem_minimiser *m = NULL;
  dem_minimise_options_init(&o, sizeof o);
  o.strategy = "trust-region-steihaug";
  o.preconditioner = p;
  if (dem_minimiser_create(context, &table, s, NULL, &o, &m)) fail_msg("%s", dem_context_message(context));
  if (dem_minimiser_run(m)) fail_msg("%s", dem_minimiser_message(m));
  dem_minimise_report_init(&r, sizeof r);
  assert_int_equal(dem_minimiser_get_report(m, &r), DEM_OK);
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  return r;
}

/* The same minimum with fewer products than without. */
static void fewer_products(void **state) {
  springs *s = springs_new(0.05);
  const dem_minimise_report without = minimise(*state, s, NULL);
  assert_int_equal(without.reason, DEM_MINIMISE_GRADIENT);
  assert_int_equal(without.factorisations, 0);
  for (int k = 0; k <= NAMES; k++) {
    diagonal own = {.updates = 0};
    dem_preconditioner *p = make(*state, k, &own);
    const dem_minimise_report with = minimise(*state, s, p);
    print_message("# %-20s %lld products, %lld without; %lld iterations, %lld without; %lld factorisations\n", p->name,
                  (long long)with.products, (long long)without.products, (long long)with.iterations,
                  (long long)without.iterations, (long long)with.factorisations);
    assert_int_equal(with.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_REL(with.value, without.value, 1e-12);
    assert_true(with.products < without.products);
    assert_true(with.factorisations >= 1 && with.factorisations < with.iterations);
    assert_int_equal(dem_preconditioner_release(p), DEM_OK);
    if (k == NAMES) assert_int_equal(own.destroyed, 1);
  }
  free(s);
}

/* No M can be made, or its solve fails. */
static void failures(void **state) {
  springs *s = springs_new(0.05);
  diagonal own = {.answer = DEM_UNSUPPORTED};
  dem_preconditioner *p = make(*state, NAMES, &own);
  const dem_minimise_report plain = minimise(*state, s, NULL);
  dem_minimise_report r = minimise(*state, s, p); /* goes on without */
  assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
  assert_true(r.value == plain.value);
  assert_true(own.updates > 0 && r.factorisations == own.updates);
  own.answer = DEM_OK;
  own.fail = 1;
  const dem_objective_table table = table_of();
  dem_minimise_options o;
  dem_minimiser *m = NULL, *second = NULL;
  dem_minimise_options_init(&o, sizeof o);
  o.strategy = "trust-region-steihaug";
  o.preconditioner = p;
  assert_int_equal(dem_minimiser_create(*state, &table, s, NULL, &o, &m), DEM_OK);
  assert_int_equal(dem_minimiser_create(*state, &table, s, NULL, &o, &second), DEM_BUSY);
  assert_non_null(strstr(dem_context_message(*state), "diagonal"));
  assert_int_equal(dem_minimiser_run(m), DEM_FAILED_PLUGIN);
  assert_int_equal(dem_minimiser_run(m), DEM_POISONED);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  assert_int_equal(own.destroyed, 0); /* the minimiser still has it */
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  assert_int_equal(own.destroyed, 1);
  free(s);
}

/* An allocator that refuses one call. */
typedef struct scarce {
  int64_t calls, refuse_at;
} scarce;

static void *scarce_allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  scarce *s = user;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  if (++s->calls == s->refuse_at) return NULL;
  void *fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
  if (fresh && pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  free(pointer);
  return fresh;
}

/* Each allocation of the preconditioner fails once: the update is refused, and the next one makes the same M. */
static void short_memory(void **state) {
  (void)state;
  springs *s = springs_new(0.05);
  double right[N], first[N], solution[N];
  for (int i = 0; i < N; i++) right[i] = sin(i);
  for (int k = 0; k < NAMES; k++) {
    for (int64_t at = 0;; at++) {
      scarce memory = {0, 0};
      dem_context_options o;
      dem_context *context = NULL;
      dem_context_options_init(&o, sizeof o);
      o.allocate = scarce_allocate;
      o.allocate_user = &memory;
      assert_int_equal(dem_context_create(&o, &context), DEM_OK);
      dem_preconditioner *p = make(context, k, NULL);
      dem_matrix_source source = {
          .struct_size = sizeof source, .unknowns = N, .network = 1, .blocks = blocks, .blocks_user = s};
      memory = (scarce){0, at};
      dem_status status = p->table.update(p->user, &source);
      const int through = at > 0 && memory.calls < at;
      assert_int_equal(status, at == 0 || through ? DEM_OK : DEM_NO_MEMORY);
      if (status) status = p->table.update(p->user, &source);
      assert_int_equal(status, DEM_OK);
      assert_int_equal(p->table.apply(p->user, right, solution), DEM_OK);
      if (at == 0) memcpy(first, solution, sizeof first);
      ASSERT_BITS(first, solution, sizeof first);
      assert_int_equal(dem_preconditioner_release(p), DEM_OK);
      assert_int_equal(dem_context_destroy(context), DEM_OK);
      if (through) break;
    }
  }
  free(s);
}

static void bad_tables(void **state) {
  dem_preconditioner *p = (dem_preconditioner *)&p;
  dem_preconditioner_table t = diagonal_table();
  assert_int_equal(dem_preconditioner_find(*state, "multigrid", &p), DEM_NOT_FOUND);
  assert_non_null(strstr(dem_context_message(*state), "incomplete-cholesky"));
  assert_null(p);
  t.contract = 0;
  assert_int_equal(dem_preconditioner_create(*state, &t, NULL, &p), DEM_UNSUPPORTED);
  t = diagonal_table();
  t.apply = NULL;
  assert_int_equal(dem_preconditioner_create(*state, &t, NULL, &p), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(*state), "apply is NULL"));
  t = diagonal_table();
  t.capabilities = 1;
  assert_int_equal(dem_preconditioner_create(*state, &t, NULL, &p), DEM_UNSUPPORTED);
  t = diagonal_table();
  t.name = NULL;
  assert_int_equal(dem_preconditioner_create(*state, &t, NULL, &p), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_preconditioner_release(NULL), DEM_OK);
}

static int set_up(void **state) {
  dem_context *context = NULL;
  const dem_status status = dem_context_create(NULL, &context);
  *state = context;
  return status != DEM_OK;
}

static int tear_down(void **state) { return dem_context_destroy(*state) != DEM_OK; }

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(symmetric_positive), TEST(fewer_products), TEST(failures), TEST(short_memory),
                                     TEST(bad_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
