#include <math.h>
#include <string.h>

#include "context.h"
#include "intake.h"
#include "limits.h"
#include "minimise_options.h"

#define TABLE_V1 DEMI_SIZE_TO(dem_objective_table, destroy)
#define MOST_UNKNOWNS ((int64_t)1 << 40)

dem_status demi_objective_table_defaults(dem_objective_table *table, uint32_t struct_size) {
  dem_objective_table t;
  memset(&t, 0, sizeof t);
  return demi_init(table, struct_size, &t, sizeof t, TABLE_V1);
}

static dem_status check(dem_context *context, const dem_objective_table *t) {
  if (!t->name) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "objective: name is NULL");
  if (t->contract != DEM_OBJECTIVE_CONTRACT)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "objective '%.63s': contract %u, this library has %u", t->name,
                               t->contract, DEM_OBJECTIVE_CONTRACT);
  if (t->unknowns < 1 || t->unknowns > MOST_UNKNOWNS)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "objective '%.63s': unknowns is %lld, must be 1 to %lld", t->name,
                               (long long)t->unknowns, (long long)MOST_UNKNOWNS);
  if (!(demi_bounded(t->longest_step) && t->longest_step >= 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "objective '%.63s': longest_step is %g, must be 0 to %g", t->name,
                               t->longest_step, DEMI_LARGEST);
  if (!t->evaluate) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "objective '%.63s': evaluate is NULL", t->name);
  return DEM_OK;
}

dem_status demi_objective_take(dem_context *context, const dem_objective_table *theirs, dem_objective_table *ours) {
  const dem_status status = demi_intake(ours, sizeof *ours, theirs, TABLE_V1);
  if (status)
    return demi_refuse_context(context, status, "objective: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, TABLE_V1));
  return check(context, ours);
}
