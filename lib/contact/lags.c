/* Entries of lagged friction, by pairs of a list and by ids; see lags.h. */
#include "lags.h"

#include <string.h>

#include "contacts.h"
#include "context.h"

void demi_lags_free(demi_lags *lags, dem_context *context) {
  demi_free(context, lags->rows, (size_t)lags->capacity * DEMI_LAG_ROW * sizeof *lags->rows);
  demi_carry_free(&lags->kept, context);
  memset(lags, 0, sizeof *lags);
}

dem_status demi_lags_reserve(demi_lags *lags, dem_context *context, const demi_list *list) {
  const int64_t pairs = list->pairs + list->face_pairs;
  if (pairs > lags->capacity || !lags->rows) {
    const int64_t n = pairs + pairs / 4 + 64;
    double *fresh = demi_allocate(context, (size_t)n * DEMI_LAG_ROW * sizeof *fresh);
    if (!fresh) return DEM_NO_MEMORY;
    demi_free(context, lags->rows, (size_t)lags->capacity * DEMI_LAG_ROW * sizeof *fresh);
    lags->rows = fresh;
    lags->capacity = n;
  }
  for (int64_t pair = 0; pair < pairs; pair++) lags->rows[DEMI_LAG_ROW * pair + DEMI_LAG_LIVE] = 0;
  return DEM_OK;
}

/* ---- by ids ---- */

static int is_live(const demi_lags *lags, int64_t pair) { return lags->rows[DEMI_LAG_ROW * pair + DEMI_LAG_LIVE] != 0; }

static void keep_pair(demi_lags *lags, int64_t pair, dem_id i, dem_id j, int64_t face) {
  demi_carry *kept = &lags->kept;
  if (!is_live(lags, pair)) return;
  kept->entry[kept->count] = (demi_carried){i, j, face};
  memcpy(kept->values + DEMI_LAG_ROW * kept->count++, lags->rows + DEMI_LAG_ROW * pair, DEMI_LAG_ROW * sizeof(double));
}

dem_status demi_lags_keep(demi_lags *lags, dem_context *context, const demi_list *list, const demi_store *store) {
  const dem_id *id = store->columns.id;
  int64_t count = 0;
  for (int64_t pair = 0; pair < list->pairs + list->face_pairs; pair++) count += is_live(lags, pair);
  const dem_status status = demi_carry_open(&lags->kept, context, count, DEMI_LAG_ROW);
  if (status) return status;
  for (int32_t i = 0; i < list->chunks.row[list->chunks.count]; i++)
    for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
      keep_pair(lags, s, id[i], id[list->code[s] & DEMI_ROW_MASK], -1);
  for (int64_t s = 0; s < list->face_pairs; s++)
    keep_pair(lags, list->pairs + s, id[list->face_row[s]], 0, list->faces->face[list->face_index[s]].id);
  return DEM_OK;
}

/* ---- by pairs ---- */

/* i and j have changed places: the other way round. */
static void turn_entry(double *row) {
  const double arm = row[DEMI_LAG_ARMS];
  row[DEMI_LAG_ARMS] = row[DEMI_LAG_ARMS + 1];
  row[DEMI_LAG_ARMS + 1] = arm;
  for (int a = 0; a < 3; a++) row[DEMI_LAG_NORMAL + a] = -row[DEMI_LAG_NORMAL + a];
}

dem_status demi_lags_spread(demi_lags *lags, dem_context *context, const demi_list *list, const demi_store *store) {
  const dem_status status = demi_lags_reserve(lags, context, list);
  if (status) return status;
  for (int64_t e = 0; e < lags->kept.count; e++) {
    int turned;
    const int64_t pair = demi_carried_pair(&lags->kept.entry[e], list, store, &turned);
    double *row = lags->rows + DEMI_LAG_ROW * pair;
    if (pair < 0) continue;
    memcpy(row, lags->kept.values + DEMI_LAG_ROW * e, DEMI_LAG_ROW * sizeof *row);
    if (turned) turn_entry(row);
  }
  return DEM_OK;
}
