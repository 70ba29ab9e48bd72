/* Reading the system as a whole: counters, invariants. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "intake.h"
#include "kinetic.h"
#include "lengths.h"
#include "material_table.h"
#include "ready.h"
#include "survey.h"
#include "warnings.h"

#define STATISTICS_V1 DEMI_SIZE_TO(dem_statistics, seconds_ledger)

dem_context *demi_system_context(const dem_system *s) { return s->context; }
demi_message *demi_system_message_of(const dem_system *s) { return &((dem_system *)(uintptr_t)s)->message; }
int64_t demi_system_steps(const dem_system *s) { return s->steps; }
double demi_system_time(const dem_system *s) { return s->time; }
int32_t demi_system_keeps_heat(const dem_system *s) { return s->options.ledger == 2; }
int32_t demi_system_material_count(const dem_system *s) { return s->materials.count; }
int64_t demi_system_epoch(const dem_system *s) { return s->epoch; }
int32_t demi_system_views(const dem_system *s) { return s->guards.views; }

void demi_system_box(const dem_system *s, double low[3], double high[3], double tilt[3], int32_t periodic[3]) {
  demi_box room;
  const demi_box *shown = demi_box_shown(&s->box, &room);
  for (int a = 0; a < 3; a++) {
    low[a] = shown->low[a];
    high[a] = shown->high[a];
    tilt[a] = shown->tilt[a];
    periodic[a] = shown->periodic[a];
  }
}

/* ---- counters ---- */

dem_status demi_statistics_defaults(dem_statistics *statistics, uint32_t struct_size) {
  dem_statistics t;
  memset(&t, 0, sizeof t);
  return demi_init(statistics, struct_size, &t, sizeof t, STATISTICS_V1);
}

static int64_t bytes_of(const dem_system *s) {
  const int64_t rows = demi_store_bytes(&s->store);
  const int64_t list = s->list.pair_capacity * 4 + s->list.put_off_capacity + s->list.picked_capacity * 8 +
                       s->list.row_capacity * 4 + s->list.face_capacity * 8 + demi_list_search_bytes(&s->list) +
                       s->list.near_capacity * 4 + s->list.gap_capacity * 8 + s->list.motion.tile_capacity * 200 +
                       s->list.row_at_capacity * 64 + s->list.flow_box_capacity * 64;
  const int64_t contacts =
      s->contacts.load_capacity * (8 + 64 + (s->contacts.ledger ? 8 * s->contacts.loads.books_width + 8 : 0) +
                                   (s->contacts.ledger == 2 ? 36 : 0) + (s->contacts.loads.image != NULL)) +
      s->contacts.history_capacity * 8 + s->contacts.block_capacity * (12 * DEMI_SECTIONS + 8 + 16 * DEMI_BOOK_ENTRIES) +
      demi_carry_bytes(&s->contacts.carry) + s->contacts.workspaces * (int64_t)sizeof(demi_workspace) +
      s->contacts.lever_capacity * 32 + s->contacts.moment_books_capacity * (s->contacts.ledger == 2 ? 64 : 32);
  const int64_t shares = 64 * (s->contacts.share_capacity + s->contacts.rolling_share_capacity + s->shares.heat_capacity) +
                         s->shares.law_capacity * (int64_t)sizeof *s->shares.law +
                         (int64_t)(s->shares.pair_capacity * sizeof *s->shares.materials);
  const int64_t materials = demi_materials_bytes(&s->materials) + demi_laws_bytes(&s->laws);
  const int64_t bonds = s->bonds.capacity * 2 * (int64_t)sizeof(demi_bond) + s->bonds.row_capacity * 4 +
                        s->bonds.key_capacity * 8 + s->bonds.broken_capacity * (int64_t)sizeof(dem_bond_break) +
                        s->bonds.ids.capacity * 12 + s->contacts.moment_capacity * 32 +
                        s->bonds.type_capacity * (int64_t)(sizeof *s->bonds.type + sizeof *s->bonds.kept);
  const int64_t walls = s->walls.capacity * (int64_t)(sizeof *s->walls.wall + sizeof *s->walls.load) +
                        s->faces.capacity * (int64_t)(sizeof(demi_face) + 16 * sizeof(double)) +
                        s->list.mark_capacity * (int64_t)(2 * sizeof(demi_mark) + sizeof(double)) +
                        s->shares.wall_capacity * (int64_t)sizeof *s->shares.wall;
  return rows + list + contacts + shares + materials + bonds + walls + s->work_capacity * 8 + (int64_t)sizeof *s;
}

dem_status demi_system_statistics(const dem_system *s, dem_statistics *statistics) {
  dem_statistics t;
  memset(&t, 0, sizeof t);
  t.particles = s->store.count;
  t.steps = s->steps;
  t.rebuilds = s->list.builds;
  t.pairs = s->list.pairs + s->list.face_pairs;
  t.contacts = demi_contacts_count(&s->contacts, &s->list, DEMI_SECTION_PAIR);
  t.wall_contacts = demi_contacts_count(&s->contacts, &s->list, DEMI_SECTION_WALL);
  t.bytes = bytes_of(s);
  t.coordination = t.particles > 0 ? 2.0 * (double)t.contacts / (double)t.particles : 0;
  demi_system_kinetic(s, &t.kinetic_energy, &t.rotational_energy);
  t.skin = demi_system_skin(s);
  t.seconds_search = s->seconds.search;
  t.seconds_pass = s->seconds.pass;
  t.seconds_ledger = s->seconds.ledger;
  t.warnings = s->warnings.given;
  const dem_status status = demi_outgive(statistics, &t, sizeof t, STATISTICS_V1);
  return status ? demi_system_refuse(s, status, "statistics: struct_size %u is not usable", statistics->struct_size) : DEM_OK;
}

/* ---- invariants ---- */

static dem_status check_rows(dem_system *s) {
  const demi_columns *c = &s->store.columns;
  for (int64_t k = 0; k < s->store.count; k++) {
    if (demi_idpool_row(&s->store.ids, c->id[k]) != k)
      return demi_system_refuse(s, DEM_FAILED_PLUGIN, "row %lld: its id %llu does not lead back", (long long)k,
                                (unsigned long long)c->id[k]);
    for (int a = 0; a < 8; a++)
      if (!isfinite(c->velocity[8 * k + a]) || !isfinite(c->position[4 * k + (a & 3)]))
        return demi_system_refuse(s, DEM_FAILED_NOT_FINITE, "particle %llu: position or velocity is not finite",
                                  (unsigned long long)c->id[k]);
  }
  return DEM_OK;
}

/* 1: the pair touches, or is within the range of a law that acts across gaps. */
static int may_act(const dem_system *s, int64_t i, int64_t j) {
  const double *p = s->store.columns.position + 4 * i, *q = s->store.columns.position + 4 * j;
  double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, square = 0;
  demi_box_nearest(&s->box, d);
  for (int a = 0; a < 3; a++) square += d[a] * d[a];
  const double reach = p[3] + q[3] + s->list.range;
  return square < reach * reach;
}

static int listed(const demi_list *list, int64_t i, int64_t j) {
  for (int32_t k = list->row_start[i]; k < list->row_start[i + 1]; k++)
    if ((list->code[k] & DEMI_ROW_MASK) == (uint32_t)j) return 1;
  return 0;
}

static int wall_listed(const demi_list *list, int64_t i, int32_t face) {
  for (int64_t k = 0; k < list->face_pairs; k++)
    if (list->face_row[k] == i && list->face_index[k] == face) return 1;
  return 0;
}

static dem_status check_walls(dem_system *s) {
  for (int64_t i = 0; i < s->store.count; i++)
    for (int32_t w = 0; w < s->faces.count; w++) {
      const double *p = s->store.columns.position + 4 * i;
      const demi_face *face = &s->faces.face[w];
      double normal[3];
      const int apart = !demi_laws_interact(&s->laws, s->store.columns.material[i], face->material) ||
                        (demi_store_frozen(&s->store, i) && !demi_face_movable(&s->faces, w));
      if (!apart && demi_face_meets(face, p, normal) < p[3] && !wall_listed(&s->list, i, w))
        return demi_system_refuse(s, DEM_FAILED_PLUGIN, "particle %llu and wall %d touch but are not listed",
                                  (unsigned long long)s->store.columns.id[i], face->wall_id);
    }
  return DEM_OK;
}

/* Every pair that may act against the list, by brute force. */
static dem_status check_list(dem_system *s) {
  if (!s->list.valid || s->list_expired) return DEM_OK;
  dem_status status = check_walls(s);
  if (status) return status;
  for (int64_t i = 0; i < s->store.count; i++)
    for (int64_t j = i + 1; j < s->store.count; j++) {
      const int32_t *m = s->store.columns.material;
      const int apart =
          !demi_laws_interact(&s->laws, m[i], m[j]) || (demi_store_frozen(&s->store, i) && demi_store_frozen(&s->store, j));
      if (!apart && may_act(s, i, j) && !listed(&s->list, i, j))
        return demi_system_refuse(s, DEM_FAILED_PLUGIN, "particles %llu and %llu are within the range %g but are not listed",
                                  (unsigned long long)s->store.columns.id[i], (unsigned long long)s->store.columns.id[j],
                                  s->list.range);
    }
  return DEM_OK;
}

/* Ids lead back; the ends are there; while the list fits, rows are those of the ends and contacts that bonds replace are
 * put off. */
static dem_status check_bond(dem_system *s, int64_t k) {
  const demi_bond *bond = &s->bonds.bond[k];
  const int64_t i = demi_idpool_row(&s->store.ids, bond->i), j = demi_idpool_row(&s->store.ids, bond->j);
  int right = demi_idpool_row(&s->bonds.ids, bond->id) == k && i >= 0 && j >= 0 && bond->state.rest_length > 0;
  for (int a = 0; a < 3; a++) right = right && isfinite(bond->state.force[a]) && isfinite(bond->state.bending[a]);
  if (s->list.valid && s->contacts.valid) {
    right = right && bond->row[0] == i && bond->row[1] == j;
    if (bond->pair >= 0) right = right && demi_list_is_put_off(&s->list, bond->pair);
  }
  if (right) return DEM_OK;
  return demi_system_refuse(s, DEM_FAILED_PLUGIN, "bond %llu between particles %llu and %llu is not consistent",
                            (unsigned long long)bond->id, (unsigned long long)bond->i, (unsigned long long)bond->j);
}

static dem_status check_bonds(dem_system *s) {
  int64_t dead = 0;
  for (int64_t k = 0; k < s->bonds.count; k++) {
    const dem_status status = s->bonds.bond[k].id ? check_bond(s, k) : DEM_OK;
    if (status) return status;
    dead += s->bonds.bond[k].id == 0;
  }
  if (dead == s->bonds.dead) return DEM_OK;
  return demi_system_refuse(s, DEM_FAILED_PLUGIN, "bonds: %lld are dead, counted %lld", (long long)dead,
                            (long long)s->bonds.dead);
}

/* Gives the warnings if the system is ready to step. Builds the list if there is none and memory is sufficient. */
static void check_set_up(dem_system *s) {
  const int listed = s->list.valid && s->contacts.valid;
  if (s->store.count == 0 || demi_system_views(s) > 0 || !demi_system_complete(s))
    return; /* a look uses the spare rows as scratch */
  if (!listed && !demi_system_fits(s)) return;
  if (listed || demi_engine_search(s) == DEM_OK) demi_system_warn(s, 1);
}

dem_status demi_system_check(dem_system *s) {
  dem_status status = check_rows(s);
  if (!status) status = check_bonds(s);
  if (!status) status = check_list(s);
  if (!status) check_set_up(s);
  return status;
}
