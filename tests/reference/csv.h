/* Reads the reference series: lines that begin with '#' are kept as text, a line of names is skipped, the rest are numbers. */
#ifndef TESTS_CSV_H
#define TESTS_CSV_H

#include <stdint.h>

/* Where the reference data lie; the build may say. */
#ifndef DEM_SHARED_DATA
#define DEM_SHARED_DATA "../shared/data"
#endif

typedef struct csv {
  char head[4096]; /* the comment lines */
  int32_t columns;
  int64_t rows;
  double *values; /* row by row */
} csv;

/* 0 when read; 1 when there is no such file; aborts on a malformed one. */
int csv_read(csv *table, const char *folder, const char *file);
void csv_free(csv *table);
const double *csv_row(const csv *table, int64_t row);
/* The number that follows `key` in the comment lines; aborts when there is none. */
double csv_number(const csv *table, const char *key);
/* The text that follows `key`. */
const char *csv_after(const csv *table, const char *key);

/* Leaves the running test as skipped, saying why, when the reference data are not here. */
void csv_need(const char *folder);

#endif
