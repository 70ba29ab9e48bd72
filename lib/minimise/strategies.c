#include "strategies.h"

#include <stdio.h>
#include <string.h>

static const demi_strategy *const strategies[] = {&demi_automatic, &demi_trust_region, &demi_quasi_newton, &demi_fire};

enum { STRATEGIES = sizeof strategies / sizeof *strategies };

const demi_strategy *demi_strategy_find(const char *name) {
  if (!name) return strategies[0];
  for (size_t k = 0; k < STRATEGIES; k++)
    if (strcmp(strategies[k]->name, name) == 0) return strategies[k];
  return NULL;
}

const char *demi_strategy_names(char text[DEMI_NAMES_TEXT]) {
  int at = 0;
  for (size_t k = 0; k < STRATEGIES && at < DEMI_NAMES_TEXT; k++)
    at += snprintf(text + at, (size_t)(DEMI_NAMES_TEXT - at), "%s%s", k > 0 ? ", " : "", strategies[k]->name);
  return text;
}
