/* Preconditioners: intake of tables, and the built-in ones. */
#ifndef DEMI_PRECONDITIONER_H
#define DEMI_PRECONDITIONER_H

#include <dem/plugin/objective.h>
#include <stdatomic.h>

struct dem_preconditioner {
  dem_context *context;
  atomic_int references;
  atomic_int claimed; /* a minimiser uses it: M belongs to that one's Hessian */
  dem_preconditioner_table table;
  char name[64];
  void *user;
};

/* With the meanings of the exported functions; pointers are checked. */
__typeof__(dem_preconditioner_table_init) demi_preconditioner_table_defaults;
__typeof__(dem_preconditioner_create) demi_preconditioner_create;
__typeof__(dem_preconditioner_release) demi_preconditioner_release;

/* Takes a reference for one minimiser. DEM_BUSY: another has it. */
dem_status demi_preconditioner_claim(const dem_preconditioner *preconditioner);
/* Gives it back. NULL is allowed. */
void demi_preconditioner_yield(const dem_preconditioner *preconditioner);

#endif
