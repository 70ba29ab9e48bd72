/* The lean evaluation around its kernel; see lean.h. */
#include "lean.h"

#include <string.h>

#include "compensated.h"
#include "wide.h"

static int is_lean(const demi_bound *b) {
  return b->evaluate[DEMI_NORMAL] && !b->evaluate[DEMI_TANGENTIAL] && !b->evaluate[DEMI_GAP] && !b->rolls && !b->holds &&
         b->history_total == 0;
}

int demi_laws_lean(const demi_laws *laws) {
  for (int32_t k = 0; k < laws->count; k++)
    if (!is_lean(laws->entry[k].bound)) return 0;
  return laws->count > 0;
}

/* ---- memory ---- */

void demi_lean_free(demi_lean *l) {
  demi_free(l->context, l->force, (size_t)l->row_capacity * 4 * sizeof *l->force);
  demi_free(l->context, l->first, (size_t)l->pick_capacity * sizeof *l->first);
  demi_free(l->context, l->second, (size_t)l->pick_capacity * sizeof *l->second);
  demi_free(l->context, l->image, (size_t)l->pick_capacity * sizeof *l->image);
  *l = (demi_lean){.context = l->context, .picks = -1};
}

static dem_status reserve(demi_lean *l, int64_t rows, int64_t pairs) {
  if (rows <= l->row_capacity && pairs <= l->pick_capacity && l->force) return DEM_OK;
  demi_lean_free(l);
  l->row_capacity = rows;
  l->pick_capacity = pairs + pairs / 4 + 64;
  l->force = demi_allocate_zero(l->context, (size_t)l->row_capacity * 4 * sizeof *l->force);
  l->first = demi_allocate_zero(l->context, (size_t)l->pick_capacity * sizeof *l->first);
  l->second = demi_allocate_zero(l->context, (size_t)l->pick_capacity * sizeof *l->second);
  l->image = demi_allocate_zero(l->context, (size_t)l->pick_capacity * sizeof *l->image);
  if (l->force && l->first && l->second && l->image) return DEM_OK;
  demi_lean_free(l);
  return DEM_NO_MEMORY;
}

dem_status demi_lean_reserve(demi_lean *l, const demi_list *list, const demi_laws *laws, int64_t rows) {
  const dem_status status = reserve(l, rows, list->pairs);
  l->needs_mass = l->needs_radius = 0;
  for (int32_t k = 0; k < laws->count; k++) {
    l->needs_mass |= laws->entry[k].bound->mass_matters;
    l->needs_radius |= laws->entry[k].bound->radius_matters;
  }
  return status;
}

/* ---- pairs ---- */

static void note_pair(demi_lean *l, const demi_list *list, int64_t k) {
  const uint32_t code = list->code[list->near_pair[k]];
  l->first[k] = 4 * (uint32_t)list->near_row[k];
  l->second[k] = 4 * (code & DEMI_ROW_MASK);
  l->image[k] = (uint8_t)(4 * (code >> DEMI_SHIFT_BITS));
}

void demi_lean_note_pick(demi_lean *l, const demi_list *list, int32_t chunk) {
  if (l->picks == list->prunes) return;
  for (int32_t b = list->chunks.block[chunk]; b < list->chunks.block[chunk + 1]; b++) {
    const int64_t first = list->row_start[demi_block_first(&list->motion, b)];
    for (int64_t k = first; k < first + list->near_count[b]; k++) note_pair(l, list, k);
  }
}

/* ---- sums ---- */

/* Place of the first force that a chunk puts aside. */
static int64_t first_aside(const demi_list *list, int32_t chunk) { return list->row_start[list->chunks.row[chunk]]; }

void demi_lean_gather(demi_lean *l, const demi_list *list, const demi_loads *loads, int32_t chunk) {
  const int32_t first = list->chunks.row[chunk], last = list->chunks.row[chunk + 1];
  for (int32_t c = chunk - 1; c >= 0; c--) {
    const int64_t place = first_aside(list, c);
    for (int64_t k = 0; k < l->aside[c]; k++) {
      const int32_t j = loads->j[place + k];
      double *sum = l->force + 4 * (int64_t)j;
      if (j >= first && j < last) demi_store4(sum, demi_load4(sum) - demi_load4(loads->rows + 8 * place + 4 * k));
    }
  }
}

double demi_lean_energy(const demi_contacts *c, const demi_list *list) {
  demi_sum sum = {0, 0};
  for (int32_t b = 0; b < list->motion.blocks; b++) {
    const double *sums = c->sums + (int64_t)DEMI_BOOK_ENTRIES * b;
    demi_sum_add(&sum, sums[DEMI_SECTION_PAIR * DEMI_SECTION_ENTRIES + DEMI_ENERGY_NORMAL]);
    demi_sum_add(&sum, sums[DEMI_SECTION_WALL * DEMI_SECTION_ENTRIES + DEMI_ENERGY_NORMAL]);
  }
  return demi_sum_get(&sum);
}
