/* Loads per contact, as the summation and the ledger read them. Contacts of block b: indices first[b] ... first[b] + count[b] -
 * 1 (particle-particle), wall_first[b] ... + wall_count[b] - 1 (walls, j < 0). Rows of 8 doubles: force on i (3), arm of i, n x
 * f_t (3), arm of j: torque on i is -a_i n x f_t, on j -a_j n x f_t. */
#ifndef DEMI_LOADS_H
#define DEMI_LOADS_H

#include <stdint.h>

typedef struct demi_loads {
  int32_t *i, *j;      /* rows of the two particles; j = -1 - wall index for walls */
  double *rows;        /* 8 per contact */
  double *books;       /* only with a ledger, `books_width` per contact: n (3), elastic normal force; with width 8 also the
                          tangential damping force (3), * */
  int32_t books_width; /* 4 or 8 */
  double *damping;     /* only with a ledger: normal damping force */
  int64_t *first, *wall_first;
  int32_t *count, *wall_count;
  int32_t *reach; /* highest j listed in each block */
} demi_loads;

#endif
