/* The text of a data file: see data_text.h. */
#include "unit/data_text.h"

const char *const data_text_lines[DATA_TEXT_LINES] = {
    "title",
    "",
    "2 atoms",
    "2 atom types",
    "-1 1.5 xlo xhi",
    "0 2 ylo yhi",
    "0 3 zlo zhi",
    "",
    "Atoms # sphere",
    "",
    "1 1 0.5 2.5 0.1 0.2 0.3 0 0 0",
    "7 2 0.25 2 0.4 0.5 0.6 -1 0 1",
    "",
    "Velocities",
    "",
    "7 1 2 3 4 5 6",
    "1 -1 -2 -3 -4 -5 -6",
};

dem_context *data_text_context;
static int64_t memory_before;

int data_text_open(void **state) {
  (void)state;
  return dem_context_create(NULL, &data_text_context) != DEM_OK ||
         dem_context_memory(data_text_context, &memory_before) != DEM_OK;
}

int data_text_close(void **state) {
  (void)state;
  int64_t memory = -1;
  dem_context_memory(data_text_context, &memory);
  return memory != memory_before || dem_context_destroy(data_text_context) != DEM_OK;
}

void data_text_compose(char text[DATA_TEXT_SIZE], int number, const char *line, const char *line_end) {
  text[0] = '\0';
  for (int i = 1; i <= DATA_TEXT_LINES; i++) {
    const char *present = i == number ? line : data_text_lines[i - 1];
    if (!present) continue;
    strcat(text, present);
    strcat(text, line_end);
  }
}

dem_status data_text_read_bytes(const char *text, int64_t size, int64_t chunk, dem_data **data) {
  /* A copy of the exact size, so that a checker sees every step outside. */
  bytes b = {.text = malloc((size_t)size + (size == 0)), .size = size, .chunk = chunk, .fail_at = -1};
  assert_non_null(b.text);
  memcpy(b.text, text, (size_t)size);
  const dem_source source = bytes_source(&b);
  const dem_status status = dem_data_read(data_text_context, &source, data);
  free(b.text);
  assert_true((status == DEM_OK) == (*data != NULL));
  return status;
}

dem_status data_text_read(const char *text, dem_data **data) {
  return data_text_read_bytes(text, (int64_t)strlen(text), 0, data);
}

void data_text_check(const dem_data *data, int velocities) {
  dem_particles p = {.struct_size = sizeof p};
  const int64_t *tags;
  double low[3], high[3];
  int32_t types;
  assert_int_equal(dem_data_box(data, low, high), DEM_OK);
  ASSERT_BITS(low, ((double[]){-1, 0, 0}), sizeof low);
  ASSERT_BITS(high, ((double[]){1.5, 2, 3}), sizeof high);
  assert_int_equal(dem_data_types(data, &types), DEM_OK);
  assert_int_equal(types, 2);
  assert_int_equal(dem_data_tags(data, &tags), DEM_OK);
  ASSERT_BITS(tags, ((int64_t[]){1, 7}), 2 * sizeof *tags);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, 2);
  ASSERT_BITS(p.position, ((double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), 6 * sizeof(double));
  ASSERT_BITS(p.radius, ((double[]){0.25, 0.125}), 2 * sizeof(double));
  ASSERT_BITS(p.density, ((double[]){2.5, 2}), 2 * sizeof(double));
  ASSERT_BITS(p.material, ((int32_t[]){0, 1}), 2 * sizeof(int32_t));
  assert_null(p.frozen);
  const double v = velocities;
  ASSERT_BITS(p.velocity, ((double[]){v * -1, v * -2, v * -3, v, v * 2, v * 3}), velocities ? 6 * sizeof(double) : 0);
  ASSERT_BITS(p.spin, ((double[]){v * -4, v * -5, v * -6, v * 4, v * 5, v * 6}), velocities ? 6 * sizeof(double) : 0);
  for (int i = 0; i < 6; i++) assert_true(velocities || (p.velocity[i] == 0 && p.spin[i] == 0));
}

void data_text_accept(const char *text, int64_t chunk, int velocities) {
  dem_data *data = NULL;
  if (data_text_read_bytes(text, (int64_t)strlen(text), chunk, &data) != DEM_OK)
    fail_msg("%s", dem_context_message(data_text_context));
  data_text_check(data, velocities);
  dem_data_destroy(data);
}
