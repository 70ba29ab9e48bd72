/* Bonds between particles: a table with ids, put in the order of the rows after each list build, so that the bonds of a block
 * (that of the lower row) stand together. What breaks in a step stays in the table, dead, until the next list build: loads keep
 * their places.
 *
 * A bond is computed in the orientation it was given in, i to j, and its load turned round if row i is above row j: the bits do
 * not depend on how rows are sorted.
 *
 * With a ledger each bond has an account of its own: the elastic energy that is booked for it, in total the ledger's account of
 * bonds but for what the host brought. When a bond breaks, its account is what goes to breakage, so that breaking all bonds leaves
 * nothing but that of the host. It is kept like the ledger's: minus the work of the elastic forces, (P + P')/2 H, less relaxation.
 * What the host's changes do to the stored energy enters by state: at the first change the stored energy is taken off, after the
 * last (when the list is built) the then stored energy is put on. A new bond starts from nothing and gets what it stores that
 * way; a removed one leaves with what it had. The ledger's potential_host sees the same changes in the sum over all contacts and
 * bonds (system/books.c), so that neither creation nor removal shows in the residual or as numerical dissipation. */
#ifndef DEMI_BONDS_H
#define DEMI_BONDS_H

#include "bond_response.h"
#include "box.h"
#include "store.h"

typedef struct demi_bond {
  dem_id id;   /* 0: dead */
  dem_id i, j; /* as they were given */
  int32_t type;
  int32_t reason;    /* DEM_BREAK_...; broken in the latest evaluation */
  int32_t offset[3]; /* box lengths to add to r, in addition to the difference of the images of the particles */
  int32_t row[2];    /* of i and j, as of the latest list */
  int32_t pair;      /* listed pair whose contact is put off for the bond, or -1 */
  demi_bond_state state;
  double span[3]; /* r at the latest evaluation */
  int32_t image;  /* of j, that i is joined to, as lists name images; only where image_velocity is set */
  int32_t breaks; /* 1: it would break in the latest evaluation that was not kept */
  demi_bond_forces forces;
  double account;  /* elastic energy booked for this bond, less the energy moved to other accounts */
  double heat;     /* heat of dashpots and relaxation since it was last given to the particles */
  double power[2]; /* of springs and dashpots at the start of the interval */
} demi_bond;

typedef struct demi_bonds {
  dem_context *context;
  int32_t type_count, type_capacity;
  dem_bond_type *type;
  double *kept;                  /* by type: part of the elastic forces that relaxation leaves in this evaluation */
  int64_t count, dead, capacity; /* in the table, of them dead */
  demi_bond *bond, *spare;
  demi_idpool ids;
  int32_t *start; /* rows + 1: first bond of each row */
  int64_t row_capacity;
  int32_t changing; /* between demi_bonds_before_change and demi_bonds_after_change */
  uint64_t *key;    /* ascending: slots of the bonded particles, lower << 32 | higher; only while sorted */
  int64_t key_capacity;
  int32_t sorted;
  dem_bond_break *broken; /* not taken yet */
  int64_t broken_count, broken_capacity;
  const double *image_velocity; /* the list's, 4 per image: where the box deforms, else NULL */
} demi_bonds;

void demi_bonds_init(demi_bonds *bonds, dem_context *context);
void demi_bonds_free(demi_bonds *bonds);

/* Makes room for one type more; nothing is changed on failure. */
dem_status demi_bonds_reserve_type(demi_bonds *bonds);
/* Makes room for `count` more bonds, with their events; nothing is changed on failure. */
dem_status demi_bonds_reserve(demi_bonds *bonds, int64_t count);
/* Appends a bond (room is reserved), joined to the nearest image. */
dem_id demi_bonds_add(demi_bonds *bonds, const dem_bond *bond, const demi_store *store, const demi_box *box);
void demi_bonds_remove(demi_bonds *bonds, int64_t index);
/* Removes the bonds of particles that are gone. */
void demi_bonds_drop_gone(demi_bonds *bonds, const demi_store *store);
/* Positions were set: each bond goes on to the image of j that is nearest to where it was. */
void demi_bonds_reattach(demi_bonds *bonds, const demi_store *store, const demi_box *box);
/* The box got other edges, as image counts of particles did: demi_box_renumber. */
void demi_bonds_renumber(demi_bonds *bonds, const demi_box *from, const demi_box *to);
/* The box has changed: what reattaching starts from is found anew. */
void demi_bonds_find_spans(demi_bonds *bonds, const demi_store *store, const demi_box *box);

/* Pair keys: those of all bonds in `key`, ascending. */
uint64_t demi_bond_key(dem_id i, dem_id j);
void demi_bonds_sort_keys(demi_bonds *bonds);
int demi_bonds_joined(const demi_bonds *bonds, uint64_t key);
void demi_sort_keys(uint64_t *key, int64_t count);

/* After the rows were sorted: drops the dead, finds the rows of the ends and puts the bonds in their order. */
dem_status demi_bonds_order(demi_bonds *bonds, const demi_store *store);
static inline int32_t demi_bonds_first(const demi_bonds *bonds, int32_t row) { return bonds->count ? bonds->start[row] : 0; }

/* The box lengths that are added to x_i - x_j, of the images that are joined. */
void demi_bond_turns(const demi_bond *bond, const demi_store *store, const int64_t row[2], double turns[3]);
/* r = x_i - x_j of the images that are joined. */
void demi_bond_span(const demi_bond *bond, const demi_store *store, const demi_box *box, const int64_t row[2], double r[3]);
/* Spring constants of bond type `type` between the particles in these rows. */
static inline demi_bond_springs demi_bonds_springs(const demi_bonds *bonds, int32_t type, const demi_store *store,
                                                   const int64_t row[2]) {
  const double *position = store->columns.position;
  return demi_bond_springs_of(&bonds->type[type], position[4 * row[0] + 3], position[4 * row[1] + 3]);
}
/* The bond as the host sees it. */
dem_bond demi_bond_public(const demi_bond *bond);

/* Once per evaluation: computes for each type the part exp(-dt/t_d) that relaxation leaves. */
void demi_bonds_begin(demi_bonds *bonds, double dt);
/* The velocity of the image of j that i is joined to; `velocity`: that of j. */
static inline void demi_bond_partner(const demi_bonds *bonds, const demi_bond *bond, const double *velocity, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = velocity[a] + (bonds->image_velocity ? bonds->image_velocity[4 * bond->image + a] : 0.0);
}
/* Keeps a response at span r, with the state, the forces and whether the bond breaks. */
static inline void demi_bond_commit(demi_bond *bond, const double span[3], const demi_bond_response *response) {
  for (int a = 0; a < 3; a++) bond->span[a] = span[a];
  bond->state = response->state;
  bond->forces = response->forces;
  bond->reason = response->reason;
}

/* ---- bond_accounts.c ---- */

/* Enters the energy that relaxation lost, and the powers of the response, which start the next interval, unless the bond breaks. */
void demi_bond_book(demi_bond *bond, const demi_bond_response *response);
/* Closes `interval` of kicks in the bonds' own accounts at present velocities: of bonds first ... end - 1. */
void demi_bonds_book(demi_bonds *bonds, const demi_store *store, int64_t first, int64_t end, double interval);
/* Around the host's changes, see above. */
void demi_bonds_before_change(demi_bonds *bonds, const demi_store *store, const demi_box *box);
void demi_bonds_after_change(demi_bonds *bonds, const demi_store *store, const demi_box *box);

#endif
