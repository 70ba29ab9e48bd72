/* The tangents of a trial as small dense blocks, for matrices and preconditioners. Each contact and bond couples two rows; its blocks are
 * the answers to unit displacements of the two (contact/tangent.h), with the opposite sign, because K is the derivative of -F. */
#include <string.h>

#include "intake.h"
#include "trial.h"

#define BLOCK_V1 DEMI_SIZE_TO(dem_trial_block, jj)

enum { BLOCKS_AT_ONCE = 64 };

/* Displacement and rotation vector, or force and moment. */
typedef struct six {
  double linear[3], angular[3];
} six;

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void times(const double *columns, const double *v, double *out) {
  for (int a = 0; a < 3; a++) out[a] = columns[a] * v[0] + columns[4 + a] * v[1] + columns[8 + a] * v[2];
}

/* Where a contact is, and whether it has a moment. */
typedef struct coupling {
  const double *row, *moments, *lever; /* moments NULL: none; lever NULL: of a particle */
  const double *bond;                  /* of a bond its own derivatives, and none of the others; else NULL */
} coupling;

static void respond_bond(const double *k, const six *i, const six *j, six *load_i, six *load_j) {
  const double *const x[4] = {i->linear, i->angular, j->linear, j->angular};
  double *const y[4] = {load_i->linear, load_i->angular, load_j->linear, load_j->angular};
  for (int r = 0; r < 12; r++) {
    double sum = 0;
    for (int a = 0; a < 12; a++) sum -= k[12 * r + a] * x[a / 3][a % 3];
    y[r / 3][r % 3] = sum;
  }
}

/* The loads on both sides when they are displaced by i and j. */
static void respond(const coupling *c, const six *i, const six *j, six *load_i, six *load_j) {
  if (c->bond) {
    respond_bond(c->bond, i, j, load_i, load_j);
    return;
  }
  const double *n = c->row + 12, arm_i = c->row[7], arm_j = c->row[11], tension = c->row[3];
  double u[3], turned[3], slide[3], at[3], spring[3], across[3], along = 0;
  six other = *j;
  if (c->lever) {
    cross(j->angular, c->lever, at);
    for (int a = 0; a < 3; a++) other.linear[a] += at[a];
  }
  for (int a = 0; a < 3; a++) {
    u[a] = i->linear[a] - other.linear[a];
    turned[a] = arm_i * i->angular[a] + (c->lever ? 0.0 : arm_j * j->angular[a]);
    along += n[a] * u[a];
  }
  cross(turned, n, slide);
  for (int a = 0; a < 3; a++) at[a] = u[a] - slide[a];
  times(c->row, at, spring);
  cross(n, spring, across);
  for (int a = 0; a < 3; a++) {
    load_i->linear[a] = spring[a] + tension * (u[a] - n[a] * along);
    load_j->linear[a] = -load_i->linear[a];
    load_i->angular[a] = -arm_i * across[a];
    load_j->angular[a] = -arm_j * across[a];
  }
  if (c->lever) cross(load_j->linear, c->lever, across); /* lever x (-f) */
  for (int a = 0; a < 3 && c->lever; a++) load_j->angular[a] = -across[a];
  if (!c->moments) return;
  double turn[3], moment[3];
  for (int a = 0; a < 3; a++) turn[a] = i->angular[a] - j->angular[a];
  times(c->moments, turn, moment);
  for (int a = 0; a < 3; a++) {
    moment[a] += c->moments[12 + a] * along;
    load_i->angular[a] += moment[a];
    load_j->angular[a] -= moment[a];
  }
}

/* ---- unknowns ---- */

/* Unknown number k of a row as one of the six numbers. */
static double *component(const dem_trial *t, six *s, int32_t width, int32_t k) {
  if (k < t->dimension) return &s->linear[k];
  if (width == 3) return &s->angular[2];
  return &s->angular[k - 3];
}

static void write_block(const dem_trial *t, int32_t rows, int32_t columns, const six *answers, double *block) {
  for (int32_t c = 0; c < columns; c++)
    for (int32_t r = 0; r < rows; r++) {
      six answer = answers[c];
      block[r * columns + c] = -*component(t, &answer, rows, r);
    }
}

static void fill_block(const dem_trial *t, const coupling *c, dem_trial_block *b) {
  const six none = {{0, 0, 0}, {0, 0, 0}};
  six on_i[6], on_j[6];
  for (int32_t k = 0; k < b->width_i; k++) {
    six unit = none;
    *component(t, &unit, b->width_i, k) = 1;
    respond(c, &unit, &none, &on_i[k], &on_j[k]);
  }
  write_block(t, b->width_i, b->width_i, on_i, b->ii);
  write_block(t, b->width_j, b->width_i, on_j, b->ji);
  for (int32_t k = 0; k < b->width_j; k++) {
    six unit = none;
    *component(t, &unit, b->width_j, k) = 1;
    respond(c, &none, &unit, &on_i[k], &on_j[k]);
  }
  write_block(t, b->width_i, b->width_j, on_i, b->ij);
  write_block(t, b->width_j, b->width_j, on_j, b->jj);
}

static void make_block(const dem_trial *t, int32_t section, int64_t at, dem_trial_block *b) {
  const demi_loads *l = &t->replica.contacts.loads;
  const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP, bonded = section == DEMI_SECTION_BOND;
  const int moments = l->rolls && !gap && !bonded, wall = l->j[at] < 0;
  const coupling c = {
      .row = t->tangent.rows + DEMI_TANGENT_ROW * at,
      .moments = moments ? t->tangent.moments + DEMI_TANGENT_MOMENT_ROW * (at - l->moment_base) : NULL,
      .lever = wall ? l->lever + 4 * (at - l->wall_base) : NULL,
      .bond = bonded ? t->tangent.bonds + DEMI_BOND_TANGENT * (at - l->bond_base) : NULL,
  };
  memset(b, 0, sizeof *b);
  b->i = (int64_t)t->of_row[l->i[at]] * t->width;
  b->width_i = t->width;
  b->width_j = wall ? t->wall_width : t->width;
  b->j = wall ? t->particles * t->width + (int64_t)t->replica.faces.face[demi_face_of_partner(l->j[at])].wall * t->wall_width
              : (int64_t)t->of_row[l->j[at]] * t->width;
  fill_block(t, &c, b);
}

/* ---- visiting ---- */

typedef struct visit {
  dem_trial *trial;
  uint32_t struct_size;
  dem_trial_block_fn visit;
  void *user;
  int64_t count;
  unsigned char *rows; /* BLOCKS_AT_ONCE of struct_size bytes */
} visit;

static int32_t hand_over(visit *v) {
  const int32_t stops = v->count > 0 ? v->visit(v->user, v->count, (const dem_trial_block *)(const void *)v->rows) : 0;
  v->count = 0;
  return stops;
}

static int32_t visit_section(visit *v, int32_t section, int32_t block) {
  const demi_loads *l = &v->trial->replica.contacts.loads;
  const int64_t end = l->first[section][block] + l->count[section][block];
  int32_t stops = 0;
  for (int64_t c = l->first[section][block]; c < end && !stops; c++) {
    dem_trial_block b;
    make_block(v->trial, section, c, &b);
    demi_row_give(v->rows, v->count++, v->struct_size, &b, sizeof b);
    if (v->count == BLOCKS_AT_ONCE) stops = hand_over(v);
  }
  return stops;
}

static int32_t visit_all(visit *v) {
  int32_t stops = 0;
  for (int32_t b = 0; b < v->trial->replica.list.motion.blocks && !stops; b++)
    for (int32_t section = 0; section < DEMI_SECTIONS && !stops; section++) stops = visit_section(v, section, b);
  return stops ? stops : hand_over(v);
}

static dem_status check_tangents(const dem_trial *t) {
  if (t->has_tangents) return DEM_OK;
  return demi_system_refuse(t->system, DEM_INCOMPLETE, "trial: no evaluation with DEM_TRIAL_TANGENT came before");
}

dem_status demi_trial_blocks(dem_trial *t, uint32_t struct_size, dem_trial_block_fn function, void *user) {
  dem_system *s = t->system;
  dem_status status = check_tangents(t);
  if (!status && demi_row_size(struct_size, BLOCK_V1) != DEM_OK)
    status = demi_system_refuse(s, DEM_BAD_STRUCT, "trial blocks: %s",
                                demi_row_flaw(BLOCK_V1, struct_size, (char[DEMI_FLAW_TEXT]){""}));
  if (status || t->particles == 0) return status;
  const size_t bytes = (size_t)BLOCKS_AT_ONCE * struct_size;
  visit v = {t, struct_size, function, user, 0, demi_allocate(s->context, bytes)};
  if (!v.rows) return demi_system_refuse(s, DEM_NO_MEMORY, "trial blocks: out of memory");
  const int32_t stopped = visit_all(&v);
  demi_free(s->context, v.rows, bytes);
  if (!stopped) return DEM_OK;
  return demi_system_refuse(s, DEM_CANCELLED, "trial blocks: stopped by the visitor with %d", stopped);
}

/* ---- diagonal ---- */

static double *diagonal_of(const dem_trial *t, double *diagonal, int64_t first) {
  const int64_t rows = t->particles * t->width, square = (int64_t)t->width * t->width;
  if (first < rows) return diagonal + first / t->width * square;
  return diagonal + t->particles * square + (first - rows) / t->wall_width * t->wall_width * t->wall_width;
}

static void add(double *to, const double *from, int32_t width) {
  for (int32_t k = 0; k < width * width; k++) to[k] += from[k];
}

dem_status demi_trial_diagonal(dem_trial *t, double *diagonal) {
  const demi_replica *r = &t->replica;
  const demi_loads *l = &r->contacts.loads;
  const dem_status status = check_tangents(t);
  if (status) return status;
  const int64_t count = t->particles * t->width * t->width + (int64_t)t->walls * t->wall_width * t->wall_width;
  memset(diagonal, 0, (size_t)count * sizeof *diagonal);
  for (int32_t b = 0; t->particles > 0 && b < r->list.motion.blocks; b++)
    for (int32_t section = 0; section < DEMI_SECTIONS; section++)
      for (int64_t c = l->first[section][b]; c < l->first[section][b] + l->count[section][b]; c++) {
        dem_trial_block block;
        make_block(t, section, c, &block);
        add(diagonal_of(t, diagonal, block.i), block.ii, block.width_i);
        add(diagonal_of(t, diagonal, block.j), block.jj, block.width_j);
      }
  return DEM_OK;
}
