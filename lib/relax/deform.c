/* A deformation in load steps. With the logarithmic strain L of all n steps, each step takes the edges of the box to exp(L/n) H: the
 * strain of a step is E = exp(L/n) - 1. */
#include <string.h>

#include "intake.h"
#include "limits.h"
#include "relax.h"

#define DEFORMATION_V1 DEMI_SIZE_TO(dem_deformation, user)

#define LARGEST_STRAIN 10.0
#define MOST_STEPS (INT64_C(1) << 40)

static const dem_deformation default_deformation = {.steps = 100};

dem_status demi_deformation_defaults(dem_deformation *deformation, uint32_t struct_size) {
  return demi_init(deformation, struct_size, &default_deformation, sizeof default_deformation, DEFORMATION_V1);
}

static dem_status take(dem_system *s, const dem_deformation *given, dem_deformation *d) {
  const dem_status status = demi_intake(d, sizeof *d, given, DEFORMATION_V1);
  if (status)
    return demi_system_refuse(s, status, "deformation: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof *d, DEFORMATION_V1));
  if (d->steps < 1 || d->steps > MOST_STEPS)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "deformation: steps is %lld, must be 1 to 2^40", (long long)d->steps);
  if (d->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "deformation: reserved_zero is %d, must be 0", d->reserved_zero);
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++)
    if (!(d->strain[k] >= -LARGEST_STRAIN && d->strain[k] <= LARGEST_STRAIN))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "deformation: strain[%d] is %g, must be %g to %g", k, d->strain[k],
                                -LARGEST_STRAIN, LARGEST_STRAIN);
  return DEM_OK;
}

/* The strain of one step, from what a cube of edge 1 becomes. */
static void find_strain(const dem_deformation *d, double strain[DEM_BOX_COMPONENTS]) {
  demi_box cube = {.high = {1, 1, 1}, .periodic = {1, 1, 1}};
  demi_box_deform(&cube, d->strain, 1.0 / (double)d->steps);
  for (int a = 0; a < 3; a++) {
    strain[a] = demi_box_length(&cube, a) - 1;
    strain[3 + a] = cube.tilt[a];
  }
}

static dem_status take_options(dem_system *s, const dem_relax_options *given, const dem_deformation *d, dem_relax_options *o) {
  const dem_status status = demi_relax_take_options(s, given, o);
  if (status) return status;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++)
    if (o->strain[k] != 0)
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "deformation: strain[%d] of the relax options is %g, must be 0", k,
                                o->strain[k]);
  find_strain(d, o->strain);
  o->struct_size = (uint32_t)sizeof *o;
  dem_relax_options checked;
  return demi_relax_take_options(s, o, &checked);
}

/* The host may measure the system here, as in the callbacks of a step. */
static int is_stopped(dem_system *s, const dem_deformation *d, int64_t step, const dem_minimise_report *report) {
  if (!d->after_step) return 0;
  s->guards.callbacks++;
  const int32_t stops = d->after_step(d->user, step, report);
  s->guards.callbacks--;
  return stops != 0;
}

dem_status demi_relax_deform(dem_system *s, const dem_deformation *given, const dem_relax_options *options,
                             const dem_minimise_options *minimise, dem_minimise_report *all) {
  dem_deformation d;
  dem_relax_options o;
  dem_minimise_report one;
  int32_t bad = 0;
  memset(all, 0, sizeof *all);
  all->struct_size = (uint32_t)sizeof *all;
  dem_status status = take(s, given, &d);
  if (!status) status = take_options(s, options, &d, &o);
  for (int64_t k = 1; !status && k <= d.steps; k++) {
    if ((status = demi_relax_load_step(s, &o, minimise, &one)) != DEM_OK) break;
    demi_relax_join(&one, all);
    if (one.reason < 0) bad = one.reason;
    if (is_stopped(s, &d, k, &one))
      status = demi_system_refuse(s, DEM_CANCELLED, "deformation: cancelled after step %lld of %lld", (long long)k,
                                  (long long)d.steps);
    else if (one.reason == DEM_MINIMISE_CANCELLED)
      status = demi_system_refuse(s, DEM_CANCELLED, "deformation: step %lld of %lld was cancelled", (long long)k,
                                  (long long)d.steps);
  }
  if (bad) all->reason = bad;
  return status;
}
