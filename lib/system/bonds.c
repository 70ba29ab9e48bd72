/* Bonds as the host sees them: types, adding, removing, reading; and what happens to them around the passes. */
#include "bonds.h"

#include <math.h>
#include <string.h>

#include "intake.h"
#include "state.h"

#define BOND_TYPE_V1 DEMI_SIZE_TO(dem_bond_type, break_shear_stress)

/* ---- types ---- */

dem_status demi_bond_type_defaults(dem_bond_type *type, uint32_t struct_size) {
  dem_bond_type t;
  memset(&t, 0, sizeof t);
  t.model = DEM_BOND_BEAM;
  t.radius_factor = 1.0;
  return demi_init(type, struct_size, &t, sizeof t, BOND_TYPE_V1);
}

static dem_status check_not_negative(dem_system *s, const char *field, double value) {
  if (value >= 0 && isfinite(value)) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: %s is %g, must be finite and >= 0", s->bonds.type_count, field,
                            value);
}

static dem_status check_positive(dem_system *s, const char *field, double value) {
  if (value > 0 && isfinite(value)) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: %s is %g, must be finite and > 0", s->bonds.type_count, field,
                            value);
}

/* What only a beam has must be left 0 with other models. */
static dem_status check_beam(dem_system *s, const dem_bond_type *t) {
  const struct {
    const char *field;
    double value;
  } own[] = {{"normal_stiffness", t->normal_stiffness},       {"tangential_stiffness", t->tangential_stiffness},
             {"bending_stiffness", t->bending_stiffness},     {"twisting_stiffness", t->twisting_stiffness},
             {"tangential_damping", t->tangential_damping},   {"relaxation_time", t->relaxation_time},
             {"break_normal_stress", t->break_normal_stress}, {"break_shear_stress", t->break_shear_stress}};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
    const dem_status status = check_not_negative(s, own[k].field, own[k].value);
    if (status) return status;
    if (t->model == DEM_BOND_HARMONIC && own[k].value != 0)
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: %s is %g, only beams have it: leave it 0",
                                s->bonds.type_count, own[k].field, own[k].value);
  }
  return DEM_OK;
}

static dem_status check_type_values(dem_system *s, const dem_bond_type *t) {
  dem_status status = check_beam(s, t);
  if (!status) status = check_not_negative(s, "normal_damping", t->normal_damping);
  if (!status) status = check_not_negative(s, "break_strain", t->break_strain);
  if (status) return status;
  if (t->model == DEM_BOND_HARMONIC) return check_positive(s, "stiffness", t->stiffness);
  if (t->stiffness != 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: stiffness is %g, beams have normal_stiffness: leave it 0",
                              s->bonds.type_count, t->stiffness);
  if (!(t->radius_factor > 0 && t->radius_factor <= 10))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: radius_factor is %g, allowed above 0 to 10",
                              s->bonds.type_count, t->radius_factor);
  return check_positive(s, "normal_stiffness", t->normal_stiffness);
}

static dem_status check_type(dem_system *s, const dem_bond_type *t) {
  const int32_t n = s->bonds.type_count;
  if (t->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "bond type %d: reserved_zero is %d, must be 0", n, t->reserved_zero);
  if (t->model != DEM_BOND_BEAM && t->model != DEM_BOND_HARMONIC)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: model is %d, allowed %d or %d", n, t->model, DEM_BOND_BEAM,
                              DEM_BOND_HARMONIC);
  if (t->contact != 0 && t->contact != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: contact is %d, allowed 0 or 1", n, t->contact);
  if (n == DEMI_MAX_BOND_TYPES)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: there are at most %d", n, DEMI_MAX_BOND_TYPES);
  return check_type_values(s, t);
}

dem_status demi_system_add_bond_type(dem_system *s, const dem_bond_type *type, int32_t *index) {
  dem_bond_type t;
  dem_status status = demi_intake(&t, sizeof t, type, BOND_TYPE_V1);
  if (status) return demi_system_refuse(s, status, "bond type: struct_size %u is not usable", type->struct_size);
  if ((status = check_type(s, &t)) != DEM_OK) return status;
  if (index) *index = s->bonds.type_count;
  s->bonds.type[s->bonds.type_count++] = t;
  return DEM_OK;
}

/* ---- checks of bonds ---- */

static dem_status check_ends(dem_system *s, int64_t k, const dem_bond *b) {
  const int64_t i = demi_idpool_row(&s->store.ids, b->i), j = demi_idpool_row(&s->store.ids, b->j);
  if (i < 0 || j < 0)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond %lld: particle %llu is unknown or stale", (long long)k,
                              (unsigned long long)(i < 0 ? b->i : b->j));
  if (i == j)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: joins particle %llu to itself", (long long)k,
                              (unsigned long long)b->i);
  if (demi_store_frozen(&s->store, i) && demi_store_frozen(&s->store, j))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: particles %llu and %llu are both frozen", (long long)k,
                              (unsigned long long)b->i, (unsigned long long)b->j);
  return DEM_OK;
}

/* Distance of the nearest images. */
static double distance_of(const dem_system *s, int64_t i, int64_t j) {
  const double *p = s->store.columns.position + 4 * i, *q = s->store.columns.position + 4 * j;
  double square = 0;
  for (int a = 0; a < 3; a++) {
    const double d = demi_box_nearest(&s->box, a, p[a] - q[a]);
    square += d * d;
  }
  return sqrt(square);
}

static dem_status check_length(dem_system *s, int64_t k, const dem_bond *b) {
  const int64_t i = demi_idpool_row(&s->store.ids, b->i), j = demi_idpool_row(&s->store.ids, b->j);
  const double sum = s->store.columns.position[4 * i + 3] + s->store.columns.position[4 * j + 3];
  const double distance = distance_of(s, i, j);
  if (!(distance - sum <= sum))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                              "bond %lld: gap of %g between particles %llu and %llu, at most %g (R_i + R_j)", (long long)k,
                              distance - sum, (unsigned long long)b->i, (unsigned long long)b->j, sum);
  if (!(b->rest_length >= 0 && isfinite(b->rest_length)) || (b->rest_length == 0 && distance == 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: rest_length is %g at distance %g, must be finite and > 0",
                              (long long)k, b->rest_length, distance);
  return DEM_OK;
}

static dem_status refuse_state(dem_system *s, int64_t k, const char *field, double value, const char *why) {
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: %s is %g, %s", (long long)k, field, value, why);
}

/* One elastic part: finite, and 0 without a stiffness or in directions that do not exist in 2 dimensions. */
static dem_status check_part(dem_system *s, int64_t k, const char *field, const double *v, int count, int exists,
                             const int *in_plane) {
  for (int a = 0; a < count; a++) {
    if (!isfinite(v[a])) return refuse_state(s, k, field, v[a], "must be finite");
    if (v[a] != 0 && !exists) return refuse_state(s, k, field, v[a], "must be 0, as its type has no stiffness for it");
    if (v[a] != 0 && s->options.dimension == 2 && !in_plane[a])
      return refuse_state(s, k, field, v[a], "must be 0 in 2 dimensions");
  }
  return DEM_OK;
}

static dem_status check_state(dem_system *s, int64_t k, const dem_bond *b) {
  static const int plane[3] = {1, 1, 0}, turn[3] = {0, 0, 1};
  const dem_bond_type *t = &s->bonds.type[b->type];
  dem_status status = check_part(s, k, "force", b->force, 3, t->tangential_stiffness > 0, plane);
  if (!status) status = check_part(s, k, "bending", b->bending, 3, t->bending_stiffness > 0, turn);
  if (!status) status = check_part(s, k, "twisting", &b->twisting, 1, t->twisting_stiffness > 0, turn);
  return status;
}

static dem_status check_bond(dem_system *s, int64_t k, const dem_bond *b) {
  if (b->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "bond %lld: reserved_zero is %d, must be 0", (long long)k, b->reserved_zero);
  if (b->type < 0 || b->type >= s->bonds.type_count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond %lld: type is %d, there are %d", (long long)k, b->type,
                              s->bonds.type_count);
  dem_status status = check_ends(s, k, b);
  if (!status) status = check_length(s, k, b);
  if (!status) status = check_state(s, k, b);
  return status;
}

static dem_status refuse_twice(dem_system *s, int64_t k, const dem_bond *b) {
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: particles %llu and %llu are bonded already", (long long)k,
                            (unsigned long long)b->i, (unsigned long long)b->j);
}

/* `key`: room for one per bond. */
static dem_status check_pairs(dem_system *s, int64_t count, const dem_bond *bonds, uint64_t *key) {
  demi_bonds_sort_keys(&s->bonds);
  for (int64_t k = 0; k < count; k++) {
    key[k] = demi_bond_key(bonds[k].i, bonds[k].j);
    if (demi_bonds_joined(&s->bonds, key[k])) return refuse_twice(s, k, &bonds[k]);
  }
  demi_sort_keys(key, count);
  for (int64_t n = 1; n < count; n++)
    for (int64_t k = count - 1; key[n] == key[n - 1] && k >= 0; k--)
      if (demi_bond_key(bonds[k].i, bonds[k].j) == key[n]) return refuse_twice(s, k, &bonds[k]);
  return DEM_OK;
}

/* ---- adding ---- */

static dem_status check_all(dem_system *s, int64_t count, const dem_bond *bonds) {
  for (int64_t k = 0; k < count; k++) {
    const dem_status status = check_bond(s, k, &bonds[k]);
    if (status) return status;
  }
  const size_t bytes = (size_t)count * sizeof(uint64_t);
  uint64_t *key = demi_allocate(s->context, bytes);
  dem_status status = key && demi_bonds_reserve(&s->bonds, count) == DEM_OK
                          ? check_pairs(s, count, bonds, key)
                          : demi_system_refuse(s, DEM_NO_MEMORY, "bonds: out of memory for %lld more", (long long)count);
  demi_free(s->context, key, bytes);
  return status;
}

dem_status demi_system_add_bonds(dem_system *s, int64_t count, const dem_bond *bonds, dem_id *ids) {
  if (count < 0 || count > INT32_MAX - s->bonds.count)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bonds: count is %lld beside %lld, allowed 0 to %d in all", (long long)count,
                              (long long)s->bonds.count, INT32_MAX);
  if (count == 0) return DEM_OK;
  dem_status status = check_all(s, count, bonds);
  if (!status) status = demi_engine_open(s);
  if (status) return status;
  for (int64_t k = 0; k < count; k++) {
    const dem_id id = demi_bonds_add(&s->bonds, &bonds[k], &s->store, &s->box);
    if (ids) ids[k] = id;
  }
  return DEM_OK;
}

/* ---- by a neighbour rule ---- */

static dem_status check_rule(dem_system *s, int32_t type, int32_t a, int32_t b, double gap) {
  if (type < 0 || type >= s->bonds.type_count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond neighbours: type is %d, there are %d", type, s->bonds.type_count);
  if (a < 0 || b < 0 || a >= s->material_count || b >= s->material_count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond neighbours: materials (%d, %d), there are %d", a, b, s->material_count);
  if (!isfinite(gap) || (s->store.count > 0 && gap > 2.0 * s->largest_radius))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond neighbours: gap is %g, must be finite and at most %g", gap,
                              2.0 * s->largest_radius);
  const double range = 2.0 * s->largest_radius + (gap > 0 ? gap : 0) + demi_system_skin(s);
  for (int axis = 0; axis < 3; axis++)
    if (s->box.periodic[axis] && demi_box_length(&s->box, axis) < 2.0 * range)
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond neighbours: periodic axis %d is %g long, must be at least %g", axis,
                                demi_box_length(&s->box, axis), 2.0 * range);
  return DEM_OK;
}

/* A list of its own, of the pairs of these materials; it sorts the rows. */
static dem_status list_neighbours(dem_system *s, int32_t a, int32_t b, double gap) {
  static const demi_walls none;
  uint8_t interacts[DEMI_MAX_MATERIALS * DEMI_MAX_MATERIALS] = {0};
  interacts[a * DEMI_MAX_MATERIALS + b] = interacts[b * DEMI_MAX_MATERIALS + a] = 1;
  const demi_search search = {&s->box,           &none, interacts, s->largest_radius, demi_system_skin(s), gap > 0 ? gap : 0,
                              s->options.threads};
  s->epoch++;
  const dem_status status = demi_list_build(&s->list, &s->store, &search);
  if (s->list.sorted) demi_carry_renumber(&s->contacts.carry, s->list.grid.cell_of_row);
  s->list.valid = 0;
  return status ? demi_system_refuse(s, status, "bond neighbours: out of memory") : DEM_OK;
}

/* Bonds of the listed pairs that are near enough into `bonds`, unless NULL; returns how many. */
static int64_t collect(dem_system *s, int32_t type, double gap, dem_bond *bonds) {
  const demi_columns *c = &s->store.columns;
  int64_t count = 0;
  for (int64_t i = 0; i < s->store.count; i++)
    for (int32_t k = s->list.row_start[i]; k < s->list.row_start[i + 1]; k++) {
      const int64_t j = s->list.code[k] & DEMI_ROW_MASK;
      const double sum = c->position[4 * i + 3] + c->position[4 * j + 3];
      if (distance_of(s, i, j) - sum > gap || demi_bonds_joined(&s->bonds, demi_bond_key(c->id[i], c->id[j]))) continue;
      const int swap = demi_id_slot(c->id[j]) < demi_id_slot(c->id[i]);
      if (bonds) bonds[count] = (dem_bond){.i = c->id[swap ? j : i], .j = c->id[swap ? i : j], .type = type};
      count++;
    }
  return count;
}

static dem_status bond_listed(dem_system *s, int32_t type, double gap, int64_t *count) {
  demi_bonds_sort_keys(&s->bonds);
  *count = collect(s, type, gap, NULL);
  if (*count == 0) return DEM_OK;
  const size_t bytes = (size_t)*count * sizeof(dem_bond);
  dem_bond *bonds = demi_allocate(s->context, bytes);
  if (!bonds) return demi_system_refuse(s, DEM_NO_MEMORY, "bond neighbours: out of memory for %lld", (long long)*count);
  collect(s, type, gap, bonds);
  const dem_status status = demi_system_add_bonds(s, *count, bonds, NULL);
  demi_free(s->context, bonds, bytes);
  return status;
}

dem_status demi_system_bond_neighbours(dem_system *s, int32_t type, int32_t a, int32_t b, double gap, int64_t *count) {
  int64_t made = 0;
  if (count) *count = 0;
  dem_status status = check_rule(s, type, a, b, gap);
  if (status || s->store.count == 0) return status;
  status = demi_engine_open(s);
  if (!status) status = list_neighbours(s, a, b, gap);
  if (!status) status = bond_listed(s, type, gap, &made);
  if (!status && count) *count = made;
  return status;
}

/* ---- removing ---- */

static dem_status check_ids(dem_system *s, int64_t count, const dem_id *ids, unsigned char *seen) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t index = demi_idpool_row(&s->bonds.ids, ids[k]);
    if (index < 0)
      return demi_system_refuse(s, DEM_NOT_FOUND, "bond id %lld of the list, %llu, is unknown or stale", (long long)k,
                                (unsigned long long)ids[k]);
    if (seen[index])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond id %lld of the list, %llu, is given twice", (long long)k,
                                (unsigned long long)ids[k]);
    seen[index] = 1;
  }
  return DEM_OK;
}

dem_status demi_system_remove_bonds(dem_system *s, int64_t count, const dem_id *ids) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "remove bonds: count is %lld, must be >= 0", (long long)count);
  if (count == 0) return DEM_OK;
  const size_t bytes = (size_t)s->bonds.count + 1;
  unsigned char *seen = demi_allocate_zero(s->context, bytes);
  dem_status status = seen ? check_ids(s, count, ids, seen)
                           : demi_system_refuse(s, DEM_NO_MEMORY, "remove bonds: out of memory for %lld", (long long)count);
  demi_free(s->context, seen, bytes);
  if (!status) status = demi_engine_open(s);
  for (int64_t k = 0; k < count && !status; k++) demi_bonds_remove(&s->bonds, demi_idpool_row(&s->bonds.ids, ids[k]));
  return status;
}

/* ---- reading ---- */

int64_t demi_system_bond_count(const dem_system *s) { return s->bonds.count - s->bonds.dead; }

dem_status demi_system_bonds(const dem_system *s, int64_t capacity, dem_bond *bonds) {
  if (capacity < demi_system_bond_count(s))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bonds: capacity is %lld, needed %lld", (long long)capacity,
                              (long long)demi_system_bond_count(s));
  int64_t n = 0;
  for (int64_t slot = 0; slot < s->bonds.ids.slots; slot++)
    if (s->bonds.ids.row[slot] >= 0) bonds[n++] = s->bonds.bond[s->bonds.ids.row[slot]].is;
  return DEM_OK;
}

dem_status demi_system_take_bond_breaks(dem_system *s, int64_t capacity, dem_bond_break *breaks, int64_t *count) {
  if (capacity < 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond breaks: capacity is %lld, must be >= 0", (long long)capacity);
  demi_bonds *b = &s->bonds;
  const int64_t taken = capacity < b->broken_count ? capacity : b->broken_count;
  *count = taken;
  if (taken == 0) return DEM_OK;
  memcpy(breaks, b->broken, (size_t)taken * sizeof *breaks);
  b->broken_count -= taken;
  memmove(b->broken, b->broken + taken, (size_t)b->broken_count * sizeof *b->broken);
  return DEM_OK;
}

/* ---- around the passes ---- */

static void settle(dem_system *s, demi_bond *bond, int32_t class, double energy) {
  if (s->options.ledger < 2) return;
  for (int end = 0; end < 2; end++) demi_shares_heat(s, bond->row[end], class, 0.5 * energy);
}

void demi_bonds_settle(dem_system *s) {
  if (!s->contacts.valid) return; /* rows have changed; it was done before they did */
  for (int64_t k = 0; k < s->bonds.count; k++) {
    demi_bond *bond = &s->bonds.bond[k];
    if (bond->is.id) settle(s, bond, DEMI_HEAT_BOND, bond->heat);
    bond->heat = 0;
  }
}

/* The energy of a bond goes where its account says, not where its state says: what is booked is what the motion is short of. An
 * account that the finite time step has made negative is left among the elastic ones. */
static double book_break(dem_system *s, demi_bond *bond) {
  if (!s->ledger.on) return 0;
  const double energy = bond->account > 0 ? bond->account : 0.0;
  demi_ledger_break(&s->ledger, energy);
  settle(s, bond, DEMI_HEAT_BOND, bond->heat);
  settle(s, bond, DEMI_HEAT_BREAKAGE, energy);
  return energy;
}

/* What the normal spring of the contact in `slot` would hold at the present positions. */
static double spring_energy(dem_system *s, const demi_bond *bond) {
  const demi_columns *c = &s->store.columns;
  const int turned = bond->row[0] > bond->row[1];
  const int64_t i = bond->row[turned], j = bond->row[!turned];
  const double *p = c->position + 4 * i, *q = c->position + 4 * j, *shift = s->list.shift + 4 * (bond->code >> DEMI_SHIFT_BITS);
  double square = 0;
  for (int a = 0; a < 3; a++) square += (p[a] - q[a] - shift[a]) * (p[a] - q[a] - shift[a]);
  const double sum = p[3] + q[3], overlap = sum - sqrt(square);
  const int32_t law = s->laws.of_pair[c->material[i] * DEMI_MAX_MATERIALS + c->material[j]];
  if (overlap <= 0 || law < 0) return 0;
  return demi_contacts_spring_energy(&s->contacts, &s->laws.bound[law], overlap, p[3] * q[3] / sum,
                                     1.0 / (c->velocity[8 * i + 3] + c->velocity[8 * j + 3]));
}

/* The contact acts again, from the next evaluation on, which is at the present positions. Where the spheres overlap its spring is
 * compressed from the start: that energy has no source but the model's switch from bond to contact, which is path work. */
static void restore_contact(dem_system *s, const demi_bond *bond) {
  if (bond->slot < 0) return;
  s->list.code[bond->slot] = bond->code;
  s->list.pruned = 0;
  if (!s->ledger.on) return;
  const double energy = spring_energy(s, bond);
  demi_ledger_appear(&s->ledger, energy);
  if (!s->contacts.shares) return;
  double *row = s->contacts.shares + DEMI_SHARE_ENTRIES * (int64_t)bond->slot;
  row[DEMI_SHARE_NORMAL_ELASTIC] += energy;
  row[DEMI_SHARE_PATH] -= energy;
}

static void break_bond(dem_system *s, int64_t index) {
  demi_bond *bond = &s->bonds.bond[index];
  const double energy = book_break(s, bond);
  s->bonds.broken[s->bonds.broken_count++] = (dem_bond_break){
      bond->is.id, bond->is.i, bond->is.j, bond->is.type, bond->reason, s->evaluation_step, s->evaluation_time, energy};
  restore_contact(s, bond);
  demi_bonds_remove(&s->bonds, index);
}

void demi_system_break_bonds(dem_system *s) {
  for (int32_t block = 0; block < s->list.motion.blocks; block++) {
    if (s->contacts.broken[block] == 0) continue;
    const int64_t first = s->contacts.loads.first[DEMI_SECTION_BOND][block] - s->contacts.loads.moment_base;
    const int64_t end = first + s->contacts.loads.count[DEMI_SECTION_BOND][block];
    for (int64_t k = first; k < end; k++)
      if (s->bonds.bond[k].is.id && s->bonds.bond[k].reason) break_bond(s, k);
  }
}
