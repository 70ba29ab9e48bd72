#include "csv.h"

#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *open_in(const char *folder, const char *file) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/%s", DEM_SHARED_DATA, folder, file);
  return fopen(path, "r");
}

static int32_t count_columns(const char *line) {
  int32_t n = 1;
  for (; *line; line++) n += *line == ',';
  return n;
}

/* Appends a row of numbers; the row buffer doubles. */
static void take_row(csv *t, char *line, int64_t *capacity) {
  if (t->columns == 0) t->columns = count_columns(line);
  if (t->rows == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 64;
    t->values = realloc(t->values, (size_t)(*capacity * t->columns) * sizeof(double));
    if (!t->values) abort();
  }
  double *row = t->values + t->rows++ * t->columns;
  for (int32_t c = 0; c < t->columns; c++) {
    char *end;
    row[c] = strtod(line, &end);
    if (end == line) abort();
    line = *end == ',' ? end + 1 : end;
  }
}

static void keep_text(csv *t, const char *line) {
  const size_t used = strlen(t->head);
  snprintf(t->head + used, sizeof t->head - used, "%s", line);
}

static int is_number(const char *line) { return strchr("+-.0123456789", line[0]) != NULL; }

int csv_read(csv *t, const char *folder, const char *file) {
  *t = (csv){.columns = 0};
  FILE *in = open_in(folder, file);
  if (!in) return 1;
  char line[4096];
  int64_t capacity = 0;
  while (fgets(line, sizeof line, in)) {
    if (line[0] == '#')
      keep_text(t, line);
    else if (line[0] != '\n' && is_number(line))
      take_row(t, line, &capacity);
  }
  fclose(in);
  return 0;
}

void csv_free(csv *t) {
  free(t->values);
  t->values = NULL;
}

const double *csv_row(const csv *t, int64_t row) { return t->values + row * t->columns; }

const char *csv_after(const csv *t, const char *key) {
  const char *at = strstr(t->head, key);
  if (!at) abort();
  return at + strlen(key);
}

double csv_number(const csv *t, const char *key) { return strtod(csv_after(t, key), NULL); }

void csv_need(const char *folder) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", DEM_SHARED_DATA, folder);
  FILE *probe = fopen(path, "r"); /* a folder can be opened, if not read */
  if (probe) {
    fclose(probe);
    return;
  }
  print_message("# skipped: no reference data at %s\n", path);
  skip();
}
