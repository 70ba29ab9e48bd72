/* Where the accounts of single contacts go (ledger = 2): to the particles as heat, half of each contact's to either side, and to
 * the tables by law, pair of materials and wall. */
#include "shares.h"

#include "pair_shares.h"

#include <string.h>

#include "intake.h"
#include "state.h"

#define SHARE_V1 DEMI_SIZE_TO(dem_energy_share, hysteresis)

dem_status demi_energy_share_defaults(dem_energy_share *share, uint32_t struct_size) {
  dem_energy_share e;
  memset(&e, 0, sizeof e);
  return demi_init(share, struct_size, &e, sizeof e, SHARE_V1);
}

/* ---- room ---- */

dem_status demi_shares_reserve_heat(dem_system *s) {
  demi_shares *h = &s->shares;
  if (s->options.ledger < 2 || s->store.ids.capacity <= h->heat_capacity) return DEM_OK;
  const int64_t n = s->store.ids.capacity;
  double *fresh = demi_allocate_zero(s->context, (size_t)n * DEMI_HEAT_CLASSES * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  const size_t used = (size_t)h->heat_capacity * DEMI_HEAT_CLASSES * sizeof *fresh;
  if (used) memcpy(fresh, h->heat, used);
  demi_free(s->context, h->heat, used);
  h->heat = fresh;
  h->heat_capacity = n;
  return DEM_OK;
}

void demi_shares_clear_heat(dem_system *s, dem_id id) {
  if (s->shares.heat)
    memset(s->shares.heat + DEMI_HEAT_CLASSES * demi_id_slot(id), 0, DEMI_HEAT_CLASSES * sizeof *s->shares.heat);
}

demi_law_share *demi_shares_find_law(const dem_system *s, const dem_law *law) {
  for (int32_t k = 0; k < s->shares.law_count; k++)
    if (s->shares.law[k].law == law) return &s->shares.law[k];
  return NULL;
}

static dem_status grow_laws(dem_system *s) {
  demi_shares *h = &s->shares;
  if (h->law_count < h->law_capacity) return DEM_OK;
  const int32_t n = 2 * h->law_capacity + 4;
  demi_law_share *fresh = demi_allocate_zero(s->context, (size_t)n * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  if (h->law) memcpy(fresh, h->law, (size_t)h->law_count * sizeof *fresh);
  demi_free(s->context, h->law, (size_t)h->law_capacity * sizeof *fresh);
  h->law = fresh;
  h->law_capacity = n;
  return DEM_OK;
}

/* Laws that are no longer set keep their entry and one reference, so that no new law can have the same address. */
dem_status demi_shares_enter_law(dem_system *s, const dem_law *law) {
  demi_shares *h = &s->shares;
  if (s->options.ledger < 2 || demi_shares_find_law(s, law)) return DEM_OK;
  if (demi_shares_reserve_materials(s, s->materials.capacity) || grow_laws(s)) return DEM_NO_MEMORY;
  demi_law_retain(law);
  memset(&h->law[h->law_count], 0, sizeof *h->law);
  h->law[h->law_count++].law = law;
  return DEM_OK;
}

dem_status demi_shares_reserve_materials(dem_system *s, int32_t materials) {
  demi_shares *h = &s->shares;
  const size_t pairs = demi_material_pairs(materials);
  if (pairs <= h->pair_capacity) return DEM_OK;
  demi_share *fresh = demi_allocate_zero(s->context, pairs * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  if (h->pair_capacity) memcpy(fresh, h->materials, h->pair_capacity * sizeof *fresh);
  demi_free(s->context, h->materials, h->pair_capacity * sizeof *fresh);
  h->materials = fresh;
  h->pair_capacity = pairs;
  return DEM_OK;
}

dem_status demi_shares_reserve_walls(dem_system *s, int32_t capacity) {
  demi_shares *h = &s->shares;
  if (s->options.ledger < 2 || capacity <= h->wall_capacity) return DEM_OK;
  demi_share *fresh = demi_allocate_zero(s->context, (size_t)capacity * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  if (h->wall) memcpy(fresh, h->wall, (size_t)h->wall_capacity * sizeof *fresh);
  demi_free(s->context, h->wall, (size_t)h->wall_capacity * sizeof *fresh);
  h->wall = fresh;
  h->wall_capacity = capacity;
  return DEM_OK;
}

void demi_shares_free(dem_system *s) {
  demi_shares *h = &s->shares;
  for (int32_t k = 0; k < h->law_count; k++) demi_law_release(h->law[k].law);
  demi_free(s->context, h->law, (size_t)h->law_capacity * sizeof *h->law);
  demi_free(s->context, h->materials, h->pair_capacity * sizeof *h->materials);
  demi_free(s->context, h->wall, (size_t)h->wall_capacity * sizeof *h->wall);
  demi_free(s->context, h->heat, (size_t)h->heat_capacity * DEMI_HEAT_CLASSES * sizeof *h->heat);
}

/* ---- handing on ---- */

/* Rows of one contact or of many. */
typedef double share_row[DEMI_SHARE_ENTRIES];
/* Entries of them in accounts.h. */
#define E(entry) rows[0][DEMI_SHARE_##entry]
#define M(entry) rows[1][DEMI_SHARE_##entry]
#define NOT_SHARED(...)

static void add_rows(demi_share *to, int32_t walls, share_row *rows) {
  for (int r = 0; r < DEMI_SHARE_ROWS; r++)
    for (int k = 0; k < DEMI_SHARE_ENTRIES; k++) to->of[walls][r][k] += rows[r][k];
}

void demi_shares_heat(dem_system *s, int32_t row, int32_t class, double energy) {
  s->shares.heat[DEMI_HEAT_CLASSES * demi_id_slot(s->store.columns.id[row]) + class] += energy;
}

/* Half of each account that is heat. */
static void heat(dem_system *s, int32_t particle, share_row *rows) {
#define HEAT(member, group, class, share, sum, second) \
  if (DEMI_HEAT_##class != DEMI_HEAT_NONE) demi_shares_heat(s, particle, DEMI_HEAT_##class, 0.5 * (share));
  DEMI_ACCOUNTS(HEAT, NOT_SHARED, NOT_SHARED)
#undef HEAT
}

static void take(void *user, int32_t i, int32_t j, share_row *rows) {
  dem_system *s = user;
  const int32_t walls = j < 0, a = s->store.columns.material[i];
  const int32_t b = walls ? s->list.faces->face[demi_face_of_partner(j)].material : s->store.columns.material[j];
  heat(s, i, rows);
  if (!walls) heat(s, j, rows);
  add_rows(&s->shares.materials[demi_material_pair(a, b)], walls, rows);
  const dem_law *law = s->materials.law[demi_material_pair(a, b)];
  demi_law_share *entry = law ? demi_shares_find_law(s, law) : NULL;
  if (entry) add_rows(&entry->share, walls, rows);
  if (walls) add_rows(&s->shares.wall[s->list.faces->face[demi_face_of_partner(j)].wall], 1, rows);
}

void demi_shares_torn(dem_system *s, int32_t i, int32_t j, const demi_stored *held) {
  share_row rows[DEMI_SHARE_ROWS] = {{0}};
  if (s->options.ledger < 2) return;
  E(NORMAL_ELASTIC) = -held->normal;
  E(TANGENTIAL_ELASTIC) = -held->tangential;
  E(HYSTERESIS) = held->normal + held->tangential + held->rolling + held->twisting;
  M(ROLLING_ELASTIC) = -held->rolling;
  M(TWISTING_ELASTIC) = -held->twisting;
  take(s, i, j, rows);
}

void demi_shares_hand_on(dem_system *s) { demi_contacts_hand_on(&s->contacts, &s->list, take, s); }

/* ---- reading ---- */

dem_status demi_shares_give(dem_system *s, demi_share *from, dem_energy_share *share) {
  dem_energy_share e;
  memset(&e, 0, sizeof e);
  for (int32_t k = 0; k < 2; k++) {
    share_row *rows = from->of[k];
#define GIVE(member, group, class, share, sum, second) e.member[k] = share;
    DEMI_ACCOUNTS(GIVE, NOT_SHARED, NOT_SHARED)
#undef GIVE
  }
  const dem_status status = demi_outgive(share, &e, sizeof e, SHARE_V1);
  return status ? demi_system_refuse(s, status, "energy share: struct_size %u is not usable", share->struct_size) : DEM_OK;
}

void demi_shares_drop_wall(dem_system *s, int32_t index) {
  if (!s->shares.wall) return;
  for (int32_t k = index; k + 1 < s->walls.count; k++) s->shares.wall[k] = s->shares.wall[k + 1];
  memset(&s->shares.wall[s->walls.count - 1], 0, sizeof *s->shares.wall);
}
