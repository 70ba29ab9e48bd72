/* A chain of elastic links that hangs between two supports, as an objective of its own. */
#ifndef CHAIN_H
#define CHAIN_H

#include <dem/dem.h>
#include <dem/plugin/objective.h>

typedef struct chain_link {
  double cosine, sine;  /* direction */
  double length, force; /* force: tension > 0 */
} chain_link;

typedef struct chain {
  int64_t links;    /* between links - 1 nodes and the supports at (0, 0) and (span, 0) */
  double span;      /* [length] */
  double rest;      /* length of a link without force [length] */
  double stiffness; /* of a link [force/length] */
  double weight;    /* of a node [force] */
  chain_link *link; /* at the latest evaluation with DEM_OBJECTIVE_TANGENT */
  chain_link *tried;
} chain;

/* Unknowns x: position of each node, 2 numbers. */
void chain_table(const chain *c, dem_objective_table *table);
/* Nodes on the straight line between the supports, sagging a little. */
void chain_start(const chain *c, double *x);
/* Direction, length and force of link i, from node i - 1 to node i, where node -1 and the last one are the supports. */
chain_link chain_look(const chain *c, const double *x, int64_t i);

#endif
