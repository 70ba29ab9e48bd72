/* Numbers of pairs of materials. Pair (a, b), a <= b, has the number b (b + 1)/2 + a: the pairs of a new material come after those
 * of all others, so a table by pair grows without moving its entries. */
#ifndef DEMI_MATERIAL_PAIR_H
#define DEMI_MATERIAL_PAIR_H

#include <stddef.h>
#include <stdint.h>

/* Their pairs are counted with an int32_t: 65535 * 65536/2 < 2^31. */
enum { DEMI_MAX_MATERIALS = 65535 };

/* Number of the pair, in either order of a and b. */
static inline size_t demi_material_pair(int32_t a, int32_t b) {
  const size_t low = (size_t)(a < b ? a : b), high = (size_t)(a < b ? b : a);
  return high * (high + 1) / 2 + low;
}

/* Number of pairs of `materials` materials. */
static inline size_t demi_material_pairs(int32_t materials) { return (size_t)materials * ((size_t)materials + 1) / 2; }

#endif
