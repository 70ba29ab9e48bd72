/* What the tables of all built-in parts share. Calls go one way: turning_kinds.c calls tangential_kinds.c, this
 * calls normal_kinds.c, and all of them and gap_kinds.c call builtin.c. */
#include "kinds.h"

#include <math.h>
#include <string.h>

double demi_oscillator_limit(double k, double c, double mass) {
  const double rate = c / mass;
  return 4.0 / (rate + sqrt(rate * rate + 4.0 * k / mass));
}

dem_law_part demi_builtin_part(int32_t kind, const char *name, demi_evaluate *evaluate, uint32_t capabilities) {
  dem_law_part p;
  memset(&p, 0, sizeof p);
  p.struct_size = (uint32_t)sizeof p;
  p.contract = DEM_LAW_PART_CONTRACT;
  p.name = name;
  p.kind = kind;
  p.evaluate = evaluate;
  p.capabilities = DEM_PART_ENERGY | DEM_PART_TANGENT | capabilities;
  return p;
}
