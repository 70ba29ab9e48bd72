/* One block of contacts: rows in order, each with its listed pairs; those that act are gathered until a batch is full, and run
 * (batch.c). */
#include "kernels.h"

#include <math.h>
#include <string.h>

#include "batch_kernels.h"
#include "variant.h"
#include "pair_shares.h"
#include "wide.h"

/* Contacts to look ahead for memory. */
enum { AHEAD = 16 };

/* Which listed pairs a filter keeps: those that touch (distance < R_i + R_j, of a wall < R_i); those, and of the others the
 * contacts of the evaluation before that still hold across their gap; those, and of the others the contacts that lagged friction
 * holds (lags.h); those that do not touch but are within the range of the laws that act in gaps. One function for all: `keep` is a
 * constant where it is called, so each gets a loop of its own. */
typedef enum keep { KEEP_TOUCHING, KEEP_HELD, KEEP_LAGGED, KEEP_GAPS } keep;

/* A contact across a gap: its row, R*, m*, and the gap at which it tears. */
typedef struct demi_end {
  int32_t pair;
  double radius, mass, range;
} demi_end;

static void copy_candidate(demi_candidates *to, const demi_candidates *from, int32_t k) {
  const int32_t n = to->count++;
  memcpy(to->offset + 4 * n, from->offset + 4 * k, 4 * sizeof(double));
  to->distance2[n] = from->distance2[k];
  to->radii[n] = from->radii[k];
  to->i[n] = from->i[k];
  to->j[n] = from->j[k];
  to->pair[n] = from->pair[k];
  to->contact[n] = from->contact[k];
}

/* All contacts of a batch share one law: with several, they are taken law by law, and laws that none of them has are passed over.
 * Each contact's load goes to its own place, so the order of summation does not change. */
static void flush(const demi_evaluation *e, demi_workspace *w, double *sums, int32_t section) {
  demi_candidates *found = &w->found;
  if (found->count == 0) return;
  if (e->laws->count == 1) {
    DEMI_VARIANT_NAME(run_batch)(e, w, found, e->laws->entry[0].bound, section, sums);
    found->count = 0;
    return;
  }
  for (int32_t law = 0, next; law < e->laws->count; law = next) {
    w->sorted.count = 0;
    next = e->laws->count;
    for (int32_t k = 0; k < found->count; k++) {
      const int32_t here = found->law[k];
      if (here == law) copy_candidate(&w->sorted, found, k);
      if (here > law && here < next) next = here;
    }
    if (w->sorted.count > 0) DEMI_VARIANT_NAME(run_batch)(e, w, &w->sorted, e->laws->entry[law].bound, section, sums);
  }
  found->count = 0;
}

/* ---- candidates ---- */

static int32_t law_index(const demi_evaluation *e, int32_t a, int32_t b) {
  return e->laws->count == 1 ? 0 : demi_laws_index(e->laws, a, b);
}

static int32_t wall_law(const demi_evaluation *e, int32_t row, int32_t face) {
  return law_index(e, e->store->columns.material[row], e->list->faces->face[face].material);
}

/* Fills the entries that the filter left out: rows, pair, law. */
static void name_candidates(const demi_evaluation *e, demi_candidates *c, int64_t contact) {
  const demi_list *list = e->list;
  const int32_t *material = e->store->columns.material;
  for (int32_t n = 0; n < c->count; n++) {
    const int32_t k = c->pair[n], s = list->near_pair[k];
    c->i[n] = list->near_row[k];
    c->j[n] = (int32_t)(list->code[s] & DEMI_ROW_MASK);
    c->pair[n] = s;
    c->contact[n] = contact + n;
    if (e->laws->count > 1) c->law[n] = law_index(e, material[c->i[n]], material[c->j[n]]);
  }
}

/* Partners of later rows lie scattered: ask for their memory early. */
static inline void fetch_ahead(const demi_evaluation *e, int64_t k) {
  const int64_t j = e->list->code[e->list->near_pair[k]] & DEMI_ROW_MASK;
  __builtin_prefetch(e->store->columns.position + 4 * j);
  __builtin_prefetch(e->store->columns.velocity + 8 * j);
}

/* ---- contacts that hold beyond touching ---- */

static void share_torn(demi_contacts *contacts, int32_t pair, const demi_stored *held) {
  double *share = contacts->shares + DEMI_SHARE_ENTRIES * (int64_t)pair;
  share[DEMI_SHARE_NORMAL_ELASTIC] -= held->normal;
  share[DEMI_SHARE_TANGENTIAL_ELASTIC] -= held->tangential;
  share[DEMI_SHARE_HYSTERESIS] += held->normal + held->tangential + held->rolling + held->twisting;
  if (!contacts->rolling_shares) return;
  double *rolling = contacts->rolling_shares + DEMI_SHARE_ENTRIES * (int64_t)pair;
  rolling[DEMI_SHARE_ROLLING_ELASTIC] -= held->rolling;
  rolling[DEMI_SHARE_TWISTING_ELASTIC] -= held->twisting;
}

/* Whether the stored energy of a contact that tore is counted: with books as hysteresis; where energies alone are asked for, which
 * is done for the state as the last step left it, as still stored. In a trial of another state it is lost. */
static int counts_torn(const demi_evaluation *e) {
  return e->ask & DEMI_COMPUTE_BOOKS || (e->ask & (DEMI_COMPUTE_ENERGY | DEMI_COMPUTE_FORCE)) == DEMI_COMPUTE_ENERGY;
}

static void tear(const demi_evaluation *e, demi_workspace *w, const demi_bound *bound, const demi_end *end, double *sums) {
  demi_contacts *contacts = e->contacts;
  if (!counts_torn(e)) return;
  const double *row = contacts->history + (int64_t)end->pair * contacts->stride;
  const demi_stored held = demi_contacts_stored(w, bound, -end->range, end->radius, end->mass, row + 1);
  sums[DEMI_ENERGY_NORMAL] += held.normal;
  sums[DEMI_ENERGY_TANGENTIAL] += held.tangential;
  sums[DEMI_ENERGY_ROLLING] += held.rolling;
  sums[DEMI_ENERGY_TWISTING] += held.twisting;
  if (!(e->ask & DEMI_COMPUTE_BOOKS)) return;
  sums[DEMI_HYSTERESIS_NORMAL] += held.normal;
  sums[DEMI_HYSTERESIS_TANGENTIAL] += held.tangential;
  sums[DEMI_HYSTERESIS_ROLLING] += held.rolling;
  sums[DEMI_HYSTERESIS_TWISTING] += held.twisting;
  if (contacts->shares) share_torn(contacts, end->pair, &held);
}

/* For a pair across a gap that was a contact in the evaluation before: returns 1 if it still holds, and books it if it tore. */
static int still_holds(const demi_evaluation *e, demi_workspace *w, int32_t law, double gap, demi_end *end, double *sums) {
  const demi_bound *bound = law < 0 ? NULL : e->laws->entry[law].bound;
  if (!bound || !bound->holds) return 0;
  end->range = demi_bound_hold(bound, end->radius);
  if (gap < end->range) return 1;
  tear(e, w, bound, end, sums);
  return 0;
}

static inline int is_live(const demi_evaluation *e, int32_t pair) {
  return e->contacts->history[(int64_t)pair * e->contacts->stride] == demi_live_stamp(e);
}

static int pair_holds(const demi_evaluation *e, demi_workspace *w, int32_t pair, int32_t i, double gap, double *sums) {
  const demi_columns *rows = &e->store->columns;
  const int32_t j = (int32_t)(e->list->code[pair] & DEMI_ROW_MASK);
  const double inverse = demi_store_inverse_mass_of(e->store, i, j);
  const double *p = rows->position + 4 * (int64_t)i, *q = rows->position + 4 * (int64_t)j;
  const double sum = p[3] + q[3], difference = p[3] - q[3];
  demi_end end = {pair, 0.25 * (sum - difference * difference / sum), 1.0 / inverse, 0};
  return still_holds(e, w, law_index(e, rows->material[i], rows->material[j]), gap, &end, sums);
}

/* Lagged friction holds contacts of laws that do not hold by themselves. Not where the law acts across the gap: the loads of a block have
 * room for a pair either as a contact or in its gap. */
static int lag_holds(const demi_evaluation *e, int32_t law, int32_t pair, double gap) {
  if (law < 0 || e->laws->entry[law].bound->holds || e->laws->entry[law].bound->evaluate[DEMI_GAP]) return 0;
  return gap < e->lags->hold && e->lags->rows[(int64_t)DEMI_LAG_ROW * pair + DEMI_LAG_LIVE] != 0;
}

static int pair_lags(const demi_evaluation *e, int32_t pair, int32_t i, double gap) {
  const int32_t *material = e->store->columns.material;
  return lag_holds(e, law_index(e, material[i], material[e->list->code[pair] & DEMI_ROW_MASK]), pair, gap);
}

static int uses_lags(const demi_evaluation *e) { return e->lags && !e->lags->taking; }

/* That of the laws: lagged friction makes that of the list longer. */
static inline double gap_range(const demi_evaluation *e) { return e->lags ? e->lags->range : e->list->range; }

/* ---- pairs ---- */

/* A pair at the squared distance r2, with sum = R_i + R_j. Whether it touches is no branch: it would be mispredicted. */
static inline __attribute__((always_inline)) int keeps_pair(const demi_evaluation *e, demi_workspace *w, int64_t k, double r2,
                                                            double sum, keep kept, double *torn) {
  const double far = sum + gap_range(e);
  if (kept == KEEP_GAPS) return (r2 >= sum * sum) & (r2 < far * far);
  if (kept == KEEP_TOUCHING) return r2 < sum * sum;
  const int32_t pair = e->list->near_pair[k];
  if (kept == KEEP_LAGGED && r2 >= sum * sum && pair_lags(e, pair, e->list->near_row[k], sqrt(r2) - sum)) return 1;
  if (kept == KEEP_LAGGED && !e->laws->holds) return r2 < sum * sum;
  return r2 < sum * sum || (is_live(e, pair) && pair_holds(e, w, pair, e->list->near_row[k], sqrt(r2) - sum, torn));
}

/* Nearly touching pairs k = first ... end-1, until the batch is full; returns where it stopped. Gaps come after the touching pairs
 * of the same block, whose rows are in the cache. */
static inline __attribute__((always_inline)) int64_t filter_batch(const demi_evaluation *e, demi_workspace *w, int64_t first,
                                                                  int64_t end, keep kept, double *torn) {
  const double *position = e->store->columns.position, *shift = e->list->shift;
  const int32_t *pair = e->list->near_pair, *row = e->list->near_row;
  const uint32_t *code = e->list->code;
  demi_candidates *c = &w->found;
  int32_t n = 0;
  int64_t k = first;
  for (; k < end && n < DEMI_BATCH; k++) {
    if (kept != KEEP_GAPS) fetch_ahead(e, k + AHEAD < end ? k + AHEAD : k);
    const uint32_t partner = code[pair[k]];
    const demi_wide p = demi_load4(position + 4 * (int64_t)row[k]);
    const demi_wide q = demi_load4(position + 4 * (int64_t)(partner & DEMI_ROW_MASK));
    const demi_wide d = p - (q + demi_load4(shift + 4 * (partner >> DEMI_SHIFT_BITS)));
    const demi_wide square = d * d;
    const double r2 = square[0] + square[1] + square[2], sum = p[3] + q[3];
    demi_store4(c->offset + 4 * n, d);
    c->distance2[n] = r2;
    c->radii[n] = sum;
    c->pair[n] = (int32_t)k;
    n += keeps_pair(e, w, k, r2, sum, kept, torn);
  }
  c->count = n;
  return k;
}

/* Listed contacts of the evaluation before that a new pick leaves out are further apart than any contact holds. */
static void tear_unpicked(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_list *list = e->list;
  const int32_t first = demi_block_first(&list->motion, block), last = demi_block_first(&list->motion, block + 1);
  const int64_t picked = (int64_t)list->row_start[first] + list->near_count[block];
  int64_t k = list->row_start[first];
  for (int32_t i = first; i < last; i++)
    for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
      if (k < picked && list->near_pair[k] == s)
        k++;
      else if (is_live(e, s))
        pair_holds(e, w, s, i, INFINITY, sums);
}

static int32_t filter_pairs(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const int64_t first = e->list->row_start[demi_block_first(&e->list->motion, block)];
  const int64_t end = first + e->list->near_count[block];
  double *torn = sums + DEMI_SECTION_PAIR * DEMI_SECTION_ENTRIES;
  int64_t contact = e->contacts->loads.first[DEMI_SECTION_PAIR][block];
  if (e->laws->holds && e->list->fresh && counts_torn(e)) tear_unpicked(e, w, block, torn);
  for (int64_t k = first; k < end;) {
    if (uses_lags(e))
      k = filter_batch(e, w, k, end, KEEP_LAGGED, torn);
    else
      k = e->laws->holds ? filter_batch(e, w, k, end, KEEP_HELD, torn) : filter_batch(e, w, k, end, KEEP_TOUCHING, torn);
    name_candidates(e, &w->found, contact);
    contact += w->found.count;
    flush(e, w, sums, DEMI_SECTION_PAIR);
  }
  return (int32_t)(contact - e->contacts->loads.first[DEMI_SECTION_PAIR][block]);
}

/* ---- gaps ---- */

static int acts_in_gap(const demi_evaluation *e, int32_t law) { return e->laws->entry[law].bound->evaluate[DEMI_GAP] != NULL; }

/* Keeps those whose law acts in gaps; their loads go below place `contact`. */
static void keep_gaps(const demi_evaluation *e, demi_candidates *c, int64_t contact) {
  const int32_t found = c->count;
  c->count = 0;
  for (int32_t k = 0; k < found; k++) {
    const int32_t law = e->laws->count == 1 ? 0 : c->law[k], n = c->count;
    if (!acts_in_gap(e, law)) continue;
    if (n < k)
      copy_candidate(c, c, k);
    else
      c->count++;
    c->law[n] = law;
    c->contact[n] = contact - 1 - n;
  }
}

/* A listed pair is either touching or in its gap, so that both kinds of load share the block's places: those of gaps fill them
 * from the end. Returns the number of gaps. */
static int32_t filter_gaps(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_motion *m = &e->list->motion;
  const int64_t first = e->list->row_start[demi_block_first(m, block)], end = first + e->list->near_count[block];
  const int64_t last = e->list->row_start[demi_block_first(m, block + 1)];
  int64_t contact = last;
  for (int64_t k = first; k < end;) {
    k = filter_batch(e, w, k, end, KEEP_GAPS, NULL);
    name_candidates(e, &w->found, 0);
    keep_gaps(e, &w->found, contact);
    contact -= w->found.count;
    flush(e, w, sums, DEMI_SECTION_GAP);
  }
  return (int32_t)(last - contact);
}

/* ---- walls ---- */

/* Of a frozen particle and a wall, the wall may be free to move, but not along this normal. */
static inline int gives_way(const demi_evaluation *e, int32_t i, int32_t face, const double *normal) {
  return !demi_store_frozen(e->store, i) || demi_face_mobility(e->list->faces, face, normal) > 0;
}

/* The pair s of the wall list as the next candidate, its normal being in place already. */
static void add_wall_candidate(const demi_evaluation *e, demi_candidates *c, int32_t s, double distance, int64_t contact) {
  const int32_t i = e->list->face_row[s], k = e->list->face_index[s], n = c->count++;
  c->distance2[n] = distance;
  c->radii[n] = e->store->columns.position[4 * (int64_t)i + 3];
  c->i[n] = i;
  c->j[n] = demi_partner_of_face(k);
  c->pair[n] = (int32_t)e->list->pairs + s;
  c->contact[n] = contact;
  c->law[n] = wall_law(e, i, k);
}

/* If neither side can move there is no contact, and nothing can tear. */
static int wall_holds(const demi_evaluation *e, demi_workspace *w, int32_t s, double distance, const double *normal,
                      double *sums) {
  const demi_columns *rows = &e->store->columns;
  const int32_t i = e->list->face_row[s], k = e->list->face_index[s], pair = (int32_t)e->list->pairs + s;
  if (uses_lags(e) && lag_holds(e, wall_law(e, i, k), pair, distance - e->store->columns.position[4 * (int64_t)i + 3]))
    return 1;
  if (!e->laws->holds || !is_live(e, pair) || !gives_way(e, i, k, normal)) return 0;
  const double inverse = demi_store_inverse_mass(e->store, i) + demi_face_inverse_mass(e->list->faces, k, normal);
  const double radius = rows->position[4 * (int64_t)i + 3];
  demi_end end = {pair, radius, 1.0 / inverse, 0};
  return still_holds(e, w, wall_law(e, i, k), distance - radius, &end, sums + DEMI_SECTION_WALL * DEMI_SECTION_ENTRIES);
}

static inline __attribute__((always_inline)) int keeps_wall(const demi_evaluation *e, demi_workspace *w, int32_t s,
                                                            double distance, const double *normal, keep kept, double *sums) {
  const int32_t i = e->list->face_row[s], k = e->list->face_index[s];
  const double radius = e->store->columns.position[4 * (int64_t)i + 3];
  if (kept == KEEP_GAPS ? distance < radius || distance >= radius + gap_range(e)
                        : distance >= radius && !wall_holds(e, w, s, distance, normal, sums))
    return 0;
  if (!gives_way(e, i, k, normal)) return 0;
  return kept != KEEP_GAPS || acts_in_gap(e, wall_law(e, i, k));
}

/* Loads of touching walls fill the places of the block from its first one up, those of gaps from its last one down. Returns how
 * many there are. */
static inline __attribute__((always_inline)) int32_t filter_walls(const demi_evaluation *e, demi_workspace *w, int32_t block,
                                                                  keep kept, double *sums) {
  const demi_list *list = e->list;
  demi_candidates *c = &w->found;
  const int32_t section = kept == KEEP_GAPS ? DEMI_SECTION_WALL_GAP : DEMI_SECTION_WALL;
  const int64_t contact =
      kept == KEEP_GAPS ? list->pairs + list->face_start[block + 1] - 1 : e->contacts->loads.first[DEMI_SECTION_WALL][block];
  int32_t count = 0;
  c->count = 0;
  for (int32_t s = list->face_start[block]; s < list->face_start[block + 1]; s++) {
    double *normal = c->offset + 4 * c->count;
    const double distance = demi_face_meets(&list->faces->face[list->face_index[s]],
                                            e->store->columns.position + 4 * (int64_t)list->face_row[s], normal);
    if (!keeps_wall(e, w, s, distance, normal, kept, sums)) continue;
    add_wall_candidate(e, c, s, distance, kept == KEEP_GAPS ? contact - count : contact + count);
    count++;
    if (c->count == DEMI_BATCH) flush(e, w, sums, section);
  }
  flush(e, w, sums, section);
  return count;
}

static void place(const demi_evaluation *e, int32_t section, int32_t block, int64_t first, int32_t count) {
  e->contacts->loads.first[section][block] = first;
  e->contacts->loads.count[section][block] = count;
}

static void evaluate_gaps(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_list *list = e->list;
  const int32_t pairs = filter_gaps(e, w, block, sums), walls = filter_walls(e, w, block, KEEP_GAPS, sums);
  if (!(e->ask & DEMI_COMPUTE_FORCE)) return;
  place(e, DEMI_SECTION_GAP, block, list->row_start[demi_block_first(&list->motion, block + 1)] - pairs, pairs);
  place(e, DEMI_SECTION_WALL_GAP, block, list->pairs + list->face_start[block + 1] - walls, walls);
}

void DEMI_VARIANT_NAME(evaluate_block)(const demi_evaluation *e, demi_workspace *w, int32_t block) {
  double *sums = e->contacts->sums + (int64_t)DEMI_BOOK_ENTRIES * block;
  memset(sums, 0, DEMI_BOOK_ENTRIES * sizeof *sums);
  const int32_t pairs = filter_pairs(e, w, block, sums);
  const int32_t walls = filter_walls(e, w, block, KEEP_HELD, sums);
  if (e->laws->gaps) evaluate_gaps(e, w, block, sums);
  if (!(e->ask & DEMI_COMPUTE_FORCE)) return;
  e->contacts->loads.count[DEMI_SECTION_PAIR][block] = pairs;
  e->contacts->loads.count[DEMI_SECTION_WALL][block] = walls;
}

void DEMI_VARIANT_NAME(evaluate_walls)(const demi_evaluation *e, demi_workspace *w, int32_t block) {
  const int32_t walls = filter_walls(e, w, block, KEEP_HELD, e->contacts->sums + (int64_t)DEMI_BOOK_ENTRIES * block);
  if (e->ask & DEMI_COMPUTE_FORCE) e->contacts->loads.count[DEMI_SECTION_WALL][block] = walls;
}
