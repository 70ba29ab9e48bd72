/* The sum of loads over one chunk of rows; see sum.h. */
#include "sum.h"

void DEMI_VARIANT_NAME(sum_chunk)(const demi_load_sum *s, int32_t chunk) {
  const demi_sum_window w = demi_sum_window_of(s->rows, s->chunks, chunk, s->coarse_row);
  demi_sum_incoming(s->loads, s->chunks, s->reach, &w, chunk);
  for (int32_t b = s->chunks->block[chunk]; b < s->chunks->block[chunk + 1]; b++) demi_sum_block(s->loads, &w, b);
}
