/* A preconditioner of one's own: the diagonal of the Hessian. */
#ifndef DIAGONAL_H
#define DIAGONAL_H

#include <dem/plugin/objective.h>

typedef struct diagonal {
  int64_t n;
  double *d; /* n numbers of the caller */
} diagonal;

void diagonal_table(dem_preconditioner_table *table);

#endif
