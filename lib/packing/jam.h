/* A search for a jammed state under way. */
#ifndef DEMI_JAM_H
#define DEMI_JAM_H

#include "compress.h"

/* A state of rest: what the next step is chosen from. */
typedef struct demi_jam_point {
  double fraction, pressure;
  double overlap;  /* mean over the contacts [length] */
  double stored;   /* about the energy in the contacts: number times mean force times mean overlap [energy] */
  double contacts; /* 0: none */
} demi_jam_point;

typedef struct demi_jam {
  dem_system *system;
  dem_jam_options options;
  dem_relax_options relax;
  dem_minimise_options minimise;
  dem_jam_report report;
  double volume;               /* of all particles */
  double diameter;             /* of a particle of mean volume */
  demi_jam_point now;          /* the latest state */
  demi_jam_point held, before; /* the latest two that carry a pressure; fraction 0: none */
  /* the state `held`: box, and rows in listing order */
  dem_box box;
  double *position; /* 3 per particle; one block with `image` */
  int32_t *image;   /* 3 per particle */
  size_t bytes;
} demi_jam;

/* Takes in what the host gave, and memory. On failure nothing has to be closed. */
dem_status demi_jam_open(demi_jam *jam, dem_system *system, const dem_jam_options *options,
                         const dem_minimise_options *minimise);
void demi_jam_close(demi_jam *jam);
/* Brings the box to a packing fraction (0: leaves it), minimises, and measures the state. */
dem_status demi_jam_relax(demi_jam *jam, double packing_fraction);
/* Whether the present state carries a pressure. */
int demi_jam_carries(const demi_jam *jam);
/* Makes the present state `held`, and the one that was held `before`. */
dem_status demi_jam_hold(demi_jam *jam);
/* Goes back to `held`. */
dem_status demi_jam_take_back(demi_jam *jam);

#endif
