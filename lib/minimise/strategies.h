/* The table of strategies. */
#ifndef DEMI_STRATEGIES_H
#define DEMI_STRATEGIES_H

#include "minimiser.h"

extern const demi_strategy demi_automatic, demi_trust_region, demi_quasi_newton, demi_fire;

/* By name; NULL names the first of the table. NULL when there is none. */
const demi_strategy *demi_strategy_find(const char *name);
enum { DEMI_NAMES_TEXT = 160 };
/* Their names, with commas. */
const char *demi_strategy_names(char text[DEMI_NAMES_TEXT]);

#endif
