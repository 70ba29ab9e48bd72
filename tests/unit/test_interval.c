/* The states of the interval under one set of forces, and the times of kicks that are booked. */
#include "assertions.h"

#include "interval.h"

static demi_interval fresh(void) {
  demi_interval v;
  memset(&v, 0, sizeof v);
  return v;
}

/* A step of velocity-Verlet up to the pass: evaluation, last kick of the step before, first kick and drift of the next. */
static void queue_step(demi_interval *v, double dt) {
  demi_interval_open(v, dt, 7, 7 * dt);
  demi_interval_queue(v, DEMI_OP_KICK, 0.5 * dt);
  demi_interval_queue(v, DEMI_OP_KICK, 0.25 * dt);
  demi_interval_queue(v, DEMI_OP_DRIFT, dt);
}

static void kicks_count_when_the_queue_has_run(void **state) {
  (void)state;
  demi_interval v = fresh();
  assert_false(demi_interval_has_forces(&v) || demi_interval_evaluates(&v));
  queue_step(&v, 2.0);
  assert_true(v.state == DEMI_FORCES_QUEUED && demi_interval_has_forces(&v) && demi_interval_evaluates(&v));
  assert_true(demi_interval_holds(&v, DEMI_OP_DRIFT) && v.op_count == 4 && v.op[0].duration == 2.0);
  assert_true(v.step == 7 && v.time == 14.0);
  const demi_kicks kicks = demi_interval_kicks(&v);
  assert_true(kicks.closing == 0 && kicks.opening == 1.5 && !kicks.marked);
  demi_interval_begin(&v, 0);
  demi_interval_advance(&v);
  assert_true(v.state == DEMI_FORCES_SUMMED && v.op_count == 0 && v.kicked == 1.5 && v.unbooked == 1.5);
  assert_false(demi_interval_evaluates(&v) || demi_interval_holds(&v, DEMI_OP_DRIFT));
}

/* The next evaluation closes the kicks made so far and counts its own anew. */
static void an_evaluation_begins_an_interval(void **state) {
  (void)state;
  demi_interval v = fresh();
  queue_step(&v, 1.0);
  demi_interval_begin(&v, 1);
  demi_interval_advance(&v);
  assert_true(v.state == DEMI_FORCES_CLEARED && !demi_interval_has_forces(&v));
  queue_step(&v, 4.0);
  const demi_kicks kicks = demi_interval_kicks(&v);
  assert_true(kicks.closing == 0.75 && kicks.opening == 3.0);
  demi_interval_begin(&v, 1);
  demi_interval_advance(&v);
  assert_true(v.kicked == 3.0 && v.unbooked == 3.0);
}

/* A booking in between ends a piece, but not the interval: the kicks since the evaluation go on. */
static void a_booking_divides_the_interval(void **state) {
  (void)state;
  demi_interval v = fresh();
  demi_totals powers;
  memset(&powers, 0, sizeof powers);
  powers.of[DEMI_SECTION_WALL][0] = -3.0;
  queue_step(&v, 2.0);
  demi_interval_begin(&v, 0);
  demi_interval_advance(&v);
  demi_interval_mark(&v, &powers);
  assert_true(v.state == DEMI_FORCES_SUMMED && v.kicked == 1.5 && v.unbooked == 0 && v.marked);
  assert_true(v.first.of[DEMI_SECTION_WALL][0] == -3.0);
  demi_interval_queue(&v, DEMI_OP_KICK, 1.0);
  demi_interval_advance(&v);
  const demi_kicks kicks = demi_interval_kicks(&v);
  assert_true(v.kicked == 2.5 && kicks.closing == 1.0 && kicks.opening == 0 && kicks.marked);
  queue_step(&v, 2.0);
  assert_true(demi_interval_kicks(&v).closing == 1.0 && demi_interval_kicks(&v).marked);
  demi_interval_begin(&v, 0);
  assert_true(!v.marked && v.unbooked == 0 && v.kicked == 0);
}

/* Only sums can be altered, until the next evaluation; kicks go on with them. Cleared rows stay cleared. */
static void changes_of_the_host_end_states(void **state) {
  (void)state;
  demi_interval v = fresh();
  demi_interval_alter(&v);
  assert_int_equal(v.state, DEMI_FORCES_STALE);
  queue_step(&v, 1.0);
  demi_interval_begin(&v, 0);
  demi_interval_advance(&v);
  demi_interval_alter(&v);
  assert_true(v.state == DEMI_FORCES_ALTERED && demi_interval_has_forces(&v) && v.kicked == 0.75);
  demi_interval_drop(&v);
  assert_true(v.state == DEMI_FORCES_STALE && !demi_interval_has_forces(&v) && v.kicked == 0 && v.unbooked == 0);
  queue_step(&v, 1.0);
  demi_interval_begin(&v, 1);
  demi_interval_advance(&v);
  demi_interval_alter(&v);
  assert_int_equal(v.state, DEMI_FORCES_CLEARED);
  demi_interval_drop(&v);
  assert_true(v.state == DEMI_FORCES_CLEARED && v.unbooked == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kicks_count_when_the_queue_has_run),
      cmocka_unit_test(an_evaluation_begins_an_interval),
      cmocka_unit_test(a_booking_divides_the_interval),
      cmocka_unit_test(changes_of_the_host_end_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
