/* What holds for every strategy: when it ends, what it reports, what it does when something fails, and its bits. */
#include "assertions.h"
#include "conformance/minimise_functions.h"
#include "conformance/minimise_suite.h"

#include <stdlib.h>

enum { SMALL = 50, LARGE = 70000 };

static dem_minimiser *create(dem_context *context, chain *c, const dem_minimise_options *o) {
  dem_minimiser *m = NULL;
  const dem_objective_table table = chain_table(c);
  if (dem_minimiser_create(context, &table, c, NULL, o, &m) != DEM_OK) fail_msg("%s", dem_context_message(context));
  return m;
}

static dem_minimise_report report_of(const dem_minimiser *m) {
  dem_minimise_report r;
  assert_int_equal(dem_minimise_report_init(&r, sizeof r), DEM_OK);
  assert_int_equal(dem_minimiser_get_report(m, &r), DEM_OK);
  return r;
}

static dem_minimise_report run_to_end(dem_minimiser *m) {
  assert_int_equal(dem_minimiser_run(m), DEM_OK);
  return report_of(m);
}

#define EACH_STRATEGY(name)                                                                                                 \
  for (const char *const *each = suite_strategies, *name; each < suite_strategies + suite_strategy_count && (name = *each); \
       each++)

/* ---- ends ---- */

static void tolerances(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at};
    dem_minimise_options o = suite_options(strategy);
    o.gradient_relative = 1e-6;
    dem_minimiser *m = create(*state, &c, &o);
    dem_minimise_report r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_BELOW(r.gradient, 1e-6 * r.gradient_first);
    ASSERT_BELOW(r.gradient_largest, r.gradient);
    dem_minimiser_destroy(m);

    o.gradient_relative = 0;
    o.gradient_absolute = 1e-7;
    m = create(*state, &c, &o);
    r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_BELOW(r.gradient, 1e-7);
    dem_minimiser_destroy(m);

    o.gradient_absolute = 0;
    o.force_relative = 1e-8; /* mean force of the chain's measure: 1 */
    m = create(*state, &c, &o);
    r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_FORCE);
    ASSERT_BELOW(r.gradient_largest, 1e-8);
    ASSERT_REL(r.force_relative, r.gradient_largest, 1e-15);
    dem_minimiser_destroy(m);
  }
}

/* A minimum of value 0: the tolerance of the value ends it. */
static void least_value(void **state) {
  EACH_STRATEGY(strategy) {
    ring g = {.n = RING_MOST, .length = 80};
    double start[RING_MOST];
    dem_minimise_options o = suite_options(strategy);
    const dem_objective_table table = ring_table(&g);
    ring_start(&g, start);
    o.gradient_relative = 0;
    o.value_least = 1e-6;
    const dem_minimise_report r = suite_run(*state, &table, &g, start, &o, NULL);
    assert_int_equal(r.reason, DEM_MINIMISE_VALUE);
    ASSERT_BELOW(r.value, 1e-6);
    assert_true(r.value_first > 1e-6);
  }
}

/* No tolerance at all: it ends where rounding ends it, with a gradient of rounding size. */
static void stalls(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at};
    dem_minimise_options o = suite_options(strategy);
    o.gradient_relative = 0;
    o.iterations_most = 1000000;
    dem_minimiser *m = create(*state, &c, &o);
    const dem_minimise_report r = run_to_end(m);
    assert_true(r.reason == DEM_MINIMISE_STALLED || r.reason == DEM_MINIMISE_GRADIENT);
    ASSERT_BELOW(r.gradient, 1e-13 * r.gradient_first);
    dem_minimiser_destroy(m);
  }
}

/* A gradient that does not belong to the value: no step lessens the value, and it ends with that reason near the start. */
static void wrong_gradient(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at, .wrong = 1};
    dem_minimise_options o = suite_options(strategy);
    dem_minimiser *m = create(*state, &c, &o);
    const dem_minimise_report r = run_to_end(m);
    print_message("# %s: reason %d after %lld iterations\n", strategy, r.reason, (long long)r.iterations);
    assert_int_equal(r.reason, DEM_MINIMISE_STALLED);
    ASSERT_ABS(r.value, r.value_first, 1e-9);
    dem_minimiser_destroy(m);
  }
}

/* With 1e9 added to the value its differences drown long before the end (1e9 eps = 2e-7), where the gradient is still good. */
static void drowned_values(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at, .offset = 1e9};
    dem_minimise_options o = suite_options(strategy);
    o.iterations_most = 100000;
    dem_minimiser *m = create(*state, &c, &o);
    const dem_minimise_report r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_BELOW(r.gradient, 1e-10 * r.gradient_first);
    assert_true(r.iterations < 2000);
    dem_minimiser_destroy(m);
  }
}

/* No unknown moves farther than the longest step, and some step is as long; the table's bound counts where the options have none. */
static void longest_step(void **state) {
  double at[SMALL], x[SMALL], y[SMALL];
  EACH_STRATEGY(strategy) {
    for (int of_table = 0; of_table < 2; of_table++) {
      chain c = {.n = SMALL, .at = at};
      dem_objective_table table = chain_table(&c);
      dem_minimise_options o = suite_options(strategy);
      dem_minimiser *m = NULL;
      double longest = 0;
      *(of_table ? &table.longest_step : &o.longest_step) = 0.01;
      if (!of_table) table.longest_step = 100;
      assert_int_equal(dem_minimiser_create(*state, &table, &c, NULL, &o, &m), DEM_OK);
      do {
        assert_int_equal(dem_minimiser_get_point(m, SMALL, x), DEM_OK);
        assert_int_equal(dem_minimiser_iterate(m, 1), DEM_OK);
        assert_int_equal(dem_minimiser_get_point(m, SMALL, y), DEM_OK);
        for (int i = 0; i < SMALL; i++) longest = fmax(longest, fabs(y[i] - x[i]));
      } while (report_of(m).reason == DEM_MINIMISE_RUNNING);
      assert_int_equal(report_of(m).reason, DEM_MINIMISE_GRADIENT);
      ASSERT_REL(longest, 0.01, 1e-12);
      assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
    }
  }
}

/* The first radius, chosen and by default, and how it grows: at most doubled from one iteration to the next. */
static void radius(void **state) {
  double at[SMALL];
  for (int k = 0; k < 2; k++) {
    chain c = {.n = SMALL, .at = at};
    dem_minimise_options o = suite_options("trust-region-steihaug");
    o.radius_first = k == 0 ? 1e-3 : 0;
    dem_minimiser *m = create(*state, &c, &o);
    assert_int_equal(dem_minimiser_iterate(m, 1), DEM_OK);
    dem_minimise_report r = report_of(m);
    if (k == 0) ASSERT_REL(r.step, 1e-3, 1e-12);
    double before = r.radius;
    while (r.reason == DEM_MINIMISE_RUNNING) {
      assert_int_equal(dem_minimiser_iterate(m, 1), DEM_OK);
      r = report_of(m);
      assert_true(r.radius <= 2 * before && r.radius > 0);
      assert_true(r.step <= before * (1 + 1e-12));
      if (r.radius > before) assert_true(r.quality > 0.75);
      if (r.radius < before) assert_true(r.quality < 0.25);
      before = r.radius;
    }
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    dem_minimiser_destroy(m);
  }
}

static void limits(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at};
    dem_minimise_options o = suite_options(strategy);
    o.iterations_most = 3;
    dem_minimiser *m = create(*state, &c, &o);
    dem_minimise_report r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_STOPPED_ITERATIONS);
    assert_int_equal(r.iterations, 3);
    assert_int_equal(r.gradients + r.values, c.evaluations);
    assert_int_equal(dem_minimiser_run(m), DEM_OK); /* has ended: nothing more happens */
    assert_int_equal(report_of(m).iterations, 3);
    dem_minimiser_destroy(m);

    o.iterations_most = 0;
    o.gradients_most = 5;
    m = create(*state, &c, &o);
    r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_STOPPED_GRADIENTS);
    assert_in_range(r.gradients, 5, 20);
    dem_minimiser_destroy(m);

    o.gradients_most = 0;
    o.seconds_most = 1e-9;
    m = create(*state, &c, &o);
    r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_STOPPED_SECONDS);
    assert_true(r.seconds >= 1e-9);
    dem_minimiser_destroy(m);
  }
}

typedef struct told {
  int32_t calls;
  int64_t last;
  double value;
  int32_t answer_at; /* call that cancels */
} told;

static int32_t tell(void *user, const dem_minimise_report *r) {
  told *t = user;
  assert_int_equal(r->reason, DEM_MINIMISE_RUNNING);
  assert_int_equal(r->iterations, t->last + 2);
  assert_true(r->value <= r->value_first && r->gradient > 0 && r->gradient_largest <= r->gradient);
  t->last = r->iterations;
  t->value = r->value;
  return ++t->calls == t->answer_at;
}

static void progress_and_cancel(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at};
    told t = {.answer_at = 2};
    dem_minimise_options o = suite_options(strategy);
    o.progress = tell;
    o.progress_user = &t;
    o.progress_interval = 2;
    dem_minimiser *m = create(*state, &c, &o);
    const dem_minimise_report r = run_to_end(m);
    assert_int_equal(r.reason, DEM_MINIMISE_CANCELLED);
    assert_int_equal(t.calls, 2);
    assert_int_equal(r.iterations, 4);
    assert_true(r.value == t.value);
    dem_minimiser_destroy(m);
    assert_int_equal(c.destroyed, 1);
  }
}

/* ---- bits ---- */

static dem_minimise_report few_iterations(dem_context *context, const char *strategy, int32_t threads, int64_t at_a_time,
                                          double *x) {
  double *at = malloc(LARGE * sizeof *at);
  chain c = {.n = LARGE, .at = at};
  dem_minimise_options o = suite_options(strategy);
  o.threads = threads;
  o.iterations_most = 12;
  dem_minimiser *m = create(context, &c, &o);
  while (report_of(m).reason == DEM_MINIMISE_RUNNING) assert_int_equal(dem_minimiser_iterate(m, at_a_time), DEM_OK);
  dem_minimise_report r = report_of(m);
  assert_int_equal(dem_minimiser_get_point(m, LARGE, x), DEM_OK);
  dem_minimiser_destroy(m);
  free(at);
  r.seconds = 0;
  return r;
}

/* Threads 1 to 4, in any order, every instruction set that the CPU has, and one iteration at a time. */
static void same_bits(void **state) {
  (void)state;
  double *x = malloc(LARGE * sizeof *x), *y = malloc(LARGE * sizeof *y);
  EACH_STRATEGY(strategy) {
    dem_context *plain = suite_context(0, DEM_INSTRUCTIONS_PLAIN);
    const dem_minimise_report first = few_iterations(plain, strategy, 1, 100, x);
    dem_context_destroy(plain);
    assert_in_range(first.iterations, 6, 12);
    for (int32_t set = DEM_INSTRUCTIONS_AUTO; set <= DEM_INSTRUCTIONS_AVX512; set++) {
      for (int32_t threads = 1; threads <= 4; threads++) {
        dem_context *context = suite_context(threads == 4, set);
        if (!context) continue;
        const dem_minimise_report r = few_iterations(context, strategy, threads, threads == 2 ? 1 : 5, y);
        ASSERT_BITS(&first, &r, sizeof r);
        ASSERT_BITS(x, y, LARGE * sizeof *x);
        dem_context_destroy(context);
      }
    }
  }
  free(x);
  free(y);
}

/* ---- faults ---- */

/* Any one evaluation may refuse its point (after the start): the minimum is found all the same, to rounding. */
static void one_refusal(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain whole = {.n = SMALL, .at = at};
    dem_minimise_options o = suite_options(strategy);
    dem_minimiser *m = create(*state, &whole, &o);
    const double value = run_to_end(m).value;
    dem_minimiser_destroy(m);
    for (int64_t k = 2; k < 40; k++) {
      chain c = {.n = SMALL, .at = at, .fail_at = k, .failure = DEM_BAD_ARGUMENT};
      m = create(*state, &c, &o);
      const dem_minimise_report r = run_to_end(m);
      /* where the Hessian at the present point is refused, there is nothing to go on with */
      if (r.reason > 0)
        ASSERT_REL(r.value, value, 1e-14);
      else
        assert_int_equal(r.reason, DEM_MINIMISE_STALLED);
      dem_minimiser_destroy(m);
    }
  }
}

/* Short memory in the objective ends the call; the call repeated goes on. A failure poisons. */
static void failures(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    for (int64_t k = 1; k < 40; k++) {
      chain c = {.n = SMALL, .at = at, .fail_at = k, .failure = DEM_NO_MEMORY};
      dem_minimise_options o = suite_options(strategy);
      dem_minimiser *m = create(*state, &c, &o);
      dem_status status = dem_minimiser_run(m);
      if (status) assert_int_equal(status, DEM_NO_MEMORY);
      if (status) assert_non_null(strstr(dem_minimiser_message(m), "chain"));
      assert_int_equal(run_to_end(m).reason, DEM_MINIMISE_GRADIENT);
      dem_minimiser_destroy(m);

      c = (chain){.n = SMALL, .at = at, .fail_at = k, .failure = DEM_FAILED_PLUGIN};
      m = create(*state, &c, &o);
      status = dem_minimiser_run(m);
      if (status) {
        assert_int_equal(status, DEM_FAILED_PLUGIN);
        assert_int_equal(dem_minimiser_run(m), DEM_POISONED);
      }
      assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
      assert_int_equal(c.destroyed, 1);
    }
  }
}

static void busy_inside(void **state) {
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    chain c = {.n = SMALL, .at = at};
    dem_minimise_options o = suite_options(strategy);
    dem_minimiser *m = create(*state, &c, &o);
    c.inner = m;
    assert_int_equal(dem_minimiser_iterate(m, 1), DEM_OK);
    assert_int_equal(c.inner_answer, DEM_BUSY);
    assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  }
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

static dem_context *scarce_context(scarce *s) {
  dem_context_options o;
  dem_context *context = NULL;
  dem_context_options_init(&o, sizeof o);
  o.allocate = scarce_allocate;
  o.allocate_user = s;
  assert_int_equal(dem_context_create(&o, &context), DEM_OK);
  return context;
}

/* Each allocation fails once. A refused create leaves nothing; a refused iteration can be repeated. */
static void short_memory(void **state) {
  (void)state;
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    for (int64_t k = 1;; k++) {
      scarce s = {0, 0};
      dem_context *context = scarce_context(&s);
      chain c = {.n = SMALL, .at = at};
      const dem_minimise_options o = suite_options(strategy);
      const dem_objective_table table = chain_table(&c);
      dem_minimiser *m = NULL;
      s = (scarce){0, k};
      dem_status status = dem_minimiser_create(context, &table, &c, NULL, &o, &m);
      assert_true((status == DEM_OK) == (m != NULL));
      if (status) assert_int_equal(status, DEM_NO_MEMORY);
      if (m) {
        status = dem_minimiser_run(m);
        if (status) assert_int_equal(status, DEM_NO_MEMORY);
        assert_int_equal(run_to_end(m).reason, DEM_MINIMISE_GRADIENT);
        assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
      }
      assert_int_equal(c.destroyed, m != NULL);
      const int through = s.calls < k;
      assert_int_equal(dem_context_destroy(context), DEM_OK);
      if (through) break;
      assert_true(k < 1000);
    }
  }
}

/* After three iterations nothing is allocated any more. */
static void steady_memory(void **state) {
  (void)state;
  double at[SMALL];
  EACH_STRATEGY(strategy) {
    scarce s = {0, 0};
    dem_context *context = scarce_context(&s);
    chain c = {.n = SMALL, .at = at};
    const dem_minimise_options o = suite_options(strategy);
    dem_minimiser *m = create(context, &c, &o);
    assert_int_equal(dem_minimiser_iterate(m, 3), DEM_OK);
    const int64_t calls = s.calls;
    assert_int_equal(run_to_end(m).reason, DEM_MINIMISE_GRADIENT);
    assert_int_equal(s.calls, calls);
    dem_minimiser_destroy(m);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

/* ---- arguments ---- */

static void refused(dem_context *context, const dem_objective_table *table, const double *start, const dem_minimise_options *o,
                    dem_status expected, const char *word) {
  dem_minimiser *m = (dem_minimiser *)&m;
  chain c = {.n = SMALL};
  const dem_status status = dem_minimiser_create(context, table, &c, start, o, &m);
  if (status != expected || !strstr(dem_context_message(context), word))
    fail_msg("status %d, expected %d; message without '%s': %s", status, expected, word, dem_context_message(context));
  assert_null(m);
  assert_int_equal(c.destroyed, 0);
}

#define REFUSED_OPTION(member, value, word)                                   \
  do {                                                                        \
    dem_minimise_options o = suite_options(NULL);                             \
    o.member = (value);                                                       \
    refused(*state, &table, NULL, &o, DEM_BAD_ARGUMENT, #member " is " word); \
  } while (0)

static void bad_options(void **state) {
  double at[SMALL];
  const chain c = {.n = SMALL, .at = at};
  const dem_objective_table table = chain_table(&c);
  REFUSED_OPTION(threads, 0, "0");
  REFUSED_OPTION(threads, 257, "257");
  REFUSED_OPTION(gradient_relative, -1, "-1");
  REFUSED_OPTION(gradient_relative, 1.5, "1.5");
  REFUSED_OPTION(gradient_absolute, NAN, "");
  REFUSED_OPTION(force_relative, 2, "2");
  REFUSED_OPTION(value_least, -3, "-3");
  REFUSED_OPTION(iterations_most, -1, "-1");
  REFUSED_OPTION(gradients_most, -7, "-7");
  REFUSED_OPTION(seconds_most, -1, "-1");
  REFUSED_OPTION(longest_step, INFINITY, "inf");
  REFUSED_OPTION(radius_first, -2, "-2");
  REFUSED_OPTION(memory, 33, "33");
  REFUSED_OPTION(reserved_zero, 1, "1");
  REFUSED_OPTION(progress_interval, 0, "0");
  dem_minimise_options o = suite_options("steepest");
  refused(*state, &table, NULL, &o, DEM_NOT_FOUND, "trust-region-steihaug");
  o = suite_options(NULL);
  o.struct_size = 8;
  refused(*state, &table, NULL, &o, DEM_BAD_STRUCT, "struct_size is 8");
}

static void bad_tables(void **state) {
  double at[SMALL], start[SMALL] = {0};
  const chain c = {.n = SMALL, .at = at};
  dem_objective_table t = chain_table(&c);
  const dem_minimise_options forces = {.struct_size = sizeof forces,
                                       .threads = 1,
                                       .memory = 5,
                                       .force_relative = 0.1,
                                       .progress_interval = 1,
                                       .strategy = "fire"};
  const dem_minimise_options curved = suite_options("trust-region-steihaug");
  start[7] = INFINITY;
  refused(*state, &t, start, NULL, DEM_BAD_ARGUMENT, "start[7]");
  t.unknowns = 0;
  refused(*state, &t, NULL, NULL, DEM_BAD_ARGUMENT, "unknowns is 0");
  t = chain_table(&c);
  t.contract = 9;
  refused(*state, &t, NULL, NULL, DEM_UNSUPPORTED, "contract 9");
  t = chain_table(&c);
  t.name = NULL;
  refused(*state, &t, NULL, NULL, DEM_BAD_ARGUMENT, "name is NULL");
  t = chain_table(&c);
  t.evaluate = NULL;
  refused(*state, &t, NULL, NULL, DEM_BAD_ARGUMENT, "evaluate is NULL");
  t = chain_table(&c);
  t.longest_step = -1;
  refused(*state, &t, NULL, NULL, DEM_BAD_ARGUMENT, "longest_step is -1");
  t = chain_table(&c);
  t.apply = NULL;
  refused(*state, &t, NULL, &curved, DEM_UNSUPPORTED, "'apply'");
  t = chain_table(&c);
  t.measure = NULL;
  refused(*state, &t, NULL, &forces, DEM_UNSUPPORTED, "'measure'");
}

static void bad_calls(void **state) {
  double at[SMALL], x[SMALL];
  chain c = {.n = SMALL, .at = at};
  dem_minimiser *m = create(*state, &c, NULL);
  assert_int_equal(dem_minimiser_iterate(m, -1), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_minimiser_get_point(m, SMALL - 1, x), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_minimiser_message(m), "count is 49, must be 50"));
  assert_int_equal(dem_minimiser_get_point(m, SMALL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_minimiser_get_report(m, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_minimiser_accept(m), DEM_UNSUPPORTED);
  assert_int_equal(dem_minimiser_iterate(m, 0), DEM_OK);
  assert_int_equal(report_of(m).gradients, 1);
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  assert_int_equal(dem_minimiser_iterate(NULL, 1), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_minimiser_run(NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_minimiser_destroy(NULL), DEM_OK);
  assert_string_equal(dem_minimiser_message(NULL), "");
  assert_int_equal(dem_minimiser_create(*state, NULL, NULL, NULL, NULL, &m), DEM_BAD_ARGUMENT);
  assert_null(m);
}

static int set_up(void **state) {
  *state = suite_context(0, DEM_INSTRUCTIONS_AUTO);
  return 0;
}

static int tear_down(void **state) { return dem_context_destroy(*state) != DEM_OK; }

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(tolerances),   TEST(least_value), TEST(stalls),      TEST(drowned_values),      TEST(wrong_gradient),
      TEST(longest_step), TEST(radius),      TEST(limits),      TEST(progress_and_cancel), TEST(same_bits),
      TEST(one_refusal),  TEST(failures),    TEST(busy_inside), TEST(short_memory),        TEST(steady_memory),
      TEST(bad_options),  TEST(bad_tables),  TEST(bad_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
