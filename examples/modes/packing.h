/* A periodic packing of smooth discs: made at random, brought to a minimum of its energy, and expanded. */
#ifndef EXAMPLES_PACKING_H
#define EXAMPLES_PACKING_H

#include <dem/dem.h>
#include <dem/linalg.h>
#include <dem/plugin/objective.h>

typedef struct packing {
  dem_context *context;
  dem_system *system;
  dem_linalg *linalg;
} packing;

/* `count` discs, half of them of diameter 5/6 and half of 7/6, at random in a square box of the area fraction phi. The spring between two
 * of them has the stiffness 1, a disc of diameter 1 has the mass 1. */
dem_status packing_create(packing *p, int64_t count, double phi, uint64_t seed);
/* The box takes the area fraction phi; all discs move with it. */
dem_status packing_expand(packing *p, double phi);
/* Moves the discs to a minimum of the energy, where the 2-norm of all forces is at most 1e-12. */
dem_status packing_relax(packing *p, dem_minimise_report *report);
void packing_destroy(packing *p);

#endif
