/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "packing.h"

typedef struct options {
  const char *data; /* LAMMPS data file; NULL = make a packing */
  const char *folder;
  int64_t steps, frames, threads;
  packing_options packing;
} options;

/* Fills the defaults and reads the arguments. 0 go on, 1 help was printed, 2 bad arguments (said on stderr). */
int options_read(options *o, int count, char **arguments);

#endif
