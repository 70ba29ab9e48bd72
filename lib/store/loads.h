/* Loads per contact, as the summation and the ledger read them. The contacts of each section of block b have the indices
 * first[section][b] ... first[section][b] + count[section][b] - 1. Rows of 8 doubles: force on i (3), arm of i, n x f_t (3), arm
 * of j: torque on i is -a_i n x f_t, on j -a_j n x f_t. */
#ifndef DEMI_LOADS_H
#define DEMI_LOADS_H

#include <stdint.h>

#include "partner.h"

/* Kinds of interaction, in the order they are summed. Gaps are pairs that act without touching (lubrication). */
enum {
  DEMI_SECTION_PAIR = 0,
  DEMI_SECTION_WALL = 1,
  DEMI_SECTION_GAP = 2,
  DEMI_SECTION_WALL_GAP = 3,
  DEMI_SECTION_BOND = 4,
  DEMI_SECTIONS = 5
};

typedef struct demi_loads {
  int32_t *i, *j;      /* rows of the two particles; partner.h */
  double *rows;        /* 8 per contact */
  double *books;       /* only with a ledger, `books_width` per contact: n (3), elastic normal force; with width 8 also the
                          tangential damping force (3), and what the torque's arms are shorter by than the velocity's */
  int32_t books_width; /* 4 or 8 */
  double *damping;     /* only with a ledger: normal damping force */
  double *start;       /* only with shares, 4 per contact: powers at the start of the interval (see contact/pair_shares.h) */
  int32_t *pair;       /* only with shares: index of the contact in the list */
  int64_t *first[DEMI_SECTIONS];
  int32_t *count[DEMI_SECTIONS];
  int32_t *reach;         /* highest j of each block */
  int32_t *fine_reach;    /* highest j of each block among the rows of the finest level */
  int32_t window;         /* rows from the first of a block to the highest that any block reaches, within the finest level */
  int64_t wall_base;      /* contacts with walls have indices from here on */
  double *lever;          /* 4 per contact with a wall, from wall_base: contact point less the wall's reference point; * */
  double *moment;         /* 4 per load from moment_base: moment on i beside that of the force, the opposite on j; its part
                                  along n (not of bonds) */
  int64_t bond_base;      /* bonds have indices from here on; they have moments */
  int64_t moment_base;    /* bond_base, or, where laws roll or twist, 0: then touching pairs and walls have moments too */
  int32_t rolls;          /* touching pairs and walls have moments */
  double *moment_damping; /* only with a ledger: the part of the moments that dashpots make, 4 per load */
  double *moment_start;   /* only with shares: powers of the moments at the start of the interval, 4 per load */
  uint8_t
      *image; /* only where images move: the image of j that each load between particles and each bond is with: the place of its
                             velocity in image_velocity */
  const double *image_velocity; /* 4 per image, velocity relative to the particle itself; NULL: images do not move */
  double (*const
              *wall_velocity)[8]; /* per face: velocity and angular velocity of its wall now; the array grows with the walls */
} demi_loads;

#endif
