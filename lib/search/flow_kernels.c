/* Displacements beside the flow of the box, once per instruction set: w = u - (F - 1) x_0, see images.c. */
#include "list.h"
#include "wide.h"

void DEMI_VARIANT_NAME(flow_boxes)(demi_list *list, const double *position, const demi_flow *flow, int32_t first, int32_t end) {
  const demi_motion *m = &list->motion;
  const double *e = flow->strain;
  const demi_wide x = {e[0], 0, 0, 0}, y = {e[3], e[1], 0, 0}, z = {e[4], e[5], e[2], 0};
  for (int32_t t = first; t < end; t++) {
    demi_wide low = {0}, high = {0};
    for (int64_t row = m->tile_start[t]; row < m->tile_start[t + 1]; row++) {
      const double *p = flow->at + 4 * row;
      const demi_wide carried = x * demi_spread(p[0]) + y * demi_spread(p[1]) + z * demi_spread(p[2]);
      const demi_wide w = demi_load4(position + 4 * row) - demi_load4(p) - carried;
      low = row == m->tile_start[t] ? w : demi_min(low, w);
      high = row == m->tile_start[t] ? w : demi_max(high, w);
    }
    low[3] = high[3] = 0;
    demi_store4(list->flow_box + 8 * (int64_t)t, low);
    demi_store4(list->flow_box + 8 * (int64_t)t + 4, high);
  }
}
