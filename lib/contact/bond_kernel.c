/* Forces of the bonds of one block, their powers and accounts. See dem/bond.h for the models.
 *
 * Contact point: the bond is cut in proportion to the radii, arms a_i = |r| R_i/(R_i + R_j) and a_j with a_i + a_j = |r|, so that
 * force and torques conserve angular momentum. Elastic parts are carried along with the bond: projected into the plane across its
 * present direction with their length kept, and turned about it by the mean spin of the two ends; the twisting moment is a number
 * along it.
 *
 * Synchronised, all this first happens in the frame of the half step, r_h = r - dt/2 (v_i - v_j), and elastic parts and velocities
 * are then turned into that of the positions, as contacts are (batch_half.c). */
#include <math.h>
#include <string.h>

#include "bonds.h"
#include "contacts.h"
#include "exponential.h"

static const double pi = 3.14159265358979323846;

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* ---- springs ---- */

demi_bond_springs demi_bond_springs_of(const dem_bond_type *type, double radius_i, double radius_j) {
  demi_bond_springs s;
  memset(&s, 0, sizeof s);
  s.normal = type->stiffness;
  if (type->model == DEM_BOND_HARMONIC) return s;
  const double radius = type->radius_factor * (radius_i < radius_j ? radius_i : radius_j);
  const double inertia = 0.25 * pi * radius * radius * radius * radius;
  s.area = pi * radius * radius;
  s.lever = radius / inertia;
  s.normal = type->normal_stiffness * s.area;
  s.tangential = type->tangential_stiffness * s.area;
  s.bending = type->bending_stiffness * inertia;
  s.twisting = type->twisting_stiffness * 2.0 * inertia;
  return s;
}

static double stored(double square, double stiffness) { return stiffness > 0 ? 0.5 * square / stiffness : 0.0; }

void demi_bond_energies(const demi_bond *bond, const demi_bond_springs *s, double length, double energies[2]) {
  const double stretch = length - bond->is.rest_length;
  energies[0] = 0.5 * s->normal * stretch * stretch;
  energies[1] = stored(dot(bond->is.force, bond->is.force), s->tangential) +
                stored(dot(bond->is.bending, bond->is.bending), s->bending) +
                stored(bond->is.twisting * bond->is.twisting, s->twisting);
}

/* ---- motion ---- */

/* The frame in which relative velocities are taken. */
typedef struct frame {
  double n[3], arm_i, arm_j;
} frame;

static frame frame_of(const demi_bond *bond) {
  return (frame){{bond->normal[0], bond->normal[1], bond->normal[2]}, bond->arm_i, bond->arm_j};
}

/* The frame `half` a time before that of the positions. */
static frame frame_before(const demi_bond *bond, const double *velocity, double half) {
  const double *i = velocity + 8 * (int64_t)bond->row[0], *j = velocity + 8 * (int64_t)bond->row[1];
  const double reach = bond->arm_i + bond->arm_j;
  double r[3];
  for (int a = 0; a < 3; a++) r[a] = bond->span[a] - half * (i[a] - j[a]);
  const double length = sqrt(dot(r, r));
  frame f = frame_of(bond);
  if (!(length > 0 && reach > 0)) return f;
  for (int a = 0; a < 3; a++) f.n[a] = r[a] / length;
  f.arm_i = bond->arm_i / reach * length;
  f.arm_j = length - f.arm_i;
  return f;
}

/* v rotated by the rotation that takes a to b the short way. */
static void turn(double *x, const double *a, const double *b) {
  const double both = 1.0 + dot(a, b), out = dot(x, b) / (both > 1e-6 ? both : 1.0);
  for (int k = 0; k < 3; k++) x[k] -= out * (a[k] + b[k]);
}

/* Relative motion of the ends. */
typedef struct motion {
  double v[3], s[3], w[3]; /* v_i - v_j; a_i w_i + a_j w_j; w_i - w_j */
  double along, across[3]; /* v.n; the velocity at the contact point across n */
  double spin, bend[3];    /* w.n; the rest of w */
  double mean_spin;        /* of both ends, along n */
} motion;

static void find_motion(const demi_bond *bond, const frame *f, const double *velocity, motion *m) {
  const double *i = velocity + 8 * (int64_t)bond->row[0], *j = velocity + 8 * (int64_t)bond->row[1], *n = f->n;
  double turning[3];
  for (int a = 0; a < 3; a++) {
    m->v[a] = i[a] - j[a];
    m->w[a] = i[4 + a] - j[4 + a];
    m->s[a] = f->arm_i * i[4 + a] + f->arm_j * j[4 + a];
  }
  m->along = dot(m->v, n);
  m->spin = dot(m->w, n);
  m->mean_spin = 0.5 * (dot(i + 4, n) + dot(j + 4, n));
  cross(m->s, n, turning);
  for (int a = 0; a < 3; a++) m->across[a] = m->v[a] - m->along * n[a] - turning[a];
  for (int a = 0; a < 3; a++) m->bend[a] = m->w[a] - m->spin * n[a];
}

static void find_geometry(demi_bond *bond, const demi_columns *c, double length) {
  const double ri = c->position[4 * (int64_t)bond->row[0] + 3], rj = c->position[4 * (int64_t)bond->row[1] + 3];
  for (int a = 0; a < 3; a++) bond->normal[a] = length > 0 ? bond->span[a] / length : a == 0;
  bond->arm_i = length * (ri / (ri + rj));
  bond->arm_j = length - bond->arm_i;
}

/* ---- carrying along ---- */

/* Projects v into the plane across n with its length kept, then rotates it about n by `angle`. A vector that is already in
 * the plane, up to round-off, stays unchanged, so that an evaluation of no time changes no bit. */
static void carry_along(double *v, const double *n, double angle) {
  const double square = dot(v, v), out = dot(v, n);
  if (out * out <= 1e-28 * square && angle == 0) return;
  double flat[3], turned[3], before[3];
  for (int a = 0; a < 3; a++) before[a] = v[a];
  for (int a = 0; a < 3; a++) flat[a] = before[a] - out * n[a];
  cross(n, flat, turned);
  for (int a = 0; a < 3; a++) turned[a] = flat[a] + angle * turned[a];
  const double after = dot(turned, turned), scale = after > 0 ? sqrt(square / after) : 0.0;
  for (int a = 0; a < 3; a++) v[a] = scale * turned[a];
}

static void advance(demi_bond *bond, const motion *m, const demi_bond_springs *s, double dt) {
  if (!(dt > 0)) return;
  for (int a = 0; a < 3; a++) {
    bond->is.force[a] -= s->tangential * dt * m->across[a];
    bond->is.bending[a] -= s->bending * dt * m->bend[a];
  }
  bond->is.twisting -= s->twisting * dt * m->spin;
}

/* The motion that the bond's springs and dashpots feel, seen in the plane of the positions; the elastic parts carried into it. */
static void carry(const demi_evaluation *e, demi_bond *bond, motion *m) {
  const double *velocity = e->store->columns.velocity;
  const int halves = e->half > 0;
  const frame seen = halves ? frame_before(bond, velocity, e->half) : frame_of(bond);
  find_motion(bond, &seen, velocity, m);
  const double angle = e->dt > 0 ? e->dt * m->mean_spin : 0.0;
  double *const vectors[] = {bond->is.force, bond->is.bending, m->across, m->bend};
  for (int k = 0; k < 2; k++) carry_along(vectors[k], seen.n, angle);
  if (!halves) return;
  for (int k = 2; k < 4; k++) carry_along(vectors[k], seen.n, 0.5 * angle); /* only the second half of the step */
  for (int k = 0; k < 4; k++) turn(vectors[k], seen.n, bond->normal);
}

/* Relaxation: multiplies all elastic parts by `kept` and changes the rest length accordingly. Returns the energy lost. */
static double relax(demi_bond *bond, const demi_bond_springs *s, double length, double kept) {
  double before[2], after[2];
  if (kept == 1.0) return 0;
  demi_bond_energies(bond, s, length, before);
  bond->is.rest_length = length - kept * (length - bond->is.rest_length);
  for (int a = 0; a < 3; a++) {
    bond->is.force[a] *= kept;
    bond->is.bending[a] *= kept;
  }
  bond->is.twisting *= kept;
  demi_bond_energies(bond, s, length, after);
  return before[0] + before[1] - (after[0] + after[1]);
}

/* ---- breaking ---- */

static int32_t reason_to_break(const demi_bond *bond, const dem_bond_type *t, const demi_bond_springs *s, double length) {
  if (t->break_strain > 0 && length > (1.0 + t->break_strain) * bond->is.rest_length) return DEM_BREAK_STRAIN;
  if (t->model != DEM_BOND_BEAM) return 0;
  const double tension = s->normal * (length - bond->is.rest_length) / s->area;
  const double bending = sqrt(dot(bond->is.bending, bond->is.bending)) * s->lever;
  if (t->break_normal_stress > 0 && tension + bending > t->break_normal_stress) return DEM_BREAK_NORMAL_STRESS;
  const double shear = sqrt(dot(bond->is.force, bond->is.force)) / s->area + fabs(bond->is.twisting) * (0.5 * s->lever);
  return t->break_shear_stress > 0 && shear > t->break_shear_stress ? DEM_BREAK_SHEAR_STRESS : 0;
}

/* ---- loads and books ---- */

static double effective_mass(const demi_bond *bond, const double *velocity) {
  const double inverse = velocity[8 * (int64_t)bond->row[0] + 3] + velocity[8 * (int64_t)bond->row[1] + 3];
  return inverse > 0 ? 1.0 / inverse : 0.0; /* both frozen: nothing moves */
}

static void find_dashpots(demi_bond *bond, const dem_bond_type *t, const motion *m, double mass) {
  bond->damping = -t->normal_damping * mass * m->along;
  for (int a = 0; a < 3; a++) bond->drag[a] = -t->tangential_damping * mass * m->across[a];
}

static void elastic_moment(const demi_bond *bond, double *moment) {
  for (int a = 0; a < 3; a++) moment[a] = bond->is.bending[a] + bond->is.twisting * bond->normal[a];
}

/* The load of bond c, for the lower row; nothing when the bond has broken. */
static void store_load(const demi_bond *bond, demi_loads *l, int64_t c) {
  const int turned = bond->row[0] > bond->row[1];
  const double sign = turned ? -1.0 : 1.0, along = bond->elastic + bond->damping;
  double *row = l->rows + 8 * c, *moment = l->moment + 4 * (c - l->moment_base), across[3];
  l->i[c] = bond->row[turned];
  l->j[c] = bond->row[!turned];
  memset(row, 0, 8 * sizeof *row);
  memset(moment, 0, 4 * sizeof *moment);
  if (bond->reason) return;
  for (int a = 0; a < 3; a++) across[a] = bond->is.force[a] + bond->drag[a];
  for (int a = 0; a < 3; a++) row[a] = sign * (along * bond->normal[a] + across[a]);
  cross(bond->normal, across, row + 4);
  elastic_moment(bond, moment);
  for (int a = 0; a < 3; a++) moment[a] *= sign;
  row[3] = turned ? bond->arm_j : bond->arm_i;
  row[7] = turned ? bond->arm_i : bond->arm_j;
}

static void store_books(const demi_bond *bond, demi_loads *l, int64_t c) {
  const double sign = bond->row[0] > bond->row[1] ? -1.0 : 1.0, acts = bond->reason ? 0.0 : 1.0;
  double *row = l->books + l->books_width * c;
  for (int a = 0; a < 3; a++) row[a] = sign * bond->normal[a];
  row[3] = acts * bond->elastic;
  l->damping[c] = acts * bond->damping;
  if (l->books_width < 8) return;
  for (int a = 0; a < 3; a++) row[4 + a] = acts * sign * bond->drag[a];
  row[7] = 0;
}

/* ---- powers ---- */

/* Powers of a bond at some velocities: normal spring and dashpot, tangential spring with the moments, tangential dashpot, and of
 * the last two what is done through torques. Written as the ledger's end powers are: a force across n acts on the motion of the
 * centres and, as a torque, on the spins. */
typedef struct powers {
  double of[DEMI_COMMON_MODES][DEMI_FORCE_PARTS], torque[DEMI_FORCE_PARTS];
} powers;

static double torque_power(const demi_bond *bond, const motion *m, const double *force) {
  double turn[3];
  cross(bond->normal, force, turn);
  return -dot(turn, m->s);
}

static powers find_powers(const demi_bond *bond, const motion *m) {
  powers p;
  double moment[3];
  elastic_moment(bond, moment);
  p.of[DEMI_MODE_NORMAL][DEMI_SPRING] = bond->elastic * m->along;
  p.of[DEMI_MODE_NORMAL][DEMI_DASHPOT] = bond->damping * m->along;
  p.torque[DEMI_SPRING] = torque_power(bond, m, bond->is.force) + dot(moment, m->w);
  p.torque[DEMI_DASHPOT] = torque_power(bond, m, bond->drag);
  p.of[DEMI_MODE_TANGENTIAL][DEMI_SPRING] = dot(bond->is.force, m->v) + p.torque[DEMI_SPRING];
  p.of[DEMI_MODE_TANGENTIAL][DEMI_DASHPOT] = dot(bond->drag, m->v) + p.torque[DEMI_DASHPOT];
  return p;
}

static void note_power(demi_bond *bond, const powers *p) {
  bond->power[0] = p->of[DEMI_MODE_NORMAL][DEMI_SPRING] + p->of[DEMI_MODE_TANGENTIAL][DEMI_SPRING];
  bond->power[1] = p->of[DEMI_MODE_NORMAL][DEMI_DASHPOT] + p->of[DEMI_MODE_TANGENTIAL][DEMI_DASHPOT];
}

void demi_bonds_book(demi_bonds *b, const demi_store *store, int64_t first, int64_t end, double interval) {
  for (int64_t k = first; k < end; k++) {
    demi_bond *bond = &b->bond[k];
    motion m;
    if (!bond->is.id) continue;
    const frame now = frame_of(bond);
    find_motion(bond, &now, store->columns.velocity, &m);
    const double start[2] = {bond->power[0], bond->power[1]};
    const powers p = find_powers(bond, &m);
    note_power(bond, &p);
    bond->account -= 0.5 * interval * (start[0] + bond->power[0]);
    bond->heat -= 0.5 * interval * (start[1] + bond->power[1]);
  }
}

/* ---- one bond ---- */

static void book(demi_bond *bond, const motion *m, double lost, double *sums) {
  bond->account -= lost;
  bond->heat += lost;
  sums[DEMI_RELAXATION] += lost;
  if (bond->reason) return;
  const powers p = find_powers(bond, m);
  note_power(bond, &p);
  for (int part = 0; part < DEMI_FORCE_PARTS; part++) {
    for (int mode = 0; mode < DEMI_COMMON_MODES; mode++) sums[DEMI_MODE_ENTRY(mode, DEMI_OF_POWER + part)] += p.of[mode][part];
    sums[DEMI_POWER_TORQUE_ELASTIC + part] += p.torque[part];
  }
}

static void commit(const demi_evaluation *e, demi_bond *bond, const demi_bond_springs *s, double length, int64_t c,
                   double *sums) {
  const dem_bond_type *type = &e->bonds->type[bond->is.type];
  const double *velocity = e->store->columns.velocity;
  motion m;
  find_geometry(bond, &e->store->columns, length);
  carry(e, bond, &m);
  advance(bond, &m, s, e->dt);
  const double lost = relax(bond, s, length, e->bonds->kept[bond->is.type]);
  bond->elastic = s->normal * (bond->is.rest_length - length);
  bond->reason = reason_to_break(bond, type, s, length);
  find_dashpots(bond, type, &m, effective_mass(bond, velocity));
  store_load(bond, &e->contacts->loads, c);
  if (!e->contacts->ledger) return;
  store_books(bond, &e->contacts->loads, c);
  const frame now = frame_of(bond);
  if (e->half > 0) find_motion(bond, &now, velocity, &m); /* the power of a force is that at the velocities in its own frame */
  book(bond, &m, lost, sums);
}

static demi_bond_springs springs_of(const demi_evaluation *e, const demi_bond *bond) {
  const double *position = e->store->columns.position;
  return demi_bond_springs_of(&e->bonds->type[bond->is.type], position[4 * (int64_t)bond->row[0] + 3],
                              position[4 * (int64_t)bond->row[1] + 3]);
}

static void evaluate_bond(const demi_evaluation *e, demi_bond *bond, int64_t c, double *sums) {
  const int64_t row[2] = {bond->row[0], bond->row[1]};
  const demi_bond_springs s = springs_of(e, bond);
  double r[3], energies[2];
  demi_bond_span(bond, e->store, e->box, row, r);
  const double length = sqrt(dot(r, r));
  if (e->energies) {
    demi_bond_energies(bond, &s, length, energies);
    sums[DEMI_ENERGY_NORMAL] += energies[0];
    sums[DEMI_ENERGY_TANGENTIAL] += energies[1];
  }
  if (e->trial) return;
  memcpy(bond->span, r, sizeof r);
  commit(e, bond, &s, length, c, sums);
}

/* A dead bond keeps its place; its load is zero. */
static void evaluate_dead(const demi_evaluation *e, const demi_bond *bond, int64_t c) {
  if (e->trial) return;
  store_load(bond, &e->contacts->loads, c);
  if (e->contacts->ledger) store_books(bond, &e->contacts->loads, c);
}

void demi_bonds_block(const demi_evaluation *e, int32_t block, int64_t first, int64_t end) {
  demi_contacts *contacts = e->contacts;
  double *sums = contacts->sums + (int64_t)DEMI_BOOK_ENTRIES * block + DEMI_SECTION_BOND * DEMI_SECTION_ENTRIES;
  const int64_t base = contacts->loads.bond_base;
  int32_t broken = 0;
  for (int64_t k = first; k < end; k++) {
    demi_bond *bond = &e->bonds->bond[k];
    if (!bond->is.id) {
      evaluate_dead(e, bond, base + k);
      continue;
    }
    evaluate_bond(e, bond, base + k, sums);
    broken += bond->reason != 0;
  }
  if (e->trial) return;
  contacts->loads.first[DEMI_SECTION_BOND][block] = base + first;
  contacts->loads.count[DEMI_SECTION_BOND][block] = (int32_t)(end - first);
  contacts->broken[block] = broken;
}

/* ---- relaxation ---- */

void demi_bonds_begin(demi_bonds *b, double dt) {
  for (int32_t t = 0; t < b->type_count; t++)
    b->kept[t] = b->type[t].relaxation_time > 0 && dt > 0 ? demi_decay(dt / b->type[t].relaxation_time) : 1.0;
}
