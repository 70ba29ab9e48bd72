/* Radii from text: the first word of each line. */
#include "fields.h"
#include "packing.h"

static dem_status read_one(demi_lines *lines, const demi_numbers *numbers, int64_t capacity, double *radii, int64_t *count) {
  double value = 0;
  const dem_status status = demi_field_real(lines, numbers, 0, "radius", &value);
  if (status) return status;
  if (!(value > 0)) return demi_lines_refuse_word(lines, 0, "a radius above 0");
  if (*count >= capacity)
    return demi_refuse_context(lines->context, DEM_BAD_ARGUMENT, "radii: line %lld has radius %lld, and capacity is %lld",
                               (long long)lines->number, (long long)*count + 1, (long long)capacity);
  radii[(*count)++] = value;
  return DEM_OK;
}

static dem_status read_all(demi_lines *lines, int64_t capacity, double *radii, int64_t *count) {
  demi_numbers numbers;
  dem_status status = demi_numbers_open(&numbers);
  if (status) return demi_refuse_context(lines->context, status, "radii: out of memory");
  while (!status) {
    status = demi_lines_next_filled(lines);
    if (status || lines->ended) break;
    status = read_one(lines, &numbers, capacity, radii, count);
  }
  demi_numbers_close(&numbers);
  return status;
}

dem_status demi_radii_read(dem_context *context, const dem_source *source, int64_t capacity, double *radii, int64_t *count) {
  demi_lines lines;
  dem_status status = demi_lines_open(&lines, context, source, NULL);
  if (status) return status;
  *count = 0;
  status = read_all(&lines, capacity, radii, count);
  demi_lines_close(&lines);
  return status;
}
