/* Displacements checked, and the gradient of a lean evaluation given out, once per instruction set; see trial.h. */
#include <string.h>

#include "limits.h"
#include "trial.h"
#include "wide.h"

int DEMI_VARIANT_NAME(are_bounded)(const double *numbers, int64_t count) {
  int64_t bad = 0;
  DEMI_INDEPENDENT
  for (int64_t k = 0; k < count; k++) bad |= (int64_t) !(numbers[k] >= -DEMI_LARGEST) | (int64_t) !(numbers[k] <= DEMI_LARGEST);
  return !bad;
}

/* In `dims` dimensions, `width` unknowns per row: constants where it is called. */
static inline __attribute__((always_inline)) void write_rows(dem_trial *t, double *gradient, int32_t first, int32_t last,
                                                             const int dims, const int width, const int pulled) {
  const int32_t *of_row = t->of_row;
  double *sums = t->lean_sums.force;
  for (int64_t row = first; row < last; row++) {
    double *out = gradient + (int64_t)width * of_row[row], pull[3] = {0, 0, 0}, turn[3] = {0, 0, 0};
    const demi_wide force = demi_load4(sums + 4 * row);
    demi_store4(sums + 4 * row, demi_spread(0.0));
    if (pulled) demi_trial_find_pull(t, row, pull, turn);
    for (int a = 0; a < dims; a++) out[a] = pulled ? -force[a] - pull[a] : -force[a];
    for (int a = dims; a < width; a++) out[a] = pulled ? -turn[dims == 2 ? 2 : a - dims] : 0.0;
  }
}

static inline __attribute__((always_inline)) void write_all(dem_trial *t, double *gradient, int32_t first, int32_t last,
                                                            const int pulled) {
  if (t->width == 2) write_rows(t, gradient, first, last, 2, 2, pulled);
  if (t->width == 3 && t->dimension == 2) write_rows(t, gradient, first, last, 2, 3, pulled);
  if (t->width == 3 && t->dimension == 3) write_rows(t, gradient, first, last, 3, 3, pulled);
  if (t->width == 6) write_rows(t, gradient, first, last, 3, 6, pulled);
}

void DEMI_VARIANT_NAME(write_lean)(dem_trial *t, double *gradient, int32_t chunk) {
  const demi_chunks *chunks = &t->replica.list.chunks;
  if (demi_trial_is_pulled(t))
    write_all(t, gradient, chunks->row[chunk], chunks->row[chunk + 1], 1);
  else
    write_all(t, gradient, chunks->row[chunk], chunks->row[chunk + 1], 0);
}
