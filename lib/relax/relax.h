/* The energy of a system as an objective of the minimiser (dem/plugin/objective.h), over a trial of the system.
 *
 * The minimiser's x and the displacements u of the trial belong together as
 *
 *   u = S x + o,      g_x = S g_u,      H_x = S K S
 *
 * with a diagonal S: 1 for displacements, 1/R for rotations, 1/length for strains, 0 for what is held; o is the strain that is given. Where
 * all of S is 1, x is u, and nothing is copied. Walls that move along one direction d only, and strains that are coupled, are projected:
 * d (d.g), or the mean. x then never leaves that direction, because it is a sum of such gradients.
 *
 * Files, each calls only those before it: relax_options, relax_map, relax_box, relax_walls, relax (open, functions), load_step, deform. */
#ifndef DEMI_RELAX_H
#define DEMI_RELAX_H

#include <dem/plugin/objective.h>
#include <dem/relax.h>

#include "trial.h"

typedef struct demi_relax {
  dem_system *system;
  dem_relax_options options;
  dem_trial *trial;
  int64_t unknowns, wall_first, box_first;
  int32_t accepted;  /* the trial was accepted: the displacements begin elsewhere now */
  int32_t mapped;    /* 0: x is u */
  double *scale;     /* S, with `mapped` */
  double *u;         /* room for u, and for S p */
  double *tangent_u; /* u of the latest evaluation with TANGENT; NULL: there was none */
  int32_t tangents;  /* the trial still has its tangents: no other evaluation came since */
  /* loads of the strain and of the walls, as of the latest demi_relax_renew */
  double length;                        /* of the box: V^(1/dimension) */
  double pressure;                      /* mean stress of the free normal components */
  double box_force[DEM_BOX_COMPONENTS]; /* V times the rest of the stress, against the strain [energy] */
  double *target;                       /* one per wall: force along its direction; 0 of walls without servo */
} demi_relax;

/* ---- relax_options.c ---- */
dem_status demi_relax_options_defaults(dem_relax_options *options, uint32_t struct_size);
/* Copies and checks what the host gave (NULL: defaults). */
dem_status demi_relax_take_options(dem_system *system, const dem_relax_options *given, dem_relax_options *options);
/* Whether the box is a part of the unknowns: some component is free or strained. */
int demi_relax_has_box(const dem_relax_options *options);
int demi_relax_has_free_box(const dem_relax_options *options);
/* Components of the strain of a plane or of space, in the order of the trial: how many, and the number k as DEM_BOX_... */
static inline int32_t demi_relax_components(const dem_system *system) { return system->options.dimension == 2 ? 3 : 6; }
static inline int32_t demi_relax_component(const dem_system *system, int32_t k) {
  return system->options.dimension == 2 && k == 2 ? DEM_BOX_XY : k;
}

/* ---- relax_map.c ---- */
/* Fills S; 0: nothing moves. */
int demi_relax_fill_scale(demi_relax *relax);
/* u of x, or S p where `offset` is 0; the array belongs to `relax`, or is the one given. */
const double *demi_relax_spread(const demi_relax *relax, const double *x, int offset);
/* Turns a gradient by u into one by x, in place. */
void demi_relax_collect(const demi_relax *relax, double *gradient);
/* Largest force that is not balanced, of a gradient by x. */
double demi_relax_largest(const demi_relax *relax, const double *gradient);
dem_status demi_relax_blocks(demi_relax *relax, dem_trial_block_fn visit, void *visitor);

/* ---- relax_box.c; nothing without a free box ---- */
/* Energy of the stress that acts on the box; adds its derivatives to the gradient by u, unless NULL; and to a product K p. */
double demi_relax_box_energy(const demi_relax *relax, const double *u, double *gradient);
void demi_relax_box_product(const demi_relax *relax, const double *p, double *product);
/* Whether they depend on the strain. Forces of the stress at the strain in u, where the trial's own gradient by the strain is `own`. */
int demi_relax_box_follows(const demi_relax *relax);
void demi_relax_renew_box(demi_relax *relax, const double *u, const double *own);

/* ---- relax_walls.c ---- */
/* The same of the targets of servo walls. */
double demi_relax_wall_energy(const demi_relax *relax, const double *u, double *gradient);
void demi_relax_renew_walls(demi_relax *relax, const double *u);

/* ---- relax.c ---- */
/* Opens an objective; its functions take it as `user`, and arguments are as in dem_objective_table. */
dem_status demi_relax_open(dem_system *system, const dem_relax_options *options, demi_relax **relax);
void demi_relax_close(demi_relax *relax);
dem_status demi_relax_evaluate(demi_relax *relax, const double *x, int32_t ask, double *value, double *gradient);
dem_status demi_relax_apply(demi_relax *relax, const double *p, double *product);
/* As `blocks` of the table; demi_relax_blocks at the latest evaluation with tangents. */
dem_status demi_relax_visit(demi_relax *relax, dem_trial_block_fn visit, void *visitor);
dem_status demi_relax_measure(demi_relax *relax, const double *x, const double *gradient, dem_objective_measure *measure);
dem_status demi_relax_accept(demi_relax *relax, const double *x);
/* Computes the loads anew that depend on the state x: caps of friction, stresses of the box, pressures of servos. NULL: the start. */
dem_status demi_relax_renew(demi_relax *relax, const double *x);
/* Whether there are such loads. */
int demi_relax_follows(const demi_relax *relax);
/* Creates a minimiser over the functions of a table, whose other members are set here. Refusals become those of the system. */
dem_status demi_relax_minimiser(demi_relax *relax, const dem_objective_table *functions, const double *start,
                                const dem_minimise_options *options, dem_minimiser **minimiser);
/* Copies and checks what the host gave (NULL: defaults), with the threads of the system. */
dem_status demi_relax_take_method(dem_system *system, const dem_minimise_options *given, dem_minimise_options *options);

/* ---- load_step.c ---- */
/* The minimisations of one load step, and its end. report: a whole one. */
dem_status demi_relax_load_step(dem_system *system, const dem_relax_options *options, const dem_minimise_options *minimise,
                                dem_minimise_report *report);
/* Adds the report of what came next: counts and seconds are sums. */
void demi_relax_join(const dem_minimise_report *next, dem_minimise_report *all);

/* ---- deform.c ---- */
dem_status demi_deformation_defaults(dem_deformation *deformation, uint32_t struct_size);
dem_status demi_relax_deform(dem_system *system, const dem_deformation *deformation, const dem_relax_options *options,
                             const dem_minimise_options *minimise, dem_minimise_report *report);

#endif
