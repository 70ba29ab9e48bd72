/* Header of a LAMMPS data file: counts and box, before the first section. */
#ifndef DEMI_LAMMPS_HEADER_H
#define DEMI_LAMMPS_HEADER_H

#include "lines.h"
#include "number.h"

typedef struct demi_lammps_header {
  int64_t atoms;
  int32_t types;
  double low[3];
  double high[3];
  double tilt[3]; /* xy, xz, yz; 0 without such a line */
  uint32_t given; /* bit per kind of line already seen */
} demi_lammps_header;

/* Takes the present line, which does not begin with a letter. */
dem_status demi_lammps_header_line(demi_lammps_header *header, const demi_lines *lines, const demi_numbers *numbers);
/* Refuses, at the present line, when something a section needs has not been given. */
dem_status demi_lammps_header_complete(const demi_lammps_header *header, const demi_lines *lines);

#endif
