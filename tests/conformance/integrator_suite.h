/* The conformance suite of integrators: what every integrator table must do. Authors run it on theirs, as
 * tests/conformance/test_integrator.c and the test of examples/own_integrator do. Call from inside a cmocka test. */
#ifndef TESTS_INTEGRATOR_SUITE_H
#define TESTS_INTEGRATOR_SUITE_H

#include <dem/dem.h>

typedef struct integrator_facts {
  const char *name;
  int32_t order;            /* what its table says */
  int32_t angular_momentum; /* 1: conserves it exactly where the forces do */
} integrator_facts;

void integrator_conformance(dem_context *context, const dem_integrator *integrator, const integrator_facts *facts);

#endif
