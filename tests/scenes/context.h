/* One context for each test of a program, which is opened before the test and destroyed after it. Include assertions.h first.
 *
 *   const struct CMUnitTest tests[] = {TEST(first_case), TEST(second_case)}; */
#ifndef TESTS_CONTEXT_H
#define TESTS_CONTEXT_H

#include <dem/dem.h>

/* NULL between tests. */
extern dem_context *context;

/* Setup and teardown of a test or of a group of tests. The teardown fails while anything in the context is left behind. */
int context_open(void **state);
int context_close(void **state);
#define TEST(function) cmocka_unit_test_setup_teardown(function, context_open, context_close)

#endif
