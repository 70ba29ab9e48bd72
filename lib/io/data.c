#include "data.h"

#include <string.h>

#include "context.h"

enum { FIRST_ROWS = 256 };

static size_t row_size(int column) {
  switch (column) {
    case DEMI_DATA_POSITION:
    case DEMI_DATA_VELOCITY:
    case DEMI_DATA_SPIN: return 3 * sizeof(double);
    case DEMI_DATA_IMAGE: return 3 * sizeof(int32_t);
    case DEMI_DATA_MATERIAL: return sizeof(int32_t);
    default: return sizeof(double);
  }
}

dem_data *demi_data_create(dem_context *context) {
  dem_data *data = demi_allocate_zero(context, sizeof *data);
  if (!data) return NULL;
  data->context = context;
  atomic_fetch_add(&context->objects, 1);
  return data;
}

void demi_data_destroy(dem_data *data) {
  if (!data) return;
  dem_context *context = data->context;
  for (int i = 0; i < DEMI_DATA_COLUMNS; i++) demi_free(context, data->columns[i].rows, data->columns[i].bytes);
  demi_free(context, data, sizeof *data);
  atomic_fetch_sub(&context->objects, 1);
}

/* Each column remembers its own size: when a later one fails, those before it have already moved. */
static dem_status resize_column(dem_data *data, int column, int64_t rows) {
  demi_column *c = &data->columns[column];
  if ((uint64_t)rows > SIZE_MAX / row_size(column)) return DEM_NO_MEMORY;
  const size_t bytes = (size_t)rows * row_size(column);
  void *fresh = demi_resize(data->context, c->rows, c->bytes, bytes);
  if (!fresh) return DEM_NO_MEMORY;
  if (bytes > c->bytes) memset((char *)fresh + c->bytes, 0, bytes - c->bytes);
  c->rows = fresh;
  c->bytes = bytes;
  return DEM_OK;
}

static dem_status resize(dem_data *data, int64_t rows) {
  for (int i = 0; i < DEMI_DATA_COLUMNS; i++)
    if (resize_column(data, i, rows)) return DEM_NO_MEMORY;
  data->capacity = rows;
  return DEM_OK;
}

dem_status demi_data_grow(dem_data *data, int64_t limit) {
  if (data->count == data->capacity) {
    const int64_t wanted = data->capacity == 0 ? FIRST_ROWS : data->capacity > INT64_MAX / 2 ? INT64_MAX : 2 * data->capacity;
    if (resize(data, wanted < limit ? wanted : limit)) return DEM_NO_MEMORY;
  }
  data->count++;
  return DEM_OK;
}

dem_status demi_data_trim(dem_data *data) {
  const int64_t rows = data->count > 0 ? data->count : 1;
  return data->capacity == rows ? DEM_OK : resize(data, rows);
}
