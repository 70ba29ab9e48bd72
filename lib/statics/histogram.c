/* P(f/mean): first the mean of the normal forces of all contacts counted, then the bins. */
#include "histogram.h"

#include <string.h>

#include "compensated.h"
#include "intake.h"
#include "limits.h"
#include "links.h"

#define HISTOGRAM_V1 DEMI_SIZE_TO(dem_force_histogram, above)

enum { MOST_BINS = 1000000 };

dem_status demi_histogram_defaults(dem_force_histogram *histogram, uint32_t struct_size) {
  dem_force_histogram h;
  memset(&h, 0, sizeof h);
  h.top = 10;
  return demi_init(histogram, struct_size, &h, sizeof h, HISTOGRAM_V1);
}

dem_status demi_histogram_take(const demi_statics_source *s, const dem_force_histogram *theirs, dem_force_histogram *ours) {
  const dem_status status = demi_intake(ours, sizeof *ours, theirs, HISTOGRAM_V1);
  if (status)
    return demi_statics_refuse(s, status, "force histogram: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, HISTOGRAM_V1));
  if (ours->bins < 1 || ours->bins > MOST_BINS)
    return demi_statics_refuse(s, DEM_BAD_ARGUMENT, "force histogram: bins is %d, must be 1 to %d", ours->bins, MOST_BINS);
  if (!demi_bounded_above_zero(ours->top))
    return demi_statics_refuse(s, DEM_BAD_ARGUMENT, "force histogram: top is %g, must be 1e-60 to 1e60", ours->top);
  if (!ours->counts)
    return demi_statics_refuse(s, DEM_BAD_ARGUMENT, "force histogram: counts is NULL, must have room for %d numbers",
                               ours->bins);
  return DEM_OK;
}

dem_status demi_histogram_give(dem_force_histogram *theirs, const dem_force_histogram *ours) {
  return demi_outgive(theirs, ours, sizeof *ours, HISTOGRAM_V1);
}

/* ---- counting ---- */

typedef struct tally {
  const double *weight;
  dem_force_histogram *histogram;
  demi_sum push;
} tally;

static int counts(const tally *t, const demi_link *l) {
  return l->contact && (t->weight[l->i] > 0 || (l->j >= 0 && t->weight[l->j] > 0));
}

static void add_up(void *user, const demi_link *l) {
  tally *t = user;
  if (!counts(t, l)) return;
  t->histogram->contacts++;
  demi_sum_add(&t->push, demi_link_push(l));
}

static void enter(void *user, const demi_link *l) {
  const tally *t = user;
  dem_force_histogram *h = t->histogram;
  if (!counts(t, l)) return;
  const double f = demi_link_push(l) / h->mean;
  if (f < 0) {
    h->below++;
  } else if (f >= h->top) {
    h->above++;
  } else {
    const int32_t bin = (int32_t)(f / h->top * h->bins);
    h->counts[bin < h->bins ? bin : h->bins - 1]++;
  }
}

void demi_histogram_fill(const demi_statics_source *s, int32_t sections, const demi_region *region, dem_force_histogram *h) {
  tally t = {region->weight, h, {0, 0}};
  const int32_t asked = sections & (1 << DEM_SECTION_PAIR | 1 << DEM_SECTION_WALL | 1 << DEM_SECTION_BOND);
  h->contacts = h->below = h->above = 0;
  memset(h->counts, 0, (size_t)h->bins * sizeof *h->counts);
  demi_links_each(s, asked, add_up, &t);
  h->mean = h->contacts > 0 ? demi_sum_get(&t.push) / (double)h->contacts : 0;
  if (h->mean != 0) demi_links_each(s, asked, enter, &t);
  const double width = h->top / h->bins;
  for (int32_t k = 0; k < h->bins && h->density; k++)
    h->density[k] = h->contacts > 0 ? (double)h->counts[k] / ((double)h->contacts * width) : 0;
}
