/* Fine spheres that do not meet each other fall through a bed of fixed large ones. SI units. */
#ifndef FALL_H
#define FALL_H

#include "bed.h"

/* Times are in units of sqrt(R/g), in which a fine sphere falls half a large radius. */
typedef struct fall_options {
  const char *scheme; /* name of an integrator */
  double ratio;       /* R/r */
  int64_t fines;
  double friction, restitution;
  double overlap; /* of r, in a fall of R: sets the stiffness */
  double steps;   /* per contact time */
  double time;    /* length of the run */
  double stall;   /* a fine that has reached no new depth (by r) for so long is trapped */
  uint64_t seed;
} fall_options;

/* How a fine fares. */
typedef struct fine {
  dem_id id;
  double position[3];
  double lowest, since; /* lowest height reached, and when */
  int32_t through;      /* below the bed, and taken out */
  int32_t trapped;
} fine;

typedef struct fall {
  fall_options options;
  const bed *bed;
  dem_system *system;
  fine *fines;
  double unit, now; /* sqrt(R/g) [s]; present time in that unit */
  int64_t through, trapped, steps;
} fall;

/* R/r = 20, mu = 0.5 (locks where R/r > 8.5), e = 0.8, k_t = 0.82 k_n (Poisson's ratio 0.3), overlaps of 1 % of r, 50 steps per
 * contact time; 90 time units, in which all that fall have fallen through 20 R. */
fall_options fall_defaults(void);

/* 0, or 1 after saying why on stderr. */
int fall_open(dem_context *context, const bed *b, const fall_options *o, fall *f);
/* Goes on until `time`, and looks at the fines. */
int fall_until(fall *f, double time);
void fall_close(fall *f);

#endif
