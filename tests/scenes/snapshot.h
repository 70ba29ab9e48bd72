/* The whole state of a system, copied, and how far two of them are apart. */
#ifndef TESTS_SNAPSHOT_H
#define TESTS_SNAPSHOT_H

#include <dem/dem.h>

typedef struct snapshot {
  int64_t count;
  dem_id *ids;
  double *x, *v, *w, *f, *t; /* position, velocity, spin, force, torque; 3 per row, in listing order */
  double *radius;
} snapshot;

/* Fails the running test when anything is refused. */
void snapshot_take(snapshot *s, const dem_system *system);
void snapshot_free(snapshot *s);
/* Largest difference in a coordinate; `period` (or NULL) has the box length on periodic axes, 0 on open ones. */
double snapshot_distance(const snapshot *a, const snapshot *b, const double *period);
/* Largest difference in a velocity or (times radius) spin. */
double snapshot_speed_difference(const snapshot *a, const snapshot *b);
/* Fails the running test unless every bit of position, velocity, spin, force and torque is the same. */
void snapshot_assert_same_bits(const snapshot *a, const snapshot *b);
/* Reverses the rows of a snapshot: what a system filled in reverse order lists. */
void snapshot_reverse(snapshot *s);
/* A number that changes when anything readable changes: all fields, ids, walls' count, time, energies. */
uint64_t system_hash(dem_system *system);

#endif
