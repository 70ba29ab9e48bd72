#include "law_table.h"

#include <string.h>

#include "memory.h"

void demi_laws_init(demi_laws *laws, dem_context *context) {
  memset(laws, 0, sizeof *laws);
  laws->context = context;
}

static void free_pairs(demi_laws *laws) {
  const size_t n = (size_t)laws->materials * (size_t)laws->materials;
  demi_free(laws->context, laws->of_pair, n * sizeof *laws->of_pair);
  demi_free(laws->context, laws->interacts, n * sizeof *laws->interacts);
}

static void free_entries(demi_laws *laws) {
  demi_free(laws->context, laws->entry, (size_t)laws->capacity * sizeof *laws->entry);
  demi_free(laws->context, laws->spare, (size_t)laws->capacity * sizeof *laws->spare);
}

void demi_laws_free(demi_laws *laws) {
  for (int32_t k = 0; k < laws->count; k++) demi_free(laws->context, laws->entry[k].bound, sizeof *laws->entry[k].bound);
  free_entries(laws);
  free_pairs(laws);
  demi_laws_init(laws, laws->context);
}

int64_t demi_laws_bytes(const demi_laws *laws) {
  const int64_t pairs = (int64_t)laws->materials * laws->materials;
  return laws->capacity * (int64_t)(2 * sizeof *laws->entry) + laws->count * (int64_t)sizeof *laws->entry->bound +
         pairs * (int64_t)(sizeof *laws->of_pair + sizeof *laws->interacts);
}

/* ---- room ---- */

static void copy_pairs(const demi_laws *from, demi_laws *to) {
  const size_t n = (size_t)from->materials, wide = (size_t)to->materials;
  for (size_t a = 0; a < n; a++) {
    memcpy(to->of_pair + a * wide, from->of_pair + a * n, n * sizeof *to->of_pair);
    memcpy(to->interacts + a * wide, from->interacts + a * n, n * sizeof *to->interacts);
  }
}

dem_status demi_laws_reserve(demi_laws *laws, int32_t materials) {
  if (materials <= laws->materials) return DEM_OK;
  const size_t n = (size_t)materials * (size_t)materials;
  demi_laws wide = *laws;
  wide.materials = materials;
  wide.of_pair = demi_allocate(laws->context, n * sizeof *wide.of_pair);
  wide.interacts = demi_allocate(laws->context, n * sizeof *wide.interacts);
  if (!wide.of_pair || !wide.interacts) {
    free_pairs(&wide);
    return DEM_NO_MEMORY;
  }
  memset(wide.of_pair, -1, n * sizeof *wide.of_pair);
  memset(wide.interacts, 1, n * sizeof *wide.interacts);
  copy_pairs(laws, &wide);
  free_pairs(laws);
  *laws = wide;
  return DEM_OK;
}

/* For one entry more. */
static dem_status reserve_entry(demi_laws *laws) {
  if (laws->count < laws->capacity) return DEM_OK;
  demi_laws more = *laws;
  more.capacity = laws->capacity + laws->capacity / 2 + 4;
  more.entry = demi_allocate(laws->context, (size_t)more.capacity * sizeof *more.entry);
  more.spare = demi_allocate(laws->context, (size_t)more.capacity * sizeof *more.spare);
  if (!more.entry || !more.spare) {
    free_entries(&more);
    return DEM_NO_MEMORY;
  }
  if (laws->count) memcpy(more.entry, laws->entry, (size_t)laws->count * sizeof *more.entry);
  free_entries(laws);
  *laws = more;
  return DEM_OK;
}

/* ---- a new law for a pair ---- */

/* FNV-1a, by words of eight bytes. */
static uint64_t digest_of(const demi_bound *bound) {
  uint64_t digest = UINT64_C(14695981039346656037) ^ (uint64_t)(uintptr_t)bound->law, word;
  const unsigned char *bytes = &bound->parameters[0][0];
  for (size_t k = 0; k < sizeof bound->parameters; k += sizeof word) {
    memcpy(&word, bytes + k, sizeof word);
    digest = (digest ^ word) * UINT64_C(1099511628211);
  }
  return digest;
}

static int32_t find_equal(const demi_laws *laws, const demi_bound *bound, uint64_t digest) {
  for (int32_t k = 0; k < laws->count; k++) {
    const demi_law_entry *entry = &laws->entry[k];
    if (entry->digest == digest && entry->bound->law == bound->law &&
        memcmp(entry->bound->parameters, bound->parameters, sizeof bound->parameters) == 0)
      return k;
  }
  return laws->count;
}

dem_status demi_laws_prepare(demi_laws *laws, const demi_bound *bound, demi_law_change *change) {
  *change = (demi_law_change){NULL, find_equal(laws, bound, digest_of(bound))};
  if (change->index < laws->count) return DEM_OK;
  if (reserve_entry(laws)) return DEM_NO_MEMORY;
  change->fresh = demi_allocate(laws->context, sizeof *bound);
  if (!change->fresh) return DEM_NO_MEMORY;
  *change->fresh = *bound;
  return DEM_OK;
}

void demi_laws_drop(demi_laws *laws, const demi_law_change *change) {
  demi_free(laws->context, change->fresh, sizeof *change->fresh);
}

static int64_t pair_in_rows(int32_t a, int32_t b) { return (int64_t)a << 32 | b; }

static void set_index(demi_laws *laws, int32_t a, int32_t b, int32_t index) {
  laws->of_pair[(int64_t)a * laws->materials + b] = laws->of_pair[(int64_t)b * laws->materials + a] = index;
}

static void note_kind(demi_laws *laws, const demi_bound *bound) {
  if (bound->holds) laws->holds = 1;
  if (bound->evaluate[DEMI_GAP]) laws->gaps = 1;
}

/* Gives each entry the number of its first pair's turn; an entry without a pair keeps -1. Returns how many have pairs. */
static int32_t number_entries(demi_laws *laws) {
  int32_t used = 0;
  for (int32_t k = 0; k < laws->count; k++) laws->entry[k].number = -1;
  for (int32_t a = 0; a < laws->materials; a++)
    for (int32_t b = a; b < laws->materials; b++) {
      const int32_t index = demi_laws_index(laws, a, b);
      if (index < 0) continue;
      demi_law_entry *entry = &laws->entry[index];
      if (entry->number < 0) entry->number = used++, entry->first = pair_in_rows(a, b);
      set_index(laws, a, b, entry->number);
    }
  return used;
}

static void put_in_order(demi_laws *laws) {
  const int32_t used = number_entries(laws);
  laws->holds = laws->gaps = 0;
  for (int32_t k = 0; k < laws->count; k++) {
    const demi_law_entry *entry = &laws->entry[k];
    if (entry->number < 0) {
      demi_free(laws->context, entry->bound, sizeof *entry->bound);
      continue;
    }
    laws->spare[entry->number] = *entry;
    note_kind(laws, entry->bound);
  }
  demi_law_entry *ordered = laws->spare;
  laws->spare = laws->entry;
  laws->entry = ordered;
  laws->count = used;
}

void demi_laws_commit(demi_laws *laws, int32_t a, int32_t b, const demi_law_change *change) {
  const int32_t low = a < b ? a : b, high = a < b ? b : a, before = demi_laws_index(laws, low, high);
  const int64_t pair = pair_in_rows(low, high);
  const int after_all = laws->count == 0 || pair > laws->entry[laws->count - 1].first;
  if (change->fresh) {
    laws->entry[laws->count++] = (demi_law_entry){change->fresh, digest_of(change->fresh), pair, 0};
    note_kind(laws, change->fresh);
  }
  const demi_law_entry *entry = &laws->entry[change->index];
  const int in_order = change->fresh ? after_all : pair > entry->first;
  laws->interacts[(int64_t)low * laws->materials + high] = laws->interacts[(int64_t)high * laws->materials + low] =
      !entry->bound->inert;
  set_index(laws, low, high, change->index);
  if (before >= 0 || !in_order) put_in_order(laws);
}
