/* Links: the forces between two particles, or of a wall on a particle, one after the other in the order of the loads. */
#ifndef DEMI_LINKS_H
#define DEMI_LINKS_H

#include "source.h"

typedef struct demi_link {
  int32_t section;         /* DEM_SECTION_..., which is DEMI_SECTION_... of the loads */
  int32_t contact;         /* 1: counts as a contact: touching, or a bond in the place of a contact */
  int64_t i, j;            /* rows; j = -1: a wall */
  const demi_bound *bound; /* the law; NULL for a bond */
  double r[3];             /* x_i - x_j of the images that meet; on a wall from its closest point to x_i [length] */
  double normal[3];        /* r/|r|, or that of the wall */
  double distance;         /* |r| */
  double overlap;          /* R_i + R_j - |r|, on a wall R_i - |r| */
  const double *force;     /* on i */
  double at_i;             /* part of r (x) f that belongs to i when it is divided at the contact point; a wall takes none */
} demi_link;

typedef void demi_link_fn(void *user, const demi_link *link);

/* Calls `visit` for each link of the sections given by the bits 1 << DEM_SECTION_.... */
void demi_links_each(const demi_statics_source *source, int32_t sections, demi_link_fn *visit, void *user);

/* Normal force, > 0 pushes. */
static inline double demi_link_push(const demi_link *link) {
  return link->force[0] * link->normal[0] + link->force[1] * link->normal[1] + link->force[2] * link->normal[2];
}

#endif
