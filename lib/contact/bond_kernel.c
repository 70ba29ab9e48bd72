/* The bonds of one block: gathers what a bond's response depends on, keeps the response, and writes its load and books. The
 * response itself is in lib/bond/bond_response.h. */
#include <string.h>

#include "bond_tangent.h"
#include "bonds.h"
#include "contacts.h"

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* ---- loads and books ---- */

/* The load of bond c, for the lower row; zero when the bond is broken. */
static void store_load(const demi_bond *bond, const demi_bond_response *response, demi_loads *l, int64_t c) {
  const int turned = bond->row[0] > bond->row[1];
  const demi_bond_forces *f = &response->forces;
  const double sign = turned ? -1.0 : 1.0, along = f->elastic + f->damping;
  double *row = l->rows + 8 * c, *moment = l->moment + 4 * (c - l->moment_base), across[3];
  l->i[c] = bond->row[turned];
  l->j[c] = bond->row[!turned];
  memset(row, 0, 8 * sizeof *row);
  memset(moment, 0, 4 * sizeof *moment);
  if (response->reason) return;
  for (int a = 0; a < 3; a++) across[a] = response->state.force[a] + f->drag[a];
  for (int a = 0; a < 3; a++) row[a] = sign * (along * f->normal[a] + across[a]);
  cross(f->normal, across, row + 4);
  demi_bond_moment(&response->state, f, moment);
  for (int a = 0; a < 3; a++) moment[a] *= sign;
  row[3] = f->arm[turned];
  row[7] = f->arm[!turned];
}

static void store_books(const demi_bond *bond, demi_loads *l, int64_t c) {
  const double sign = bond->row[0] > bond->row[1] ? -1.0 : 1.0, acts = bond->reason ? 0.0 : 1.0;
  const demi_bond_forces *f = &bond->forces;
  double *row = l->books + l->books_width * c;
  for (int a = 0; a < 3; a++) row[a] = sign * f->normal[a];
  row[3] = acts * f->elastic;
  l->damping[c] = acts * f->damping;
  if (l->books_width < 8) return;
  for (int a = 0; a < 3; a++) row[4 + a] = acts * sign * f->drag[a];
  row[7] = 0;
}

static void add_powers(const demi_bond_powers *p, double *sums) {
  sums[DEMI_MODE_ENTRY(DEMI_MODE_NORMAL, DEMI_OF_POWER + DEMI_SPRING)] += p->normal_elastic;
  sums[DEMI_MODE_ENTRY(DEMI_MODE_NORMAL, DEMI_OF_POWER + DEMI_DASHPOT)] += p->normal_damping;
  sums[DEMI_MODE_ENTRY(DEMI_MODE_TANGENTIAL, DEMI_OF_POWER + DEMI_SPRING)] += p->tangential_elastic;
  sums[DEMI_MODE_ENTRY(DEMI_MODE_TANGENTIAL, DEMI_OF_POWER + DEMI_DASHPOT)] += p->tangential_damping;
  sums[DEMI_POWER_TORQUE_ELASTIC + DEMI_SPRING] += p->torque_elastic;
  sums[DEMI_POWER_TORQUE_ELASTIC + DEMI_DASHPOT] += p->torque_damping;
}

/* ---- tangents ---- */

/* K of a bond by displacements, the lower row first; zero when the bond is broken. */
static void store_tangent(const demi_evaluation *e, const demi_bond *bond, const demi_bond_input *in,
                          const demi_bond_response *response, int64_t c) {
  const int turned = bond->row[0] > bond->row[1];
  double *out = e->tangents->bonds + DEMI_BOND_TANGENT * (c - e->contacts->loads.bond_base);
  demi_bond_tangent tangent;
  memset(out, 0, DEMI_BOND_TANGENT * sizeof *out);
  if (response->reason) return;
  demi_bond_find_tangent(in, response, &tangent);
  for (int r = 0; r < 12; r++)
    for (int k = 0; k < 12; k++) {
      const int row = turned ? (r + 6) % 12 : r, column = turned ? (k + 6) % 12 : k;
      out[12 * r + k] = tangent.position[row][column] + tangent.rate[row][column] / e->dt;
    }
}

/* ---- one bond ---- */

static int32_t ask_of(const demi_evaluation *e) {
  return (e->ask & DEMI_COMPUTE_ENERGY ? DEMI_BOND_ENERGIES : 0) | (e->ask & DEMI_COMPUTE_FORCE ? DEMI_BOND_FORCES : 0) |
         (e->ask & DEMI_COMPUTE_BOOKS ? DEMI_BOND_POWERS : 0);
}

static double effective_mass(const demi_store *store, const int64_t row[2]) {
  const double inverse = demi_store_inverse_mass_of(store, row[0], row[1]);
  return inverse > 0 ? 1.0 / inverse : 0.0; /* both frozen: nothing moves */
}

/* The image of j that i is joined to, as loads name images (list.h). A bond longer than a box length counts as of one length. */
static int32_t image_of(const demi_evaluation *e, const demi_bond *bond, const int64_t row[2], int turned) {
  static const int32_t WEIGHT[3] = {1, 3, 9};
  double turns[3];
  int32_t code = 0;
  demi_bond_turns(bond, e->store, row, turns);
  for (int a = 0; a < 3; a++) {
    const double turn = e->box->periodic[a] ? (turned ? turns[a] : -turns[a]) : 0.0;
    code += WEIGHT[a] * (1 + (turn > 0) - (turn < 0));
  }
  return code;
}

static demi_bond_input input_of(const demi_evaluation *e, const demi_bond *bond, const int64_t row[2], const double *span,
                                const demi_bond_springs *springs, const double *partner) {
  const double *position = e->store->columns.position;
  const double *i = e->store->columns.velocity + 8 * row[0], *j = e->store->columns.velocity + 8 * row[1] + 4;
  return (demi_bond_input){.type = &e->bonds->type[bond->type],
                           .springs = springs,
                           .state = &bond->state,
                           .span = span,
                           .radius = {position[4 * row[0] + 3], position[4 * row[1] + 3]},
                           .end = {{i, i + 4}, {partner, j}},
                           .mass = effective_mass(e->store, row),
                           .dt = e->dt,
                           .half = e->half,
                           .kept = e->bonds->kept[bond->type],
                           .ask = ask_of(e)};
}

static void book(const demi_evaluation *e, demi_bond *bond, const demi_bond_response *response, int64_t c, double *sums) {
  store_books(bond, &e->contacts->loads, c);
  demi_bond_book(bond, response);
  sums[DEMI_RELAXATION] += response->lost;
  if (!response->reason) add_powers(&response->powers, sums);
}

/* Where images move: notes which one i is joined to. */
static void note_image(const demi_evaluation *e, demi_bond *bond, const int64_t row[2], int64_t c) {
  if (!e->list->images_move) return;
  bond->image = image_of(e, bond, row, 0);
  if (e->ask & DEMI_COMPUTE_FORCE) e->contacts->loads.image[c] = (uint8_t)image_of(e, bond, row, row[0] > row[1]);
}

/* Returns 1 if the bond breaks in this state. */
static int evaluate_bond(const demi_evaluation *e, demi_bond *bond, int64_t c, double *sums) {
  const int64_t row[2] = {bond->row[0], bond->row[1]};
  double span[3];
  demi_bond_response response;
  demi_bond_span(bond, e->store, e->box, row, span);
  const demi_bond_springs springs = demi_bonds_springs(e->bonds, bond->type, e->store, row);
  double partner[3];
  note_image(e, bond, row, c);
  demi_bond_partner(e->bonds, bond, e->store->columns.velocity + 8 * row[1], partner);
  const demi_bond_input input = input_of(e, bond, row, span, &springs, partner);
  demi_bond_respond(&input, &response);
  const int breaks = (e->ask & DEMI_COMPUTE_FORCE) && response.reason;
  if ((e->ask & DEMI_COMPUTE_FORCE) && !e->commit) bond->breaks = breaks;
  if ((e->ask & DEMI_COMPUTE_ENERGY) && !breaks) {
    sums[DEMI_ENERGY_NORMAL] += response.energies[0];
    sums[DEMI_ENERGY_TANGENTIAL] += response.energies[1];
  }
  if (e->commit) demi_bond_commit(bond, span, &response);
  if (e->ask & DEMI_COMPUTE_FORCE) store_load(bond, &response, &e->contacts->loads, c);
  if (e->ask & DEMI_COMPUTE_TANGENT) store_tangent(e, bond, &input, &response, c);
  if (e->ask & DEMI_COMPUTE_BOOKS) book(e, bond, &response, c, sums);
  return breaks;
}

/* A dead bond keeps its place; its load is zero. */
static void evaluate_dead(const demi_evaluation *e, const demi_bond *bond, int64_t c) {
  const demi_bond_response none = {.forces = bond->forces, .reason = 1};
  if (e->ask & DEMI_COMPUTE_FORCE) store_load(bond, &none, &e->contacts->loads, c);
  if (e->ask & DEMI_COMPUTE_TANGENT) store_tangent(e, bond, NULL, &none, c);
  if (e->ask & DEMI_COMPUTE_BOOKS) store_books(bond, &e->contacts->loads, c);
}

void demi_bonds_block(const demi_evaluation *e, int32_t block, int64_t first, int64_t end) {
  demi_contacts *contacts = e->contacts;
  double *sums = contacts->sums + (int64_t)DEMI_BOOK_ENTRIES * block + DEMI_SECTION_BOND * DEMI_SECTION_ENTRIES;
  const int64_t base = contacts->loads.bond_base;
  int32_t broken = 0;
  for (int64_t k = first; k < end; k++) {
    demi_bond *bond = &e->bonds->bond[k];
    if (!bond->id) {
      evaluate_dead(e, bond, base + k);
      continue;
    }
    broken += evaluate_bond(e, bond, base + k, sums);
  }
  if (!(e->ask & DEMI_COMPUTE_FORCE)) return;
  contacts->loads.first[DEMI_SECTION_BOND][block] = base + first;
  contacts->loads.count[DEMI_SECTION_BOND][block] = (int32_t)(end - first);
  contacts->broken[block] = broken;
}
