/* The sample: spheres of many sizes with Hooke's law and friction, in one of two cells, and the measures of its state.
 *
 * Units: mean diameter d = 1, density = 1, confining pressure p = 1. Times are then in d sqrt(density/p), and a strain rate is the inertial
 * number I = rate d sqrt(density/p) of the axial strain. */
#ifndef TRIAXIAL_SAMPLE_H
#define TRIAXIAL_SAMPLE_H

#include <dem/dem.h>

static const double PRESSURE = 1, STIFFNESS = 1000; /* k_n/(p d): overlaps of about 1/1000 of a diameter */
static const double RESTITUTION = 0.7;              /* of spheres; in slow flow nothing depends on it */
static const double RADIUS_LOW = 0.4, RADIUS_HIGH = 0.6;

typedef struct triaxial_options {
  int side;                   /* spheres along an edge of the lattice at the start: side^3 in all */
  int threads;                /* of the library */
  double friction;            /* between spheres during the shear */
  double friction_compressed; /* while they are compressed: less, so that the sample gets dense */
  double rate, strain;        /* of the axial compression [1/time], and where it ends */
  int rows;                   /* of the CSV */
} triaxial_options;

/* One sample in its cell. Axis 2 (z) is the axial one. */
typedef struct sample {
  dem_context *context;
  dem_system *system;
  triaxial_options options;
  int64_t count;
  double dt;                   /* time step */
  double start_length;         /* of the cubic cell before the compression */
  double volume, axial_length; /* at the end of the isotropic compression */
  double lateral_rate;         /* of the logarithm of the lateral lengths, mean of late [1/time] */
} sample;

/* A cell: walls.c has six servo walls, box.c a periodic box whose stress is controlled. */
typedef struct cell {
  const char *name;
  int periodic;
  void (*approach)(sample *s, double rate);             /* all lengths fall at this rate */
  void (*press)(sample *s);                             /* all sides press with the pressure */
  void (*drive)(sample *s, double rate);                /* the axial length falls at this rate, the others press */
  void (*lengths)(const sample *s, double length[3]);   /* of the cell */
  void (*pressures)(const sample *s, double stress[3]); /* on the walls; periodic: as the box measures them */
} cell;
extern const cell wall_cell, box_cell;

/* State of a sample. Stresses > 0 push; strains are logarithmic, > 0 in compression. */
typedef struct state {
  double axial_strain, volumetric_strain;
  double stress[3];   /* xx, yy, zz from the contacts (dem_system_statics) */
  double pressure[3]; /* the same as the cell measures it */
  double ratio;       /* s_zz over the mean of the lateral stresses, from the contacts */
  double deviator;    /* q/p */
  double void_ratio;  /* volume outside of spheres over that of the spheres; overlaps count once */
  double coordination, sliding;
  double kinetic;  /* energy per sphere [p d^3] */
  double residual; /* of the energy books, relative */
} state;

void check(const sample *s, dem_status status);
void sample_open(sample *s, const cell *c, const triaxial_options *o);
void sample_compress(sample *s, const cell *c); /* isotropically, to rest */
/* `steps` with the axial length falling and the lateral stresses held. */
void sample_shear(sample *s, const cell *c, int64_t steps);
/* The axial length stays; until the sample is at rest. */
void sample_halt(sample *s, const cell *c);
void sample_measure(sample *s, const cell *c, state *out);
void sample_close(sample *s);
/* Largest |stress from contacts / stress on the cell - 1| of the three. */
double state_mismatch(const state *t);

#endif
