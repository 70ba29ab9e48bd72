#include "store.h"

#include <string.h>

#include "memory.h"

void demi_store_init(demi_store *store, dem_context *context) {
  memset(store, 0, sizeof *store);
  store->context = context;
  demi_idpool_init(&store->ids, context);
}

static void free_columns(demi_store *store, demi_columns *columns, int64_t capacity) {
#define FREE(type, name, width) demi_free(store->context, columns->name, (size_t)capacity *(width) * sizeof(type));
#define FREE_OPTIONAL(group, type, name, width) FREE(type, name, width)
  DEMI_COLUMNS(FREE)
  DEMI_OPTIONAL_COLUMNS(FREE_OPTIONAL)
#undef FREE_OPTIONAL
#undef FREE
  for (int32_t k = 0; k < store->added_count; k++)
    demi_free(store->context, columns->added[k], (size_t)capacity * (size_t)store->added[k].width * sizeof(double));
  memset(columns, 0, sizeof *columns);
}

/* All or none. */
static dem_status allocate_optional(demi_store *store, demi_columns *columns, int64_t capacity, int32_t groups) {
  int complete = 1;
#define ALLOCATE(group, type, name, width) \
  if (groups & (group))                    \
    complete =                             \
        complete && (columns->name = demi_allocate_zero(store->context, (size_t)capacity * (width) * sizeof(type))) != NULL;
  DEMI_OPTIONAL_COLUMNS(ALLOCATE)
#undef ALLOCATE
  if (complete) return DEM_OK;
  free_columns(store, columns, capacity);
  return DEM_NO_MEMORY;
}

static double *allocate_added(demi_store *store, int64_t capacity, int32_t width) {
  return demi_allocate_zero(store->context, (size_t)capacity * (size_t)width * sizeof(double));
}

/* All or none. */
static dem_status allocate_columns(demi_store *store, demi_columns *columns, int64_t capacity) {
  memset(columns, 0, sizeof *columns);
  int complete = 1;
#define ALLOCATE(type, name, width) \
  complete =                        \
      complete && (columns->name = demi_allocate_zero(store->context, (size_t)capacity * (width) * sizeof(type))) != NULL;
  DEMI_COLUMNS(ALLOCATE)
#undef ALLOCATE
  for (int32_t k = 0; k < store->added_count; k++)
    complete = complete && (columns->added[k] = allocate_added(store, capacity, store->added[k].width)) != NULL;
  if (complete) return allocate_optional(store, columns, capacity, store->keeps);
  free_columns(store, columns, capacity);
  return DEM_NO_MEMORY;
}

static void free_listing(demi_store *store) {
  demi_free(store->context, store->listed, (size_t)store->capacity * sizeof *store->listed);
  demi_free(store->context, store->place, (size_t)store->capacity * sizeof *store->place);
}

void demi_store_free(demi_store *store) {
  free_columns(store, &store->columns, store->capacity);
  free_columns(store, &store->spare, store->capacity);
  free_listing(store);
  demi_free(store->context, store->added, store->added ? DEMI_MAX_ADDED * sizeof *store->added : 0);
  demi_idpool_free(&store->ids);
}

static void copy_rows(const demi_store *store, demi_columns *to, const demi_columns *from) {
  const int64_t count = store->count;
  if (count == 0) return;
#define COPY(type, name, width) memcpy(to->name, from->name, (size_t)count *(width) * sizeof(type));
#define COPY_OPTIONAL(group, type, name, width) \
  if (from->name) COPY(type, name, width)
  DEMI_COLUMNS(COPY)
  DEMI_OPTIONAL_COLUMNS(COPY_OPTIONAL)
#undef COPY_OPTIONAL
#undef COPY
  for (int32_t k = 0; k < store->added_count; k++)
    memcpy(to->added[k], from->added[k], (size_t)count * (size_t)store->added[k].width * sizeof(double));
}

static int64_t grown(int64_t capacity, int64_t wanted) {
  const int64_t larger = capacity + capacity / 2;
  return wanted > larger ? wanted : larger;
}

/* Current rows, listing and all the rest into larger arrays. */
static void move_over(demi_store *store, demi_store *fresh) {
  copy_rows(store, &fresh->columns, &store->columns);
  if (store->capacity > 0) {
    memcpy(fresh->listed, store->listed, (size_t)store->capacity * sizeof *store->listed);
    memcpy(fresh->place, store->place, (size_t)store->capacity * sizeof *store->place);
  }
  free_columns(store, &store->columns, store->capacity);
  free_columns(store, &store->spare, store->capacity);
  free_listing(store);
  *store = *fresh;
}

dem_status demi_store_reserve(demi_store *store, int64_t wanted) {
  if (wanted <= store->capacity) return DEM_OK;
  demi_store fresh = *store;
  fresh.capacity = grown(store->capacity, wanted);
  const size_t bytes = (size_t)fresh.capacity * sizeof *fresh.listed;
  if (allocate_columns(store, &fresh.columns, fresh.capacity)) return DEM_NO_MEMORY;
  if (allocate_columns(store, &fresh.spare, fresh.capacity)) {
    free_columns(store, &fresh.columns, fresh.capacity);
    return DEM_NO_MEMORY;
  }
  fresh.listed = demi_allocate_zero(store->context, bytes);
  fresh.place = demi_allocate_zero(store->context, bytes);
  if (fresh.listed && fresh.place) {
    move_over(store, &fresh);
    return DEM_OK;
  }
  free_listing(&fresh);
  free_columns(store, &fresh.columns, fresh.capacity);
  free_columns(store, &fresh.spare, fresh.capacity);
  return DEM_NO_MEMORY;
}

void demi_store_list(demi_store *store, dem_id id, int64_t place) {
  store->listed[place] = (int32_t)demi_id_slot(id);
  store->place[demi_id_slot(id)] = (int32_t)place;
}

void demi_store_unlist(demi_store *store, int64_t count) {
  int32_t kept = 0;
  for (int64_t k = 0; k < count; k++) {
    const int32_t slot = store->listed[k];
    if (store->ids.row[slot] < 0) continue;
    store->listed[kept] = slot;
    store->place[slot] = kept++;
  }
}

dem_status demi_store_keep(demi_store *store, int32_t groups) {
  const int32_t missing = groups & ~store->keeps;
  if (!missing) return DEM_OK;
  demi_columns columns = {0}, spare = {0};
  if (store->capacity > 0) {
    if (allocate_optional(store, &columns, store->capacity, missing)) return DEM_NO_MEMORY;
    if (allocate_optional(store, &spare, store->capacity, missing)) {
      free_columns(store, &columns, store->capacity);
      return DEM_NO_MEMORY;
    }
#define TAKE(group, type, name, width) \
  if (missing & (group)) store->columns.name = columns.name, store->spare.name = spare.name;
    DEMI_OPTIONAL_COLUMNS(TAKE)
#undef TAKE
  }
  store->keeps |= missing;
  return DEM_OK;
}

static dem_status allocate_list_of_added(demi_store *store) {
  if (!store->added) store->added = demi_allocate_zero(store->context, DEMI_MAX_ADDED * sizeof *store->added);
  return store->added ? DEM_OK : DEM_NO_MEMORY;
}

dem_status demi_store_add_column(demi_store *store, const char *name, int32_t width) {
  const int32_t k = store->added_count;
  double *current = NULL, *spare = NULL;
  if (allocate_list_of_added(store)) return DEM_NO_MEMORY;
  if (store->capacity > 0) {
    current = allocate_added(store, store->capacity, width);
    spare = allocate_added(store, store->capacity, width);
    if (!current || !spare) {
      const size_t bytes = (size_t)store->capacity * (size_t)width * sizeof(double);
      demi_free(store->context, current, bytes);
      demi_free(store->context, spare, bytes);
      return DEM_NO_MEMORY;
    }
  }
  memcpy(store->added[k].name, name, strlen(name) + 1);
  store->added[k].width = width;
  store->columns.added[k] = current;
  store->spare.added[k] = spare;
  store->added_count++;
  return DEM_OK;
}

void demi_store_clear_optional(demi_store *store, int64_t row) {
#define CLEAR(group, type, name, width) \
  if (store->keeps & (group)) memset(store->columns.name + row * (width), 0, (width) * sizeof(type));
  DEMI_OPTIONAL_COLUMNS(CLEAR)
#undef CLEAR
  for (int32_t k = 0; k < store->added_count; k++) {
    const int32_t width = store->added[k].width;
    memset(store->columns.added[k] + row * width, 0, (size_t)width * sizeof(double));
  }
}

static void gather_added(double *to, const double *from, int32_t width, const int32_t *order, int64_t count) {
  for (int64_t k = 0; k < count; k++) memcpy(to + k * width, from + (int64_t)order[k] * width, (size_t)width * sizeof(double));
}

void demi_store_permute(demi_store *store, const int32_t *order, int64_t count) {
#define GATHER(type, name, width)     \
  for (int64_t k = 0; k < count; k++) \
    memcpy(store->spare.name + k * (width), store->columns.name + (int64_t)order[k] * (width), (width) * sizeof(type));
#define GATHER_OPTIONAL(group, type, name, width) \
  if (store->keeps & (group)) GATHER(type, name, width)
  DEMI_COLUMNS(GATHER)
  DEMI_OPTIONAL_COLUMNS(GATHER_OPTIONAL)
#undef GATHER_OPTIONAL
#undef GATHER
  for (int32_t k = 0; k < store->added_count; k++)
    gather_added(store->spare.added[k], store->columns.added[k], store->added[k].width, order, count);
}

void demi_store_swap(demi_store *store, int64_t count) {
  const demi_columns old = store->columns;
  store->columns = store->spare;
  store->spare = old;
  store->count = count;
  demi_idpool_renumber(&store->ids, store->columns.id, count);
}

/* Of one row in one set of columns. */
static int64_t row_bytes(const demi_store *store) {
  int64_t bytes = 0;
#define ADD(type, name, width) bytes += (int64_t)sizeof(type) * (width);
#define ADD_OPTIONAL(group, type, name, width) \
  if (store->keeps & (group)) ADD(type, name, width)
  DEMI_COLUMNS(ADD)
  DEMI_OPTIONAL_COLUMNS(ADD_OPTIONAL)
#undef ADD_OPTIONAL
#undef ADD
  for (int32_t k = 0; k < store->added_count; k++) bytes += (int64_t)sizeof(double) * store->added[k].width;
  return bytes;
}

int64_t demi_store_bytes(const demi_store *store) {
  const int64_t listing = (int64_t)(sizeof *store->listed + sizeof *store->place);
  return store->capacity * (2 * row_bytes(store) + listing) + store->ids.capacity * 12 +
         (store->added ? DEMI_MAX_ADDED * (int64_t)sizeof *store->added : 0);
}
