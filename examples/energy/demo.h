/* What the demonstrations share: a system whose energy books are sampled into a CSV, spheres, and a summary at the end. SI units.
 *
 * Whatever the library refuses ends the program with its message. */
#ifndef DEMO_H
#define DEMO_H

#include <dem/dem.h>
#include <stdio.h>

typedef struct demo {
  const char *name;
  dem_context *context;
  dem_system *system;
  FILE *csv;
  dem_energy now;      /* the books as last sampled */
  double potential;    /* most energy that springs and bonds stored at a sample */
  double residual_max; /* largest residual of the books at a sample, over the largest account */
  int64_t samples;
} demo;

/* A system of one material, with NAME.csv in the folder that the command line may give (default: here). */
void demo_open(demo *d, const char *name, int count, char **arguments, const dem_system_options *options);

/* Ends the program when `status` is a refusal. */
void demo_check(demo *d, const char *what, dem_status status);

/* The law of all contacts. */
void demo_law(demo *d, const dem_law_options *law);

/* Spheres of one radius and density; `ids` may be NULL. */
void demo_spheres(demo *d, int64_t count, const double *position, const double *velocity, double radius, double density,
                  dem_id *ids);

/* Runs until `time` and writes a row every so many steps. */
void demo_run(demo *d, double time, int64_t every);

/* Prints where the energy is and closes everything. 0 when the books have closed to 1e-12 at every sample, else 1. */
int demo_close(demo *d);

/* The material that all demonstrations use. */
void demo_material(dem_material *material);

/* Duration of an elastic Hertz impact of two equal spheres that meet at the relative velocity `speed`. */
double demo_contact_time(double radius, double density, double speed);

#endif
