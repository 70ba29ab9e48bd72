#include "fields.h"

#include <stdio.h>

dem_status demi_field_integer(const demi_lines *lines, int32_t word, int64_t low, int64_t high, const char *what,
                              int64_t *value) {
  char expected[96];
  const demi_word *w = &lines->words[word];
  if (demi_integer_parse(w->text, w->length, value) && *value >= low && *value <= high) return DEM_OK;
  if (high == INT64_MAX)
    snprintf(expected, sizeof expected, "%s of at least %lld", what, (long long)low);
  else
    snprintf(expected, sizeof expected, "%s from %lld to %lld", what, (long long)low, (long long)high);
  return demi_lines_refuse_word(lines, word, expected);
}

dem_status demi_field_real(const demi_lines *lines, const demi_numbers *numbers, int32_t word, const char *what,
                           double *value) {
  char expected[64];
  const demi_word *w = &lines->words[word];
  if (demi_number_parse(numbers, w->text, w->length, value)) return DEM_OK;
  snprintf(expected, sizeof expected, "a finite number for %s", what);
  return demi_lines_refuse_word(lines, word, expected);
}
