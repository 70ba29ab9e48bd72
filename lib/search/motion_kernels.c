/* Boxes of the displacements of tiles, once per instruction set; see list.h. */
#include "list.h"
#include "wide.h"

void DEMI_VARIANT_NAME(moved_boxes)(const demi_motion *m, const double *position, const double *since, double *boxes,
                                    int32_t first, int32_t end) {
  for (int32_t t = first; t < end; t++) {
    const int64_t begin = 4 * (int64_t)m->tile_start[t], stop = 4 * (int64_t)m->tile_start[t + 1];
    demi_wide low = {0}, high = {0};
    if (begin < stop) low = high = demi_load4(position + begin) - demi_load4(since + begin);
    for (int64_t k = begin + 4; k < stop; k += 4) {
      const demi_wide d = demi_load4(position + k) - demi_load4(since + k);
      low = demi_min(low, d);
      high = demi_max(high, d);
    }
    demi_store4(boxes + 8 * (int64_t)t, low);
    demi_store4(boxes + 8 * (int64_t)t + 4, high);
  }
}
