/* Long series of like cases. A run tries all of them unless the environment variable DEM_TEST_PART is n > 1: then one in n, spread over
 * the series, and the same ones in every run. `.ci/run` tries all of them in its first configuration and a part in the others. */
#ifndef TESTS_SERIES_H
#define TESTS_SERIES_H

#include <stdint.h>
#include <stdlib.h>

/* 1: everything. */
static inline int64_t series_part(void) {
  const char *const text = getenv("DEM_TEST_PART");
  const long long part = text ? atoll(text) : 1;
  return part > 1 ? part : 1;
}

/* Is case k tried? Cases are often numbered by digits, one for each option: a multiplicative hash takes all values of each digit. */
static inline int series_takes(int64_t k) {
  return ((uint64_t)(k + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 33) % (uint64_t)series_part() == 0;
}

/* Of `count` random draws, or steps of time. */
static inline int64_t series_count(int64_t count) { return (count + series_part() - 1) / series_part(); }

#endif
