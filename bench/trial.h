/* What the parts of the case `trial` share. */
#ifndef TRIAL_H
#define TRIAL_H

#include "bench.h"

/* Particles at rest, and what is around them. */
typedef struct scene {
  int32_t dimension, periodic[3], floor; /* floor: a plane z = 0 */
  double low[3], high[3];
  double stiffness; /* of Hooke's law: k_n [force/length] */
  int64_t count;
  double *position, *radius, *density; /* 3, 1, 1 per particle */
  int32_t *material, *frozen;
} scene;

/* Reads or makes the scene that the options name: a LAMMPS data file, a packing of discs as CSV, or --discs. 0, or 1 after saying why. */
int scene_open(scene *s, const options *o, dem_context *context);
void scene_close(scene *s);

/* A system with the particles of the scene at rest, and one law for all of them. */
dem_system *scene_system(const scene *s, const options *o, dem_context *context, const dem_law_options *law);

/* Pairs of a list for the plain loop. */
typedef struct plain {
  int64_t count, contacts;
  int32_t *first, *partner, *order;  /* pairs of row i: first[i] ... first[i+1] - 1; order: particle of each row */
  double *position, *radius, *force; /* 3, 1, 3 per row */
  double *image;                     /* 3 per pair: added to the position of the partner */
  double stiffness;
} plain;

/* The list of all pairs nearer than contact + skin, rows sorted along cells. 0, or 1 without memory. */
int plain_open(plain *p, const scene *s, double skin);
void plain_close(plain *p);

/* Forces of Hooke's law on all rows, one pair after the other; counts the contacts. */
void plain_run(plain *p);
void plain_run_flat(plain *p);

#endif
