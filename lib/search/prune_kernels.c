/* Picking the nearly touching pairs of one block; compiled once per instruction set, same result from each. */
#include "list.h"
#include "wide.h"

void DEMI_VARIANT_NAME(prune_block)(demi_list *list, const demi_store *store, int32_t block) {
  const double *position = store->columns.position;
  const int32_t first = demi_block_first(&list->motion, block), last = demi_block_first(&list->motion, block + 1);
  const double skin = list->level[demi_level_of_row(list, first)].skin[DEMI_SINCE_PRUNE] + list->range;
  int32_t *pair = list->near_pair, *row = list->near_row;
  int32_t n = list->row_start[first];
  for (int32_t i = first; i < last; i++) {
    const demi_wide p = demi_load4(position + 4 * (int64_t)i);
    const double reach = p[3] + skin;
    for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++) {
      const uint32_t code = list->code[s];
      const demi_wide q = demi_load4(position + 4 * (int64_t)(code & DEMI_ROW_MASK));
      const demi_wide d = p - (q + demi_load4(list->shift + 4 * (code >> DEMI_SHIFT_BITS)));
      const demi_wide square = d * d;
      const double sum = reach + q[3];
      pair[n] = s;
      row[n] = i;
      n += square[0] + square[1] + square[2] < sum * sum; /* no branch: it would be mispredicted */
    }
  }
  list->near_count[block] = n - list->row_start[first];
}
