/* Systems of spheres that are bonded, for the tests of bonds: one material of Young's modulus 1e5, one law, no gravity. Every sphere
 * has the radius 1/2, the mass 1 and the moment of inertia 1/10. Statuses are asserted. */
#ifndef TESTS_BONDED_H
#define TESTS_BONDED_H

#include <dem/dem.h>

typedef struct bonded {
  dem_context *context;
  dem_system *system;
} bonded;

typedef struct bonded_setup {
  const char *integrator; /* NULL: the engine's default */
  double dt, period;      /* period: of a box periodic along all axes, 0 = open */
  int32_t ledger, threads, hertz;
} bonded_setup;

bonded bonded_open(const bonded_setup *u);
void bonded_close(bonded *w);
/* Hertz, or Hooke of stiffness 1e4 and restitution 0.8, between all spheres. */
void bonded_set_law(bonded *w, int32_t hertz);

/* Adds a sphere at rest. */
dem_id bonded_put(bonded *w, double x, double y, double z);
/* A field of three numbers of one sphere. */
void bonded_set(bonded *w, int32_t field, dem_id id, double x, double y, double z);
void bonded_get(const bonded *w, int32_t field, dem_id id, double v[3]);
/* Position, velocity and spin of n spheres: 9 numbers of each. */
void bonded_read(const bonded *w, const dem_id *id, int64_t n, double *out);
/* Between the centres, regardless of periodic images. */
double bonded_distance(const bonded *w, dem_id i, dem_id j);
void bonded_step(bonded *w, int64_t n);

/* Cross section A = pi/4 and second moment of area I = pi/64 of a bond of radius 1/2. */
extern const double BOND_AREA, BOND_INERTIA;
dem_bond_type bond_harmonic(double k);
/* Stiffnesses per area. */
dem_bond_type bond_beam(double normal, double tangential);
/* A beam with bending, twisting, dashpots and relaxation that breaks by each of its limits. */
dem_bond_type bond_brittle(void);
int32_t bonded_add_type(bonded *w, const dem_bond_type *t);
/* A bond of this rest length; 0: the distance that there is. */
dem_id bonded_join(bonded *w, int32_t type, dem_id i, dem_id j, double rest);
/* The bond of a system that has one. */
dem_bond bonded_only_bond(const bonded *w);

dem_energy bonded_books(const bonded *w);
/* The books close: energy_assert_closed of world.h. */
void bonded_assert_closes(const dem_energy *e);

typedef struct bonded_breaks {
  int64_t count;
  double energy;
} bonded_breaks;

/* Takes all events of breakage: they come in the order of their steps, name bonds that are gone, and stay until taken. */
bonded_breaks bonded_take_breaks(bonded *w, double dt);

#endif
