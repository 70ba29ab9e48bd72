/* Bounds on the approach across levels.
 *
 * Take a particle p of a tile and a coarser particle q, r0 = x_p - x_q (image of q) at some moment, n = r0/|r0|, and D their relative
 * displacement since. As |v| >= n.v for any unit vector n,
 *
 *   |r0 + D| >= |r0| + n.D
 *
 * exactly: the two have come nearer by at most -n.D, however far one has rolled around the other. For all p of a tile n lies in a
 * box, found from the box around the tile's particles, and so does D, from the tile's box of displacements and that of q itself;
 * the largest -n.D over two boxes is, axis by axis, at one of their corners. It is never more than |D|, which is the better bound
 * where the tile surrounds q.
 *
 * Why not |D| alone: the surface of a turning coarse grain carries fine ones along by many skins without any of them coming nearer.
 * The direction varies over a tile by its size over the distance, so that what is left of such a displacement is that of a few fine
 * diameters, as between fine ones: rebuilds do not become more frequent with the ratio of sizes. */
#include <math.h>
#include <string.h>

#include "build.h"
#include "wide.h"

/* Box of the unit vectors along r, r in a box: each component is extreme where its numerator is and the length is least (away from
 * 0) or most (towards it). */
static void directions(demi_wide low, demi_wide high, double out[8]) {
  const demi_wide zero = {0}, near = demi_max(zero, demi_max(low, -high)), far = demi_max(high, -low);
  const demi_wide near2 = near * near, far2 = far * far;
  const double least = sqrt(near2[0] + near2[1] + near2[2]), most = sqrt(far2[0] + far2[1] + far2[2]);
  for (int a = 0; a < 4; a++) {
    /* neither away from 0 nor beyond the least length: 0 where that is 0, as for all discs of a plane that surround q */
    out[a] = low[a] > 0 ? low[a] / most : (low[a] < -least ? -1.0 : (least > 0 ? low[a] / least : 0.0));
    out[4 + a] = high[a] < 0 ? high[a] / most : (high[a] > least ? 1.0 : (least > 0 ? high[a] / least : 0.0));
  }
}

static void mark_tile(demi_list *list, const demi_store *store, int32_t tile, int32_t moment) {
  const double *box = list->cross_box + 8 * (int64_t)tile,
               *moved = list->motion.bounds[DEMI_SINCE_BUILD].moved + 8 * (int64_t)tile;
  const demi_wide low = demi_load4(box) + demi_load4(moved), high = demi_load4(box + 4) + demi_load4(moved + 4);
  for (int32_t e = list->cross_start[tile]; e < list->cross_start[tile + 1]; e++) {
    demi_cross_entry *entry = &list->cross[e];
    if (moment == DEMI_SINCE_PRUNE && !entry->listed) continue;
    const demi_wide q = demi_load4(store->columns.position + 4 * (int64_t)entry->row);
    const demi_wide at = q + demi_load4(list->shift + 4 * (entry->code >> DEMI_SHIFT_BITS));
    directions(demi_xyz(low - at), demi_xyz(high - at), entry->normal[moment]);
  }
}

void demi_cross_mark(demi_list *list, const demi_store *store, int32_t moment) {
  if (list->levels == 1) return;
  const int64_t first = list->coarse_row;
  memcpy(list->coarse_at[moment], store->columns.position + 4 * first, (size_t)(store->count - first) * 4 * sizeof(double));
  for (int32_t t = 0; t < list->level[list->levels - 1].first_tile; t++) mark_tile(list, store, t, moment);
}

/* Largest -n.D, and at most the largest |D|. */
static inline double approach(const double normal[8], demi_wide low, demi_wide high) {
  const demi_wide a = demi_load4(normal), b = demi_load4(normal + 4);
  const demi_wide most = -demi_min(demi_min(a * low, a * high), demi_min(b * low, b * high));
  const demi_wide length = demi_max(high, -low), square = length * length;
  const double along = most[0] + most[1] + most[2], all = square[0] + square[1] + square[2];
  return along > 0 && along * along > all ? sqrt(all) : along;
}

double demi_cross_slack(const demi_list *list, const double *position, int32_t moment) {
  double least = INFINITY;
  if (list->levels == 1) return least;
  const double *then = list->coarse_at[moment] - 4 * (int64_t)list->coarse_row;
  for (int32_t t = 0; t < list->level[list->levels - 1].first_tile; t++) {
    const double *moved = list->motion.bounds[moment].moved + 8 * (int64_t)t;
    const double skin = list->level[demi_level_of_tile(list, t)].skin[moment];
    const demi_wide low = demi_load4(moved), high = demi_load4(moved + 4);
    for (int32_t e = list->cross_start[t]; e < list->cross_start[t + 1]; e++) {
      const demi_cross_entry *entry = &list->cross[e];
      if (moment == DEMI_SINCE_PRUNE && !entry->listed) continue;
      const int64_t q = 4 * (int64_t)entry->row;
      const demi_wide own = demi_load4(position + q) - demi_load4(then + q);
      const double bears = moment == DEMI_SINCE_BUILD && entry->gap > skin ? entry->gap : skin;
      const double left = bears - approach(entry->normal[moment], demi_xyz(low - own), demi_xyz(high - own));
      if (left < least) least = left;
    }
  }
  return least;
}
