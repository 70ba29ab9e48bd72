/* The normal force that limits friction in a contact, from what an evaluation left of it. */
#ifndef DEMI_FRICTION_FORCE_H
#define DEMI_FRICTION_FORCE_H

#include "law.h"

/* A contact after an evaluation. */
typedef struct demi_evaluated {
  double along;   /* its whole force along n [force] */
  double overlap; /* [length] */
  double effective_radius, effective_mass;
  const double *history; /* the doubles that the evaluation wrote; NULL: none */
} demi_evaluated;

/* |f_n + A|, with f_n the force `along` less what the tangential part pushes along n, and the adhesion A of the law at this overlap: both
 * come from its parts, asked for a contact at rest whose limit of friction is out of reach. For a coupled law at most the elastic force
 * under attraction, as tangential_mindlin_conserving.c has it. NaN where A may depend on more than the overlap: with an adhesive
 * normal part of the host's own. */
double demi_bound_friction_force(const demi_bound *bound, const demi_evaluated *contact);

#endif
