/* The conformance suite of contact laws: what every law must do to be usable in every system and under every integrator.
 * Authors of laws run it on theirs, as tests/conformance/test_law.c and the test of examples/own_law do.
 *
 * Call from inside a cmocka test; it fails that test with the check, the state and the numbers. */
#ifndef TESTS_LAW_SUITE_H
#define TESTS_LAW_SUITE_H

#include <dem/dem.h>
#include <dem/plugin/law.h>

/* What the suite has to know about a law to test it. */
typedef struct law_facts {
  const char *name;
  double friction;       /* Coulomb's mu; negative: the law promises no bound */
  double young, poisson; /* of both bodies; 0: the law needs none */
  double mass, radius;   /* m* and R* of typical contacts; 0: 1/2 and 1/4 */
  double overlap;        /* of typical contacts; 0: 0.01 */
  double gap;            /* at which contacts of R* tear; 0: where they stop touching */
  double rolling_cap;    /* |f_r| <= rolling_cap |f_n + adhesion|; negative: no bound promised */
  double twisting_cap;   /* |M_t| <= twisting_cap R* |f_n + adhesion|; with `marshall` the contact radius in place of R* */
  int marshall;
  int potential; /* 1: while nothing slips, its elastic forces are the gradient of its stored energy; -1: they are not; 0: not checked */
  double fluid_inner, fluid_outer; /* gaps between which a gap part acts at R*; 0: none */
} law_facts;

/* What a pair of equal bodies of these materials binds to. */
void law_bind(const law_facts *facts, dem_bind *bind);

void law_conformance(dem_context *context, const dem_law *law, const law_facts *facts);

#endif
