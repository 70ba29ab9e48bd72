/* Particle arrays. Identity and hot state are apart: ids name slots, slots name rows, rows are re-sorted along the search grid.
 *
 * Hot rows, each aligned to its size:
 *   position  4 doubles  x y z R
 *   velocity  8 doubles  vx vy vz 1/m | wx wy wz 1/I        (see below; of a frozen particle both are 0)
 *   load      8 doubles  fx fy fz *   | tx ty tz *          sums over contacts alone; lanes marked * hold rubbish
 *   host      8 doubles  fx fy fz 0   | tx ty tz 0          constant force and torque set by the host
 * and, of those that are there only once something needs them,
 *   seen      8 doubles  velocity row as the present contact forces saw it
 *   fluid     8 doubles  ux uy uz gamma | ox oy oz gamma_w  velocity, angular velocity of the fluid and drag rates
 *   lag       8 doubles  h, then of the drag during h: h phi, e of velocity, h phi, e of spin, * (see pass_kernels.c)
 *   impulse   8 doubles  px py pz *   | lx ly lz *          what that drag has given to the particle
 *
 * Beside them the host may add columns of its own: doubles that the engine carries along and never reads.
 *
 * Mass has two meanings, which every use tells apart by the name of the function that it reads through:
 *
 *   mobility      how velocity and spin answer to forces: dv/dt = mobility F + g, dw/dt = turning mobility M. 0: no force moves the
 *                 particle, it is frozen. Kicks, stable time steps, and the question whether two things can meet at all read it.
 *   inverse mass  how heavy the particle is for its partner: m* = 1/(1/m_i + 1/m_j) of a contact or bond, on which dashpots, times of
 *                 contact and stored energies depend; and I* in the same way. 0: infinite mass, as of a wall that no force moves.
 *
 * Both are entries 3 and 7 of the velocity row, because up to now they are equal for every particle: 1/m and 1/I of one that moves, 0
 * of a frozen one. Loops that load whole velocity rows read the entry directly and say which of the two they mean. The columns mass
 * and inertia hold m and I whether the particle is frozen or not: weights, kinetic energies and drag read them. */
#ifndef DEMI_STORE_H
#define DEMI_STORE_H

#include <dem/base.h>
#include <dem/context.h>

#include "idpool.h"

/* X(type, name, elements per row) */
#define DEMI_COLUMNS(X)   \
  X(double, position, 4)  \
  X(double, velocity, 8)  \
  X(double, load, 8)      \
  X(double, host, 8)      \
  X(double, density, 1)   \
  X(double, mass, 1)      \
  X(double, inertia, 1)   \
  X(int32_t, material, 1) \
  X(int32_t, image, 3)    \
  X(dem_id, id, 1)

/* Columns that are NULL until demi_store_keep asks for their group. X(group, type, name, elements per row) */
enum { DEMI_KEEP_SEEN = 1, DEMI_KEEP_FLUID = 2 };
#define DEMI_OPTIONAL_COLUMNS(X)     \
  X(DEMI_KEEP_SEEN, double, seen, 8) \
  X(DEMI_KEEP_FLUID, double, fluid, 8) X(DEMI_KEEP_FLUID, double, lag, 8) X(DEMI_KEEP_FLUID, double, impulse, 8)

/* Columns that the host adds: their number, length of a name, and numbers in a row at most. */
enum { DEMI_MAX_ADDED = 32, DEMI_ADDED_NAME = 63, DEMI_ADDED_WIDTH = 16 };

typedef struct demi_added {
  char name[DEMI_ADDED_NAME + 1];
  int32_t width; /* numbers in a row */
} demi_added;

typedef struct demi_columns {
#define DEMI_MEMBER(type, name, width) type *name;
  DEMI_COLUMNS(DEMI_MEMBER)
#undef DEMI_MEMBER
#define DEMI_MEMBER(group, type, name, width) type *name;
  DEMI_OPTIONAL_COLUMNS(DEMI_MEMBER)
#undef DEMI_MEMBER
  double *added[DEMI_MAX_ADDED];
} demi_columns;

typedef struct demi_store {
  dem_context *context;
  int64_t count, capacity;
  demi_columns columns; /* current */
  demi_columns spare;   /* what the next re-sort writes into */
  demi_idpool ids;
  int32_t *listed; /* slots of the ids in listing order, oldest particle first; `capacity` of them */
  int32_t *place;  /* of each slot in that order; slots are never more than rows were at once */
  int host_used;   /* any host force ever set */
  int32_t keeps;   /* DEMI_KEEP_... or-ed */
  int32_t added_count;
  demi_added *added; /* DEMI_MAX_ADDED of them, NULL before the first */
} demi_store;

void demi_store_init(demi_store *store, dem_context *context);
void demi_store_free(demi_store *store);

/* Makes room for `capacity` rows in all; DEM_NO_MEMORY leaves everything as it was. */
dem_status demi_store_reserve(demi_store *store, int64_t capacity);

/* Adds groups of optional columns, zero in every row; DEM_NO_MEMORY leaves everything as it was. */
dem_status demi_store_keep(demi_store *store, int32_t groups);

/* Adds a column of the host, zero in every row; DEM_NO_MEMORY leaves everything as it was. There must be room for one more,
 * and the name must fit. */
dem_status demi_store_add_column(demi_store *store, const char *name, int32_t width);

/* Zeroes the optional columns of a row and those of the host. */
void demi_store_clear_optional(demi_store *store, int64_t row);

/* Memory of all columns, listings and ids. */
int64_t demi_store_bytes(const demi_store *store);

/* Re-orders into `spare`: new row k is old row `order[k]`, for k < count. demi_store_swap then makes it current. */
void demi_store_permute(demi_store *store, const int32_t *order, int64_t count);
void demi_store_swap(demi_store *store, int64_t count);

/* Lists an id that was just taken as the youngest; `place` particles are older. */
void demi_store_list(demi_store *store, dem_id id, int64_t place);
/* Takes the ids that were given back out of the first `count` of the listing. */
void demi_store_unlist(demi_store *store, int64_t count);

/* 1/m and 1/I for forces that move the particle, 0 = frozen. */
static inline double demi_store_mobility(const demi_store *store, int64_t row) { return store->columns.velocity[8 * row + 3]; }
static inline double demi_store_turning_mobility(const demi_store *store, int64_t row) {
  return store->columns.velocity[8 * row + 7];
}
static inline int demi_store_frozen(const demi_store *store, int64_t row) { return demi_store_mobility(store, row) == 0; }

/* 1/m that enters m* of a contact, 0 = infinite. */
static inline double demi_store_inverse_mass(const demi_store *store, int64_t row) {
  return store->columns.velocity[8 * row + 3];
}

/* Of two particles in contact: 1/m* = 1/m_i + 1/m_j. */
static inline double demi_store_inverse_mass_of(const demi_store *store, int64_t i, int64_t j) {
  return demi_store_inverse_mass(store, i) + demi_store_inverse_mass(store, j);
}

#endif
