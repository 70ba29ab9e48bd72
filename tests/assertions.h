/* Assertions on doubles and statuses that cmocka 1.1.5 lacks. Include this first: it brings cmocka and what cmocka needs.
 *
 * ASSERT_ABS(a, b, tol)  |a - b| <= tol
 * ASSERT_REL(a, b, tol)  |a - b| <= tol max(|a|, |b|)
 * ASSERT_BITS(a, b, n)   n bytes equal
 * ASSERT_OK(s, call)     the status is DEM_OK; otherwise the message of system s is shown
 * A NaN never passes. */
#ifndef TESTS_ASSERTIONS_H
#define TESTS_ASSERTIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <dem/dem.h>
#include <math.h>
#include <string.h>

static inline void assert_close(double a, double b, double bound, const char *what, const char *file, int line) {
  if (fabs(a - b) <= bound) return;
  print_error("%s: %.17g and %.17g differ by %.3g, allowed %.3g\n", what, a, b, fabs(a - b), bound);
  _fail(file, line);
}

static inline void assert_relative(double a, double b, double tol, const char *what, const char *file, int line) {
  assert_close(a, b, tol * fmax(fabs(a), fabs(b)), what, file, line);
}

static inline void assert_below(double value, double bound, const char *what, const char *file, int line) {
  if (value <= bound) return;
  print_error("%s = %.3g, allowed %.3g\n", what, value, bound);
  _fail(file, line);
}

static inline void assert_bits(const void *a, const void *b, size_t bytes, const char *what, const char *file, int line) {
  if (memcmp(a, b, bytes) == 0) return;
  size_t i = 0;
  while (((const unsigned char *)a)[i] == ((const unsigned char *)b)[i]) i++;
  print_error("%s: first different byte at %zu of %zu\n", what, i, bytes);
  _fail(file, line);
}

static inline void assert_status(const dem_system *system, dem_status got, dem_status expected, const char *what,
                                 const char *file, int line) {
  if (got == expected) return;
  print_error("%s: %s, expected %s; message: %s\n", what, dem_status_name(got), dem_status_name(expected),
              dem_system_message(system));
  _fail(file, line);
}

#define ASSERT_ABS(a, b, tol) assert_close((a), (b), (tol), #a " = " #b, __FILE__, __LINE__)
#define ASSERT_REL(a, b, tol) assert_relative((a), (b), (tol), #a " = " #b, __FILE__, __LINE__)
#define ASSERT_BELOW(a, bound) assert_below((a), (bound), #a, __FILE__, __LINE__)
#define ASSERT_BITS(a, b, bytes) assert_bits((a), (b), (bytes), #a " and " #b, __FILE__, __LINE__)
#define ASSERT_STATUS(system, call, status) assert_status((system), (call), (status), #call, __FILE__, __LINE__)
#define ASSERT_OK(system, call) ASSERT_STATUS(system, call, DEM_OK)

#endif
