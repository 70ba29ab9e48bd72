/* Exported: systems that move to a minimum of their energy.
 *
 * A minimiser that the host drives calls the system from outside: each of the objective's functions is checked and marked as a call on the
 * system. dem_system_minimise and dem_system_deform are one such call as a whole. */
#include <dem/relax.h>

#include "check.h"
#include "minimise_options.h"
#include "relax.h"

dem_status dem_relax_options_init(dem_relax_options *options, uint32_t struct_size) {
  return options ? demi_relax_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_deformation_init(dem_deformation *deformation, uint32_t struct_size) {
  return deformation ? demi_deformation_defaults(deformation, struct_size) : DEM_BAD_ARGUMENT;
}

/* ---- a minimiser that the host drives ---- */

/* The system of an objective, where it may be used. */
#define MAY_USE(user)                                         \
  demi_relax *relax = (user);                                 \
  dem_system *system = relax->system;                         \
  do {                                                        \
    dem_status may = demi_api_check(system, "dem_minimiser"); \
    if (!may) may = demi_api_alone(system, "dem_minimiser");  \
    if (may) return may;                                      \
  } while (0)

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  MAY_USE(user);
  return DEMI_INSIDE(demi_relax_evaluate(relax, x, ask, value, gradient));
}

static dem_status apply(void *user, const double *p, double *product) {
  MAY_USE(user);
  return DEMI_INSIDE(demi_relax_apply(relax, p, product));
}

static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  MAY_USE(user);
  return DEMI_INSIDE(demi_relax_visit(relax, visit, visitor));
}

static dem_status measure(void *user, const double *x, const double *gradient, dem_objective_measure *m) {
  MAY_USE(user);
  return DEMI_INSIDE(demi_relax_measure(relax, x, gradient, m));
}

static dem_status accept(void *user, const double *x) {
  MAY_USE(user);
  const dem_status status = demi_api_try(system, "dem_minimiser_accept");
  return status ? status : DEMI_INSIDE(demi_relax_accept(relax, x));
}

static void destroy(void *user) { demi_relax_close(user); }

static dem_status create(dem_system *system, const dem_relax_options *options, const dem_minimise_options *minimise,
                         dem_minimiser **minimiser) {
  const dem_objective_table functions = {
      .evaluate = evaluate, .apply = apply, .blocks = blocks, .measure = measure, .accept = accept, .destroy = destroy};
  demi_relax *relax = NULL;
  dem_status status = demi_relax_open(system, options, &relax);
  if (status) return status;
  status = demi_relax_minimiser(relax, &functions, NULL, minimise, minimiser);
  if (status) demi_relax_close(relax);
  return status;
}

dem_status dem_system_minimiser(dem_system *system, const dem_relax_options *options, const dem_minimise_options *minimise,
                                dem_minimiser **minimiser) {
  if (minimiser) *minimiser = NULL;
  DEMI_MAY_TRY();
  DEMI_NEEDS(minimiser);
  return DEMI_INSIDE(create(system, options, minimise, minimiser));
}

/* ---- load steps ---- */

static dem_status give_report(dem_system *system, const dem_minimise_report *ours, dem_minimise_report *theirs) {
  const dem_status status = theirs ? demi_minimise_report_give(theirs, ours) : DEM_OK;
  return status ? demi_system_refuse(system, status, "minimise report: struct_size %u is not usable", theirs->struct_size)
                : DEM_OK;
}

dem_status dem_system_minimise(dem_system *system, const dem_relax_options *options, const dem_minimise_options *minimise,
                               dem_minimise_report *report) {
  dem_minimise_report all = {.struct_size = (uint32_t)sizeof all};
  DEMI_MAY_CHANGE();
  dem_status status = give_report(system, &all, report);
  if (!status) status = DEMI_INSIDE(demi_relax_load_step(system, options, minimise, &all));
  if (!status) status = give_report(system, &all, report);
  return status;
}

dem_status dem_system_deform(dem_system *system, const dem_deformation *deformation, const dem_relax_options *options,
                             const dem_minimise_options *minimise, dem_minimise_report *report) {
  dem_minimise_report all = {.struct_size = (uint32_t)sizeof all};
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(deformation);
  dem_status status = give_report(system, &all, report);
  if (status) return status;
  status = DEMI_INSIDE(demi_relax_deform(system, deformation, options, minimise, &all));
  if (!status || status == DEM_CANCELLED) (void)give_report(system, &all, report);
  return status;
}
