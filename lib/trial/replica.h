/* A copy of all that forces depend on: particles, bonds, contact histories, walls' faces and the box, with a neighbour list of its own.
 * The rows of the copy may be sorted and its histories advanced, and the system does not notice.
 *
 * The copy is moved to and fro rather than along a path, so its list does not add up displacements: it keeps where each row was when
 * the list was built and when pairs were last picked, and measures from there (demi_list.since). */
#ifndef DEMI_REPLICA_H
#define DEMI_REPLICA_H

#include "state.h"

typedef struct demi_replica {
  dem_context *context;
  demi_store store;
  demi_bonds bonds;
  demi_contacts contacts;
  demi_carry histories; /* of the start: those of pairs that are out of the list count again when they come back */
  demi_list list;
  demi_faces faces;
  demi_box box;
  const demi_laws *laws; /* the system's, which cannot change while a trial is open */
  demi_search search;
  double *since[2]; /* 4 per row: positions at DEMI_SINCE_BUILD and DEMI_SINCE_PRUNE */
  int64_t since_capacity;
  int64_t picks; /* of the list, when since[DEMI_SINCE_PRUNE] was kept */
} demi_replica;

/* Copies the present state, into the memory of the copy before where there was one; a new replica is all zero. On failure it can be
 * opened again. reach: extra reach of the list [length], 0 = that of the system. */
dem_status demi_replica_open(demi_replica *replica, const dem_system *system, double reach);
void demi_replica_close(demi_replica *replica);

/* After rows or faces were moved: makes the list and its pick cover the present positions. motion.recent holds the boxes of
 * displacement of the blocks. *sorted: 1 when rows have been sorted. DEM_BAD_ARGUMENT: a particle is further away than any list
 * reaches; *row says which. */
dem_status demi_replica_cover(demi_replica *replica, int32_t *sorted, int64_t *row);

/* The same for the pick alone, after pairs have been put off or restored. */
void demi_replica_pick(demi_replica *replica);

/* Sums of the loads of the latest evaluation, 8 per row of the store, into its load rows. */
void demi_replica_sum(demi_replica *replica, const demi_loads *loads);

#endif
