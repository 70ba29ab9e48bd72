/* Which variant of the inner loops this CPU can run. */
#ifndef DEMI_CPU_H
#define DEMI_CPU_H

#include <stdint.h>

/* Best DEM_INSTRUCTIONS_... value; at least DEM_INSTRUCTIONS_PLAIN. */
int32_t demi_cpu_best(void);

#endif
