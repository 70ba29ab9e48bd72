/* Masses and radii of the particles of each material, found by a walk over all particles. A walk serves DEMI_SIZES_AT_ONCE
 * materials, whose sizes fit on the stack: so it allocates nothing, and calls on a const system may run together. */
#ifndef DEMI_MATERIAL_SIZES_H
#define DEMI_MATERIAL_SIZES_H

#include "state.h"

enum { DEMI_SIZES_AT_ONCE = 64 };

typedef struct demi_material_sizes {
  double least_mass, least_radius; /* of particles that move [mass, length]; infinite: there are none */
  double largest_radius;           /* of all particles [length]; 0: there are none */
  int32_t on_wall;                 /* 1: some wall is of this material */
} demi_material_sizes;

/* Of materials first ... first + DEMI_SIZES_AT_ONCE - 1; those beyond the last material have no particles. */
void demi_material_sizes_find(const dem_system *system, int32_t first, demi_material_sizes sizes[DEMI_SIZES_AT_ONCE]);

/* Visits all pairs of materials in both orders, (a, b) and (b, a), with the sizes of both. */
typedef void demi_material_visit_fn(void *user, int32_t a, int32_t b, const demi_material_sizes *of_a,
                                    const demi_material_sizes *of_b);
void demi_material_pairs_visit(const dem_system *system, demi_material_visit_fn *visit, void *user);

#endif
