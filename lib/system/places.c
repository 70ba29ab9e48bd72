/* Where particles may be.
 *
 * A position x is a double: numbers near it are ulp(x) = 2^-52 |x| apart, and each drift rounds by up to half of that. Contacts rest on
 * overlaps, which are small parts of a diameter. So |x| may be at most 2^37 of the smallest diameter, where ulp(x) is 1/32768 of it;
 * below that, the search counts what rounding does (search/motion_check.c). Of grains of 1 mm that is 10^5 km.
 *
 * Images count the lengths of a periodic axis that were taken off a position. They are 32-bit numbers, and bonds take differences of
 * two: at most 2^29 each way. */
#include "places.h"

#include <math.h>
#include <stdio.h>

#include "lengths.h"

enum { MOST_IMAGES = 1 << 29 };

static const double DIAMETERS = 137438953472.0; /* 2^37 */

double demi_place_limit(double smallest_radius) { return DIAMETERS * 2.0 * smallest_radius; }

static int image_flaw(const demi_box *box, int axis, double x, double upright, int32_t image, char text[DEMI_PLACE_TEXT]) {
  const int inside = !box->periodic[axis] || (upright >= box->low[axis] && upright < box->high[axis]);
  const double turns = inside ? 0 : floor((upright - box->low[axis]) / demi_box_length(box, axis)), sum = image + turns;
  if (fabs(turns) <= MOST_IMAGES && fabs(sum) <= MOST_IMAGES && image >= -MOST_IMAGES && image <= MOST_IMAGES) return 0;
  snprintf(text, DEMI_PLACE_TEXT,
           "image[%d] is %d and position[%d] is %g, %g box lengths on: allowed -%d to %d each and in all", axis, image, axis, x,
           turns, MOST_IMAGES, MOST_IMAGES);
  return 1;
}

const char *demi_place_flaw(const demi_box *box, double limit, const double position[3], const int32_t image[3],
                            char text[DEMI_PLACE_TEXT]) {
  double upright[3];
  for (int a = 0; a < 3; a++) {
    if (fabs(position[a]) <= limit) continue;
    snprintf(text, DEMI_PLACE_TEXT,
             "position[%d] is %g, allowed up to %g (2^37 of the smallest diameter): rounding blurs contacts beyond", a,
             position[a], limit);
    return text;
  }
  demi_box_upright(box, position, upright);
  for (int a = 0; a < 3; a++)
    if (image_flaw(box, a, position[a], upright[a], image ? image[a] : 0, text)) return text;
  return NULL;
}

demi_search demi_system_search(const dem_system *s) {
  return (demi_search){.box = &s->box,
                       .faces = &s->faces,
                       .interacts = s->laws.interacts,
                       .materials = s->laws.materials,
                       .largest_radius = s->largest_radius,
                       .typical_radius = demi_system_typical_radius(s),
                       .skin = demi_system_skin(s),
                       .furthest = demi_place_limit(s->smallest_radius),
                       .range = demi_system_range(s),
                       .chunks = s->options.threads,
                       .rate = s->box_motion.on ? s->box_motion.given.rate : NULL};
}

/* Before a list is built. In the middle of a step the failure is one of the step. */
dem_status demi_system_check_places(const dem_system *s) {
  char text[DEMI_PLACE_TEXT];
  const double limit = demi_place_limit(s->smallest_radius);
  const demi_columns *c = &s->store.columns;
  for (int64_t k = 0; k < s->store.count; k++)
    if (demi_place_flaw(&s->box, limit, c->position + 4 * k, c->image + 3 * k, text))
      return demi_system_refuse(s, s->step.length > 0 ? DEM_FAILED_NOT_FINITE : DEM_BAD_ARGUMENT, "particle %llu: %s (time %g)",
                                (unsigned long long)c->id[k], text, s->time);
  return DEM_OK;
}
