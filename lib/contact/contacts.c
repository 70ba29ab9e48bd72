/* The contact table around the kernels: sizes, carried history, parallel evaluation. */
#include "contacts.h"

#include <string.h>

#include "compensated.h"
#include "context.h"
#include "kernels.h"
#include "parallel.h"
#include "pair_shares.h"

void demi_contacts_init(demi_contacts *contacts, dem_context *context) {
  memset(contacts, 0, sizeof *contacts);
  contacts->context = context;
  contacts->stamp = 1;
}

static void free_loads(demi_contacts *c) {
  demi_loads *l = &c->loads;
  const size_t n = (size_t)c->load_capacity;
  demi_free(c->context, l->i, n * sizeof *l->i);
  demi_free(c->context, l->j, n * sizeof *l->j);
  demi_free(c->context, l->rows, n * 8 * sizeof *l->rows);
  demi_free(c->context, l->books, n * (size_t)l->books_width * sizeof *l->books);
  demi_free(c->context, l->damping, n * sizeof *l->damping);
  demi_free(c->context, l->start, n * 4 * sizeof *l->start);
  demi_free(c->context, l->pair, n * sizeof *l->pair);
  demi_free(c->context, l->image, n * sizeof *l->image);
  l->image = NULL;
  l->i = l->j = l->pair = NULL;
  l->rows = l->books = l->damping = l->start = NULL;
  c->load_capacity = 0;
}

static void free_blocks(demi_contacts *c) {
  demi_loads *l = &c->loads;
  const size_t n = (size_t)c->block_capacity;
  for (int k = 0; k < DEMI_SECTIONS; k++) {
    demi_free(c->context, l->first[k], n * sizeof *l->first[k]);
    demi_free(c->context, l->count[k], n * sizeof *l->count[k]);
    l->first[k] = NULL;
    l->count[k] = NULL;
  }
  demi_free(c->context, l->reach, n * sizeof *l->reach);
  demi_free(c->context, l->fine_reach, n * sizeof *l->fine_reach);
  demi_free(c->context, c->broken, n * sizeof *c->broken);
  demi_free(c->context, c->sums, n * DEMI_BOOK_ENTRIES * sizeof *c->sums);
  demi_free(c->context, c->end_sums, n * DEMI_BOOK_ENTRIES * sizeof *c->sums);
  l->reach = l->fine_reach = c->broken = NULL;
  c->sums = c->end_sums = NULL;
  c->block_capacity = 0;
}

static void free_moment_books(demi_contacts *c) {
  const size_t n = (size_t)c->moment_books_capacity, rows = (size_t)c->rolling_share_capacity;
  demi_free(c->context, c->loads.moment_damping, n * 4 * sizeof *c->loads.moment_damping);
  demi_free(c->context, c->loads.moment_start, n * 4 * sizeof *c->loads.moment_start);
  demi_free(c->context, c->rolling_shares, rows * DEMI_SHARE_ENTRIES * sizeof *c->rolling_shares);
  c->loads.moment_damping = c->loads.moment_start = c->rolling_shares = NULL;
  c->moment_books_capacity = c->rolling_share_capacity = 0;
}

void demi_contacts_free(demi_contacts *c) {
  free_loads(c);
  free_blocks(c);
  demi_carry_free(&c->carry, c->context);
  demi_free(c->context, c->shares, (size_t)c->share_capacity * DEMI_SHARE_ENTRIES * sizeof *c->shares);
  demi_free(c->context, c->loads.lever, (size_t)c->lever_capacity * 4 * sizeof *c->loads.lever);
  demi_free(c->context, c->loads.moment, (size_t)c->moment_capacity * 4 * sizeof *c->loads.moment);
  free_moment_books(c);
  demi_free(c->context, c->history, (size_t)c->history_capacity * sizeof *c->history);
  demi_free(c->context, c->workspace, (size_t)c->workspaces * sizeof *c->workspace);
  demi_contacts_init(c, c->context);
}

/* ---- fitting to a list ---- */

static int32_t books_width(const demi_laws *laws, const demi_bonds *bonds) {
  for (int32_t k = 0; k < laws->count; k++)
    if (laws->entry[k].bound->damped) return 8;
  for (int32_t k = 0; k < bonds->type_count; k++)
    if (bonds->type[k].tangential_damping > 0) return 8;
  return 4;
}

static dem_status reserve_loads(demi_contacts *c, int64_t pairs, int32_t width, int32_t ledger, int32_t images) {
  if (pairs <= c->load_capacity && (!images || c->loads.image) &&
      (!ledger || (c->loads.books && c->loads.books_width == width)))
    return DEM_OK;
  free_loads(c);
  c->loads.books_width = width;
  const size_t n = (size_t)(pairs + pairs / 4 + 64);
  demi_loads *l = &c->loads;
  c->load_capacity = (int64_t)n;
  l->i = demi_allocate_zero(c->context, n * sizeof *l->i);
  l->j = demi_allocate_zero(c->context, n * sizeof *l->j);
  l->rows = demi_allocate_zero(c->context, n * 8 * sizeof *l->rows);
  if (ledger) l->books = demi_allocate_zero(c->context, n * (size_t)width * sizeof *l->books);
  if (ledger) l->damping = demi_allocate_zero(c->context, n * sizeof *l->damping);
  if (ledger == 2) l->start = demi_allocate_zero(c->context, n * 4 * sizeof *l->start);
  if (ledger == 2) l->pair = demi_allocate_zero(c->context, n * sizeof *l->pair);
  if (images) l->image = demi_allocate_zero(c->context, n * sizeof *l->image);
  if (l->i && l->j && l->rows && (!images || l->image) && (!ledger || (l->books && l->damping)) &&
      (ledger < 2 || (l->start && l->pair)))
    return DEM_OK;
  free_loads(c);
  return DEM_NO_MEMORY;
}

static dem_status reserve_blocks(demi_contacts *c, int64_t blocks) {
  if (blocks <= c->block_capacity) return DEM_OK;
  free_blocks(c);
  const size_t n = (size_t)(blocks + blocks / 4 + 8);
  demi_loads *l = &c->loads;
  c->block_capacity = (int64_t)n;
  int complete = 1;
  for (int k = 0; k < DEMI_SECTIONS; k++) {
    l->first[k] = demi_allocate_zero(c->context, n * sizeof *l->first[k]);
    l->count[k] = demi_allocate_zero(c->context, n * sizeof *l->count[k]);
    complete = complete && l->first[k] && l->count[k];
  }
  l->reach = demi_allocate_zero(c->context, n * sizeof *l->reach);
  l->fine_reach = demi_allocate_zero(c->context, n * sizeof *l->fine_reach);
  c->broken = demi_allocate_zero(c->context, n * sizeof *c->broken);
  c->sums = demi_allocate_zero(c->context, n * DEMI_BOOK_ENTRIES * sizeof *c->sums);
  c->end_sums = demi_allocate_zero(c->context, n * DEMI_BOOK_ENTRIES * sizeof *c->sums);
  if (complete && l->reach && l->fine_reach && c->broken && c->sums && c->end_sums) return DEM_OK;
  free_blocks(c);
  return DEM_NO_MEMORY;
}

static int32_t history_stride(const demi_laws *laws) {
  int32_t most = 0;
  for (int32_t k = 0; k < laws->count; k++)
    if (laws->entry[k].bound->history_total > most) most = laws->entry[k].bound->history_total;
  return most == 0 && !laws->holds ? 0 : (most + 1 + 3) / 4 * 4;
}

static dem_status reserve_history(demi_contacts *c, int64_t pairs, const demi_laws *laws) {
  c->stride = history_stride(laws);
  const int64_t wanted = pairs * c->stride;
  if (wanted > c->history_capacity) {
    const int64_t n = wanted + wanted / 4 + 64;
    double *fresh = demi_allocate(c->context, (size_t)n * sizeof *fresh);
    if (!fresh) return DEM_NO_MEMORY;
    demi_free(c->context, c->history, (size_t)c->history_capacity * sizeof *fresh);
    c->history = fresh;
    c->history_capacity = n;
  }
  /* stamp 0 is never live */
  for (int64_t s = 0; s < pairs && c->stride; s++) c->history[s * c->stride] = 0;
  return DEM_OK;
}

/* The accounts of single contacts were given away before, so they start from zero. */
static dem_status reserve_shares(demi_contacts *c, int64_t pairs) {
  if (c->ledger < 2) return DEM_OK;
  if (pairs > c->share_capacity || !c->shares) {
    const int64_t n = pairs + pairs / 4 + 64;
    double *fresh = demi_allocate(c->context, (size_t)n * DEMI_SHARE_ENTRIES * sizeof *fresh);
    if (!fresh) return DEM_NO_MEMORY;
    demi_free(c->context, c->shares, (size_t)c->share_capacity * DEMI_SHARE_ENTRIES * sizeof *fresh);
    c->shares = fresh;
    c->share_capacity = n;
  }
  memset(c->shares, 0, (size_t)pairs * DEMI_SHARE_ENTRIES * sizeof *c->shares);
  return DEM_OK;
}

static dem_status reserve_workspaces(demi_contacts *c, int32_t count) {
  if (count <= c->workspaces) return DEM_OK;
  demi_workspace *fresh = demi_allocate_zero(c->context, (size_t)count * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(c->context, c->workspace, (size_t)c->workspaces * sizeof *fresh);
  c->workspace = fresh;
  c->workspaces = count;
  for (int32_t k = 0; k < count; k++) demi_lanes_init(&fresh[k].lanes, fresh[k].now.normal);
  return DEM_OK;
}

static dem_status reserve_moments(demi_contacts *c, int64_t pairs) {
  if (pairs <= c->moment_capacity) return DEM_OK;
  const int64_t n = pairs + pairs / 4 + 64;
  double *fresh = demi_allocate_zero(c->context, (size_t)n * 4 * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(c->context, c->loads.moment, (size_t)c->moment_capacity * 4 * sizeof *fresh);
  c->loads.moment = fresh;
  c->moment_capacity = n;
  return DEM_OK;
}

static int32_t any_rolls(const demi_laws *laws) {
  for (int32_t k = 0; k < laws->count; k++)
    if (laws->entry[k].bound->rolls) return 1;
  return 0;
}

/* Arrays of the ledger for moments, only where loads have moments. The accounts of single contacts were given away before, so
 * their second row starts from zero. */
static dem_status reserve_moment_books(demi_contacts *c, int64_t pairs, int32_t ledger) {
  demi_loads *l = &c->loads;
  const int complete = l->moment_damping && (ledger < 2 || c->rolling_shares);
  if (!l->rolls || !ledger) {
    free_moment_books(c);
    return DEM_OK;
  }
  if (pairs > c->moment_books_capacity || !complete) {
    free_moment_books(c);
    const size_t n = (size_t)(pairs + pairs / 4 + 64);
    c->moment_books_capacity = (int64_t)n;
    l->moment_damping = demi_allocate_zero(c->context, n * 4 * sizeof *l->moment_damping);
    if (ledger == 2) l->moment_start = demi_allocate_zero(c->context, n * 4 * sizeof *l->moment_start);
    if (ledger == 2) c->rolling_shares = demi_allocate_zero(c->context, n * DEMI_SHARE_ENTRIES * sizeof *c->rolling_shares);
    if (c->rolling_shares) c->rolling_share_capacity = (int64_t)n;
  }
  if (c->rolling_shares) memset(c->rolling_shares, 0, (size_t)pairs * DEMI_SHARE_ENTRIES * sizeof *c->rolling_shares);
  if (l->moment_damping && (ledger < 2 || (l->moment_start && c->rolling_shares))) return DEM_OK;
  free_moment_books(c);
  return DEM_NO_MEMORY;
}

/* Walls at rest: no contact has a lever until the evaluation writes one. */
static dem_status reserve_levers(demi_contacts *c, int64_t pairs) {
  if (pairs <= c->lever_capacity) return DEM_OK;
  const int64_t n = pairs + pairs / 4 + 64;
  double *fresh = demi_allocate_zero(c->context, (size_t)n * 4 * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(c->context, c->loads.lever, (size_t)c->lever_capacity * 4 * sizeof *fresh);
  c->loads.lever = fresh;
  c->lever_capacity = n;
  return DEM_OK;
}

/* Among the rows before `end_row`. */
static int32_t highest_partner(const demi_list *list, const demi_bonds *bonds, int32_t block, int32_t end_row) {
  const int32_t row = demi_block_first(&list->motion, block), end = demi_block_first(&list->motion, block + 1);
  const int32_t first = list->row_start[row], last = list->row_start[end];
  int32_t highest = -1;
  for (int32_t k = demi_bonds_first(bonds, row); k < demi_bonds_first(bonds, end); k++)
    for (int end_of = 0; end_of < 2; end_of++)
      if (bonds->bond[k].row[end_of] > highest && bonds->bond[k].row[end_of] < end_row) highest = bonds->bond[k].row[end_of];
  for (int32_t s = first; s < last; s++) {
    const int32_t j = (int32_t)(list->code[s] & DEMI_ROW_MASK);
    if (j > highest && j < end_row) highest = j;
  }
  return highest;
}

/* Rows from the first of a block to the highest that any block reaches, all within the finest level. */
static int32_t widest_block(const demi_contacts *c, const demi_list *list) {
  int32_t widest = 0;
  for (int32_t b = 0; b < list->motion.blocks && demi_block_first(&list->motion, b) < list->coarse_row; b++) {
    const int32_t first = demi_block_first(&list->motion, b), own = demi_block_first(&list->motion, b + 1) - 1;
    const int32_t last = c->loads.fine_reach[b] > own ? c->loads.fine_reach[b] : own;
    if (last - first + 1 > widest) widest = last - first + 1;
  }
  return widest;
}

static void lay_blocks(demi_contacts *c, const demi_list *list, const demi_bonds *bonds) {
  c->loads.wall_base = list->pairs;
  c->loads.bond_base = list->pairs + list->face_pairs;
  c->loads.moment_base = c->loads.rolls ? 0 : c->loads.bond_base;
  c->loads.wall_velocity = &list->faces->velocity;
  c->loads.image_velocity = list->images_move ? list->shift_velocity : NULL;
  for (int32_t b = 0; b < list->motion.blocks; b++) {
    for (int k = 0; k < DEMI_SECTIONS; k++) c->loads.count[k][b] = 0;
    c->loads.first[DEMI_SECTION_PAIR][b] = list->row_start[demi_block_first(&list->motion, b)];
    c->loads.first[DEMI_SECTION_WALL][b] = list->pairs + list->face_start[b];
    c->loads.reach[b] = c->loads.fine_reach[b] = highest_partner(list, bonds, b, INT32_MAX);
    if (list->levels > 1) c->loads.fine_reach[b] = highest_partner(list, bonds, b, list->coarse_row);
  }
  c->loads.window = widest_block(c, list);
  memset(c->sums, 0, (size_t)list->motion.blocks * DEMI_BOOK_ENTRIES * sizeof *c->sums);
}

dem_status demi_contacts_match_list(demi_contacts *c, const demi_list *list, const demi_store *store, const demi_laws *laws,
                                    const demi_bonds *bonds, int32_t ledger, demi_torn_fn *torn, void *user) {
  const int64_t pairs = list->pairs + list->face_pairs;
  dem_status status = reserve_loads(c, pairs + bonds->count, books_width(laws, bonds), ledger, list->images_move);
  if (!status) status = reserve_blocks(c, list->motion.blocks);
  if (!status) status = reserve_levers(c, list->face_pairs);
  c->loads.rolls = any_rolls(laws);
  if (!status) status = reserve_moments(c, bonds->count + (c->loads.rolls ? pairs : 0));
  if (!status) status = reserve_moment_books(c, pairs, ledger);
  if (!status) status = reserve_history(c, pairs, laws);
  if (!status) status = reserve_workspaces(c, list->chunks.count);
  c->ledger = ledger;
  if (!status) status = reserve_shares(c, pairs);
  if (status) return status;
  lay_blocks(c, list, bonds);
  demi_contacts_restore(c, list, store, laws, torn, user);
  c->valid = 1;
  return DEM_OK;
}

dem_status demi_contacts_relist(demi_contacts *c, demi_list *list, demi_store *store, demi_bonds *bonds, const demi_laws *laws,
                                const demi_search *search, int32_t ledger, demi_torn_fn *torn, void *user) {
  dem_status status = demi_list_build(list, store, search);
  if (!status) status = demi_bonds_order(bonds, store);
  if (!status) status = demi_contacts_put_off(bonds, list);
  if (!status) status = demi_contacts_match_list(c, list, store, laws, bonds, ledger, torn, user);
  bonds->image_velocity = list->images_move ? list->shift_velocity : NULL;
  if (status) list->valid = 0;
  return status;
}

/* ---- accounts of single contacts ---- */

static void hand_on_pair(demi_contacts *c, int64_t pair, int32_t i, int32_t j, demi_share_fn *take, void *user) {
  double *const from[DEMI_SHARE_ROWS] = {c->shares, c->rolling_shares};
  double rows[DEMI_SHARE_ROWS][DEMI_SHARE_ENTRIES] = {{0}};
  int used = 0;
  for (int r = 0; r < DEMI_SHARE_ROWS && from[r]; r++) {
    double *row = from[r] + DEMI_SHARE_ENTRIES * pair;
    memcpy(rows[r], row, sizeof rows[r]);
    for (int k = 0; k < DEMI_SHARE_ENTRIES; k++) used = used || row[k] != 0;
    memset(row, 0, sizeof rows[r]);
  }
  if (used) take(user, i, j, rows);
}

void demi_contacts_hand_on(demi_contacts *c, const demi_list *list, demi_share_fn *take, void *user) {
  if (!c->valid || !c->shares) return;
  const int32_t rows = list->chunks.row[list->chunks.count];
  for (int32_t i = 0; i < rows; i++)
    for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
      hand_on_pair(c, s, i, (int32_t)(list->code[s] & DEMI_ROW_MASK), take, user);
  for (int64_t s = 0; s < list->face_pairs; s++)
    hand_on_pair(c, list->pairs + s, list->face_row[s], demi_partner_of_face(list->face_index[s]), take, user);
}

/* ---- evaluation ---- */

void demi_contacts_begin(const demi_evaluation *e) {
  if (e->ask & DEMI_COMPUTE_FORCE) demi_bonds_begin(e->bonds, e->ask & DEMI_COMPUTE_STATIC ? 0.0 : e->dt);
  if (!e->commit) return;
  e->contacts->stamp += 1;
  e->contacts->kicks = e->kicks;
}

/* The bonds of a block: after its contacts, whose sums they join. */
static void run_bonds(const demi_evaluation *e, int32_t block) {
  const int32_t first = demi_bonds_first(e->bonds, demi_block_first(&e->list->motion, block));
  const int32_t end = demi_bonds_first(e->bonds, demi_block_first(&e->list->motion, block + 1));
  if (e->ask & DEMI_COMPUTE_BOOKS) demi_bonds_book(e->bonds, e->store, first, end, e->kicks.closing);
  demi_bonds_block(e, block, first, end);
}

void demi_contacts_block(const demi_evaluation *e, int32_t chunk, int32_t block) {
  demi_contacts *c = e->contacts;
  if (e->ask & DEMI_COMPUTE_BOOKS) DEMI_SELECT(c->context, demi_power_block)(e->store, c, block, 0);
  DEMI_SELECT(c->context, demi_evaluate_block)(e, &c->workspace[chunk], block);
  if (e->bonds->count > 0) run_bonds(e, block);
}

static void evaluate_chunk(void *argument, int32_t chunk) {
  const demi_evaluation *e = argument;
  for (int32_t b = e->list->chunks.block[chunk]; b < e->list->chunks.block[chunk + 1]; b++) demi_contacts_block(e, chunk, b);
}

void demi_contacts_evaluate(const demi_evaluation *evaluation) {
  demi_contacts_begin(evaluation);
  demi_parallel(evaluation->contacts->context, evaluation->list->chunks.count, evaluate_chunk, (void *)(uintptr_t)evaluation);
}

typedef struct power_task {
  const demi_store *store;
  const demi_list *list;
  demi_contacts *contacts;
  demi_power_kernel *kernel;
} power_task;

static void power_chunk(void *argument, int32_t chunk) {
  const power_task *t = argument;
  for (int32_t b = t->list->chunks.block[chunk]; b < t->list->chunks.block[chunk + 1]; b++)
    t->kernel(t->store, t->contacts, b, 1);
}

void demi_contacts_power(const demi_store *store, const demi_list *list, demi_contacts *contacts, const demi_kicks *kicks) {
  contacts->kicks = *kicks;
  power_task task = {store, list, contacts, DEMI_SELECT(contacts->context, demi_power_block)};
  demi_parallel(contacts->context, list->chunks.count, power_chunk, &task);
}

/* All entries side by side, each a compensated sum. */
demi_totals demi_contacts_totals(const double *sums, const demi_list *list, int32_t sections, int32_t rolls) {
  const int32_t entries = rolls ? DEMI_SECTION_ENTRIES : DEMI_COMMON_ENTRIES;
  demi_sum sum[DEMI_SECTIONS][DEMI_SECTION_ENTRIES];
  demi_totals totals;
  memset(sum, 0, sizeof sum);
  for (int32_t b = 0; b < list->motion.blocks; b++)
    for (int32_t s = 0; s < sections; s++) {
      const double *section = sums + (int64_t)DEMI_BOOK_ENTRIES * b + s * DEMI_SECTION_ENTRIES;
      for (int32_t k = 0; k < entries; k++) demi_sum_add(&sum[s][k], section[k]);
    }
  for (int32_t s = 0; s < DEMI_SECTIONS; s++)
    for (int32_t k = 0; k < DEMI_SECTION_ENTRIES; k++) totals.of[s][k] = demi_sum_get(&sum[s][k]);
  return totals;
}

int64_t demi_contacts_count(const demi_contacts *c, const demi_list *list, int32_t section) {
  int64_t count = 0;
  if (!c->valid) return 0;
  for (int32_t b = 0; b < list->motion.blocks; b++) count += c->loads.count[section][b];
  return count;
}
