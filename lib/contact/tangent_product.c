/* The product of the tangents of one block with displacements, once per instruction set; see tangent.h. */
#include "tangent.h"
#include "wide.h"

static inline demi_wide lane(demi_wide v, const int k) { return demi_spread(v[k]); }

static inline demi_wide cross(demi_wide a, demi_wide b) {
  const demi_wide a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3), a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3);
  const demi_wide b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3), b2 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
  return a1 * b2 - a2 * b1;
}

static inline demi_wide times(const double *columns, demi_wide v) {
  return demi_load4(columns) * lane(v, 0) + demi_load4(columns + 4) * lane(v, 1) + demi_load4(columns + 8) * lane(v, 2);
}

/* Displacement of the partner at the contact, and its rotation. */
typedef struct partner {
  demi_wide linear, angular;
} partner;

static inline partner partner_of(const demi_loads *l, const demi_displacements *p, int64_t c) {
  if (l->j[c] >= 0) {
    const double *row = p->rows + 8 * (int64_t)l->j[c];
    const demi_wide own = demi_load4(row);
    return (partner){p->images ? own + demi_load4(p->images + 4 * l->image[c]) : own, demi_load4(row + 4)};
  }
  const double *wall = p->faces + 8 * (int64_t)demi_face_of_partner(l->j[c]);
  const demi_wide turn = demi_load4(wall + 4), lever = demi_load4(l->lever + 4 * (c - l->wall_base));
  return (partner){demi_load4(wall) + cross(turn, lever), turn};
}

static inline __attribute__((always_inline)) void multiply(const demi_tangents *t, const demi_loads *l,
                                                           const demi_displacements *p, int64_t c, const int moments) {
  const double *row = t->rows + DEMI_TANGENT_ROW * c, *mine = p->rows + 8 * (int64_t)l->i[c];
  const partner other = partner_of(l, p, c);
  const demi_wide n = demi_load4(row + 12), own_turn = demi_load4(mine + 4), u = demi_load4(mine) - other.linear;
  const demi_wide arm_i = demi_spread(row[7]), arm_j = demi_spread(row[11]);
  const demi_wide turned = l->j[c] >= 0 ? arm_i * own_turn + arm_j * other.angular : arm_i * own_turn;
  const demi_wide square = n * u, along = demi_spread(square[0] + square[1] + square[2]);
  const demi_wide spring = times(row, u - cross(turned, n));
  demi_wide f = spring + demi_spread(row[3]) * (u - n * along), m = cross(n, spring);
  f[3] = row[7];
  m[3] = row[11];
  demi_store4(t->product + 8 * c, f);
  demi_store4(t->product + 8 * c + 4, m);
  if (!moments) return;
  const double *turning = t->moments + DEMI_TANGENT_MOMENT_ROW * (c - l->moment_base);
  demi_store4(t->product_moment + 4 * (c - l->moment_base),
              times(turning, own_turn - other.angular) + demi_load4(turning + 12) * along);
}

/* A load with arms of 1: the torques of both rows are -m + M and -m - M. The forces of a bond on its rows are opposite. */
static void multiply_bond(const demi_tangents *t, const demi_loads *l, const demi_displacements *p, int64_t c) {
  const double *k = t->bonds + DEMI_BOND_TANGENT * (c - l->bond_base), *i = p->rows + 8 * (int64_t)l->i[c];
  const partner other = partner_of(l, p, c);
  double x[12], y[12], *row = t->product + 8 * c, *moment = t->product_moment + 4 * (c - l->moment_base);
  for (int a = 0; a < 3; a++) {
    x[a] = i[a];
    x[3 + a] = i[4 + a];
    x[6 + a] = other.linear[a];
    x[9 + a] = other.angular[a];
  }
  for (int r = 0; r < 12; r++) {
    y[r] = 0;
    for (int a = 0; a < 12; a++) y[r] -= k[12 * r + a] * x[a];
  }
  for (int a = 0; a < 3; a++) {
    row[a] = y[a];
    row[4 + a] = -0.5 * (y[3 + a] + y[9 + a]);
    moment[a] = 0.5 * (y[3 + a] - y[9 + a]);
  }
  row[3] = row[7] = 1.0;
  moment[3] = 0;
}

void DEMI_VARIANT_NAME(tangent_product)(const demi_tangents *t, const demi_loads *l, const demi_displacements *p,
                                        int32_t block) {
  for (int32_t section = 0; section < DEMI_SECTIONS; section++) {
    const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP;
    const int moments = l->rolls && !gap;
    const int64_t end = l->first[section][block] + l->count[section][block];
    for (int64_t c = l->first[section][block]; c < end; c++)
      if (section == DEMI_SECTION_BOND)
        multiply_bond(t, l, p, c);
      else if (moments)
        multiply(t, l, p, c, 1);
      else
        multiply(t, l, p, c, 0);
  }
}
