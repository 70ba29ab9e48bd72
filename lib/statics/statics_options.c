#include "statics_options.h"

#include <string.h>

#include "intake.h"
#include "limits.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_statics_options, weights)

enum { MOST_CONTACTS = 100 };

static dem_statics_options defaults(void) {
  dem_statics_options o;
  memset(&o, 0, sizeof o);
  o.struct_size = (uint32_t)sizeof o;
  o.sections = DEM_SECTIONS_ALL;
  return o;
}

dem_status demi_statics_options_defaults(dem_statics_options *options, uint32_t struct_size) {
  const dem_statics_options o = defaults();
  return demi_init(options, struct_size, &o, sizeof o, OPTIONS_V1);
}

static dem_status check_choice(const demi_statics_source *s, const char *name, int32_t value, int32_t least, int32_t most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_statics_refuse(s, DEM_BAD_ARGUMENT, "statics: %s is %d, must be %d to %d", name, value, least, most);
}

static dem_status check(const demi_statics_source *s, const dem_statics_options *o) {
  dem_status status = DEM_OK;
  if (o->sections <= 0 || o->sections > DEM_SECTIONS_ALL)
    return demi_statics_refuse(s, DEM_BAD_ARGUMENT,
                               "statics: sections is %d, must be bits 1 << DEM_SECTION_..., at least one: 1 to %d", o->sections,
                               DEM_SECTIONS_ALL);
  status = check_choice(s, "region", o->region, DEM_REGION_ALL, DEM_REGION_PARTICLES);
  if (!status) status = check_choice(s, "kinetic", o->kinetic, DEM_KINETIC_NONE, DEM_KINETIC_PECULIAR);
  if (!status) status = check_choice(s, "split", o->split, DEM_SPLIT_POINT, DEM_SPLIT_HALF);
  if (!status) status = check_choice(s, "least_contacts", o->least_contacts, 0, MOST_CONTACTS);
  for (int k = 0; k < 9 && !status; k++)
    if (!demi_bounded(o->gradient[k]))
      return demi_statics_refuse(s, DEM_BAD_ARGUMENT, "statics: gradient[%d] is %g, must be within %g", k, o->gradient[k],
                                 DEMI_LARGEST);
  return status;
}

dem_status demi_statics_take_options(const demi_statics_source *s, const dem_statics_options *theirs,
                                     dem_statics_options *ours) {
  dem_status status = DEM_OK;
  *ours = defaults();
  if (theirs) status = demi_intake(ours, sizeof *ours, theirs, OPTIONS_V1);
  if (status)
    return demi_statics_refuse(s, status, "statics options: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, OPTIONS_V1));
  status = check(s, ours);
  if (ours->least_contacts == 0) ours->least_contacts = s->dimension + 1;
  return status;
}
