/* Relative motion of the two sides of a contact at present velocities, for the powers. */
#ifndef DEMI_RELATIVE_H
#define DEMI_RELATIVE_H

#include "loads.h"
#include "wide.h"

typedef struct demi_relative {
  demi_wide v, s; /* v_i - v_j; a_i w_i + a_j w_j */
} demi_relative;

/* s x n, in lanes 0 to 2. */
static inline demi_wide demi_cross(demi_wide s, demi_wide n) {
  const demi_wide s1 = __builtin_shufflevector(s, s, 1, 2, 0, 3), s2 = __builtin_shufflevector(s, s, 2, 0, 1, 3);
  const demi_wide n1 = __builtin_shufflevector(n, n, 1, 2, 0, 3), n2 = __builtin_shufflevector(n, n, 2, 0, 1, 3);
  return s1 * n2 - s2 * n1;
}

static inline demi_relative demi_between_particles(const double *velocity, const demi_loads *l, int64_t c, demi_wide f,
                                                   demi_wide m) {
  const double *i = velocity + 8 * (int64_t)l->i[c], *j = velocity + 8 * (int64_t)l->j[c];
  demi_wide apart = demi_load4(i) - demi_load4(j);
  if (l->image_velocity) apart -= demi_load4(l->image_velocity + 4 * l->image[c]);
  return (demi_relative){apart, demi_lane3(f) * demi_load4(i + 4) + demi_lane3(m) * demi_load4(j + 4)};
}

/* w_i + w_j */
static inline demi_wide demi_both_spins(const double *velocity, const demi_loads *l, int64_t c) {
  return demi_load4(velocity + 8 * (int64_t)l->i[c] + 4) + demi_load4(velocity + 8 * (int64_t)l->j[c] + 4);
}

/* The wall's surface moves with its body: v + w x lever. */
static inline demi_relative demi_against_wall(const double *velocity, const demi_loads *l, int64_t c, demi_wide f) {
  const double *i = velocity + 8 * (int64_t)l->i[c], *j = (*l->wall_velocity)[demi_face_of_partner(l->j[c])];
  const demi_wide surface = demi_load4(j) + demi_cross(demi_load4(j + 4), demi_load4(l->lever + 4 * (c - l->wall_base)));
  return (demi_relative){demi_load4(i) - surface, demi_lane3(f) * demi_load4(i + 4)};
}

#endif
