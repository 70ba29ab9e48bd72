/* Options of a relaxation: defaults and checks. */
#include <math.h>
#include <string.h>

#include "intake.h"
#include "limits.h"
#include "minimise_options.h"
#include "relax.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_relax_options, longest_step)

enum { OUTER_LIMIT = 10000 };

static const char *const COMPONENT[DEM_BOX_COMPONENTS] = {"XX", "YY", "ZZ", "XY", "XZ", "YZ"};
static const int AXIS[DEM_BOX_COMPONENTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static const dem_relax_options default_options = {.rotations = -1, .outer_most = 1000, .longest_step = 0.1};

dem_status demi_relax_options_defaults(dem_relax_options *options, uint32_t struct_size) {
  return demi_init(options, struct_size, &default_options, sizeof default_options, OPTIONS_V1);
}

int demi_relax_has_free_box(const dem_relax_options *o) {
  int any = 0;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) any |= o->box_free[k];
  return any;
}

int demi_relax_has_box(const dem_relax_options *o) {
  int any = demi_relax_has_free_box(o);
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) any |= o->strain[k] != 0;
  return any;
}

/* ---- checks ---- */

static dem_status check_numbers(dem_system *s, const dem_relax_options *o) {
  if (o->rotations < -1 || o->rotations > 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: rotations is %d, allowed -1, 0 or 1", o->rotations);
  if (o->box_coupled != 0 && o->box_coupled != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: box_coupled is %d, allowed 0 or 1", o->box_coupled);
  if (o->outer_most < 1 || o->outer_most > OUTER_LIMIT)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: outer_most is %d, allowed 1 to %d", o->outer_most, OUTER_LIMIT);
  if (!(o->longest_step > 0 && o->longest_step <= 1))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: longest_step is %g, must be above 0 and at most 1 smallest radius",
                              o->longest_step);
  return DEM_OK; /* reach is checked by the trial */
}

static dem_status check_component(dem_system *s, const dem_relax_options *o, int k) {
  const int normal = k <= DEM_BOX_ZZ, used = o->box_free[k] || o->strain[k] != 0;
  if (o->box_free[k] != 0 && o->box_free[k] != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: box_free[%s] is %d, allowed 0 or 1", COMPONENT[k], o->box_free[k]);
  if (!demi_bounded(o->stress[k]))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: stress[%s] is %g, must be finite, -%g to %g", COMPONENT[k],
                              o->stress[k], DEMI_LARGEST, DEMI_LARGEST);
  if (!demi_bounded(o->strain[k]) || (normal && !(o->strain[k] > -1)))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: strain[%s] is %g, must be finite%s", COMPONENT[k], o->strain[k],
                              normal ? " and above -1" : "");
  if (o->stress[k] != 0 && !o->box_free[k])
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: stress[%s] is %g, but this component is not free (box_free)",
                              COMPONENT[k], o->stress[k]);
  if (o->strain[k] != 0 && o->box_free[k])
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: strain[%s] is %g, but this component is free (box_free)",
                              COMPONENT[k], o->strain[k]);
  if (used && s->options.dimension == 2 && (AXIS[k][0] == 2 || AXIS[k][1] == 2))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: component %s does not exist in 2 dimensions", COMPONENT[k]);
  return DEM_OK;
}

static dem_status check_coupled(dem_system *s, const dem_relax_options *o) {
  int first = -1;
  for (int k = DEM_BOX_XX; k <= DEM_BOX_ZZ && o->box_coupled; k++) {
    if (!o->box_free[k]) continue;
    if (first >= 0 && o->stress[k] != o->stress[first])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                                "relax: stress[%s] is %g and stress[%s] is %g: with box_coupled they must be equal",
                                COMPONENT[first], o->stress[first], COMPONENT[k], o->stress[k]);
    if (first < 0) first = k;
  }
  return DEM_OK;
}

static dem_status check_axes(dem_system *s, const dem_relax_options *o) {
  for (int a = 0; a < s->options.dimension && demi_relax_has_box(o); a++)
    if (!s->box.periodic[a])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "relax: the box is free or strained, and axis %d is not periodic", a);
  return DEM_OK;
}

dem_status demi_relax_take_options(dem_system *s, const dem_relax_options *given, dem_relax_options *o) {
  *o = default_options;
  dem_status status = given ? demi_intake(o, sizeof *o, given, OPTIONS_V1) : DEM_OK;
  if (status)
    return demi_system_refuse(s, status, "relax options: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof *o, OPTIONS_V1));
  o->struct_size = (uint32_t)sizeof *o;
  status = check_numbers(s, o);
  for (int k = 0; k < DEM_BOX_COMPONENTS && !status; k++) status = check_component(s, o, k);
  if (!status) status = check_coupled(s, o);
  return status ? status : check_axes(s, o);
}

dem_status demi_relax_take_method(dem_system *s, const dem_minimise_options *given, dem_minimise_options *o) {
  const dem_status status = demi_minimise_take_options(s->context, given, o);
  if (status) return demi_system_refuse(s, status, "%s", demi_message_text(&s->context->message));
  o->struct_size = (uint32_t)sizeof *o;
  o->threads = s->options.threads;
  return DEM_OK;
}
