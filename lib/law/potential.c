/* Whether a law has a potential; see potential.h. */
#include "potential.h"

#include <stdio.h>

/* What one part allows. A part without history keeps no spring: it stores nothing that a slider could take. */
static demi_potential potential_of(const demi_law_part *part, int32_t place, const char **why) {
  if (part->table.capabilities & DEM_PART_NOT_POTENTIAL) {
    *why = "its elastic force is not the gradient of its stored energy (DEM_PART_NOT_POTENTIAL)";
    return DEMI_POTENTIAL_NONE;
  }
  if (!(part->table.capabilities & DEM_PART_ENERGY)) {
    *why = "it does not give its stored energy (DEM_PART_ENERGY)";
    return DEMI_POTENTIAL_NONE;
  }
  *why = "it has a history, which a slider may change";
  return place != DEMI_NORMAL && place != DEMI_GAP && part->history > 0 ? DEMI_POTENTIAL_HOLDING : DEMI_POTENTIAL_ALWAYS;
}

demi_potential demi_bound_potential(const demi_bound *bound, char text[DEMI_POTENTIAL_TEXT]) {
  demi_potential least = DEMI_POTENTIAL_ALWAYS;
  text[0] = 0;
  for (int32_t k = 0; k < DEMI_PARTS; k++) {
    const char *why;
    if (!bound->evaluate[k]) continue;
    const demi_potential found = potential_of(&bound->law->part[k], k, &why);
    if (found >= least) continue;
    least = found;
    snprintf(text, DEMI_POTENTIAL_TEXT, "law part '%s': %s", bound->law->part[k].name, why);
  }
  return least;
}
