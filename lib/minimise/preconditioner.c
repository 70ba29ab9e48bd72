#include "preconditioner.h"

#include <string.h>

#include "context.h"
#include "intake.h"

#define TABLE_V1 DEMI_SIZE_TO(dem_preconditioner_table, destroy)

dem_status demi_preconditioner_table_defaults(dem_preconditioner_table *table, uint32_t struct_size) {
  dem_preconditioner_table t;
  memset(&t, 0, sizeof t);
  return demi_init(table, struct_size, &t, sizeof t, TABLE_V1);
}

static dem_status check(dem_context *context, const dem_preconditioner_table *t) {
  if (!t->name) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "preconditioner: name is NULL");
  if (t->contract != DEM_PRECONDITIONER_CONTRACT)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "preconditioner '%.63s': contract %u, this library has %u", t->name,
                               t->contract, DEM_PRECONDITIONER_CONTRACT);
  if (t->capabilities || t->reserved_zero)
    return demi_refuse_context(context, DEM_UNSUPPORTED,
                               "preconditioner '%.63s': capabilities 0x%x and reserved_zero %d, must be 0", t->name,
                               t->capabilities, t->reserved_zero);
  if (!t->update || !t->apply)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "preconditioner '%.63s': %s is NULL", t->name,
                               t->update ? "apply" : "update");
  return DEM_OK;
}

dem_status demi_preconditioner_create(dem_context *context, const dem_preconditioner_table *table, void *user,
                                      dem_preconditioner **preconditioner) {
  dem_preconditioner_table t;
  dem_status status = demi_intake(&t, sizeof t, table, TABLE_V1);
  if (status)
    return demi_refuse_context(context, status, "preconditioner: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, table, sizeof t, TABLE_V1));
  if ((status = check(context, &t)) != DEM_OK) return status;
  dem_preconditioner *mine = demi_allocate_zero(context, sizeof *mine);
  if (!mine) return demi_refuse_context(context, DEM_NO_MEMORY, "preconditioner: out of memory (%zu bytes)", sizeof *mine);
  mine->context = context;
  atomic_init(&mine->references, 1);
  atomic_init(&mine->claimed, 0);
  strncpy(mine->name, t.name, sizeof mine->name - 1);
  mine->table = t;
  mine->table.name = mine->name;
  mine->user = user;
  atomic_fetch_add(&context->objects, 1);
  *preconditioner = mine;
  return DEM_OK;
}

/* A host holds it as const: what changes inside is the engine's. */
static dem_preconditioner *inside_of(const dem_preconditioner *preconditioner) {
  return (dem_preconditioner *)(uintptr_t)preconditioner;
}

dem_status demi_preconditioner_release(const dem_preconditioner *preconditioner) {
  dem_preconditioner *mine = inside_of(preconditioner);
  if (atomic_fetch_sub(&mine->references, 1) > 1) return DEM_OK;
  if (mine->table.destroy) mine->table.destroy(mine->user);
  dem_context *context = mine->context;
  demi_free(context, mine, sizeof *mine);
  atomic_fetch_sub(&context->objects, 1);
  return DEM_OK;
}

dem_status demi_preconditioner_claim(const dem_preconditioner *preconditioner) {
  dem_preconditioner *mine = inside_of(preconditioner);
  if (atomic_exchange(&mine->claimed, 1)) return DEM_BUSY;
  atomic_fetch_add(&mine->references, 1);
  return DEM_OK;
}

void demi_preconditioner_yield(const dem_preconditioner *preconditioner) {
  if (!preconditioner) return;
  atomic_store(&inside_of(preconditioner)->claimed, 0);
  demi_preconditioner_release(preconditioner);
}
