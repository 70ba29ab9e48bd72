#include "integrator.h"

#include <math.h>
#include <string.h>

#include "context.h"
#include "intake.h"
#include "schemes.h"

#define TABLE_V1 DEMI_SIZE_TO(dem_integrator_table, destroy)

/* X(name, step, capabilities, order, stable omega dt) */
#define BUILTIN(X)                                                                        \
  X("euler", demi_euler_step, 0, 1, 0.0)                                                  \
  X("velocity-verlet", demi_velocity_verlet_step, DEM_INTEGRATOR_FORCES_AT_START, 2, 2.0) \
  X("improved-velocity-verlet", demi_velocity_verlet_step, DEM_INTEGRATOR_FORCES_AT_START | DEM_INTEGRATOR_SYNCHRONISED, 2, 2.0)

static const dem_integrator_table builtin[] = {
#define ROW(name, step, capabilities, order, stability) \
  {(uint32_t)sizeof(dem_integrator_table), DEM_INTEGRATOR_CONTRACT, name, capabilities, order, stability, step, NULL},
    BUILTIN(ROW)
#undef ROW
};

const dem_integrator_table *demi_integrator_builtin(const char *name) {
  for (size_t k = 0; k < sizeof builtin / sizeof *builtin; k++)
    if (strcmp(builtin[k].name, name) == 0) return &builtin[k];
  return NULL;
}

void demi_integrator_retain(const dem_integrator *integrator) {
  atomic_fetch_add(&((dem_integrator *)(uintptr_t)integrator)->references, 1);
}

void demi_integrator_release(const dem_integrator *integrator) {
  dem_integrator *mine = (dem_integrator *)(uintptr_t)integrator;
  if (!mine || atomic_fetch_sub(&mine->references, 1) > 1) return;
  if (mine->table.destroy) mine->table.destroy(mine->user);
  dem_context *context = mine->context;
  demi_free(context, mine, sizeof *mine);
  atomic_fetch_sub(&context->objects, 1);
}

dem_status demi_integrator_table_defaults(dem_integrator_table *table, uint32_t struct_size) {
  dem_integrator_table t;
  memset(&t, 0, sizeof t);
  return demi_init(table, struct_size, &t, sizeof t, TABLE_V1);
}

static dem_status check(dem_context *context, const dem_integrator_table *t) {
  if (!t->name) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "integrator: name is NULL");
  if (t->contract != DEM_INTEGRATOR_CONTRACT)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "integrator '%s': contract %u, this library has %u", t->name,
                               t->contract, DEM_INTEGRATOR_CONTRACT);
  const uint32_t known = DEM_INTEGRATOR_FORCES_AT_START | DEM_INTEGRATOR_SYNCHRONISED;
  if (t->capabilities & ~known)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "integrator '%s': capabilities 0x%x, this library knows 0x%x", t->name,
                               t->capabilities, known);
  if (!t->step) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "integrator '%s': step is NULL", t->name);
  if (t->order < 1 || t->order > 8)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "integrator '%s': order %d, allowed 1 to 8", t->name, t->order);
  if (!(isfinite(t->stability) && t->stability >= 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "integrator '%s': stability %g, must be finite and >= 0", t->name,
                               t->stability);
  return DEM_OK;
}

dem_status demi_integrator_create(dem_context *context, const dem_integrator_table *table, void *user,
                                  dem_integrator **integrator) {
  dem_integrator_table t;
  dem_status status = demi_intake(&t, sizeof t, table, TABLE_V1);
  if (status)
    return demi_refuse_context(context, status, "integrator: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, table, sizeof t, TABLE_V1));
  if ((status = check(context, &t)) != DEM_OK) return status;
  dem_integrator *mine = demi_allocate_zero(context, sizeof *mine);
  if (!mine) return demi_refuse_context(context, DEM_NO_MEMORY, "integrator: out of memory (%zu bytes)", sizeof *mine);
  mine->context = context;
  atomic_init(&mine->references, 1);
  strncpy(mine->name, t.name, sizeof mine->name - 1);
  mine->table = t;
  mine->table.name = mine->name;
  mine->user = user;
  atomic_fetch_add(&context->objects, 1);
  *integrator = mine;
  return DEM_OK;
}
