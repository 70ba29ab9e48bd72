/* Integrators: intake of tables, and the built-in ones. */
#ifndef DEMI_INTEGRATOR_H
#define DEMI_INTEGRATOR_H

#include <dem/plugin/integrator.h>
#include <stdatomic.h>

#include "message.h"

struct dem_integrator {
  dem_context *context;
  atomic_int references;
  dem_integrator_table table;
  char name[64];
  void *user;
};

void demi_integrator_retain(const dem_integrator *integrator);
void demi_integrator_release(const dem_integrator *integrator);
/* With the signatures and the meanings of the exported functions that are named; pointers are checked. */
__typeof__(dem_integrator_table_init) demi_integrator_table_defaults;
__typeof__(dem_integrator_create) demi_integrator_create;

/* Built-in table by name, or NULL. */
const dem_integrator_table *demi_integrator_builtin(const char *name);

#endif
