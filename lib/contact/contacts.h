/* Contact table: history rows per listed pair, loads per touching pair, and the evaluation of all forces.
 *
 * A history row is: stamp of the evaluation that wrote it, then the history doubles, padded to a multiple of 4. It counts only
 * when its stamp is that of the evaluation before: a pair that stopped touching starts from zero. Laws whose contacts hold
 * beyond touching have rows even without history: a pair across a gap is a contact only while its row counts. A law reads history_in and
 * writes history_out in the batch's lanes; the engine keeps the lanes where the evaluation commits. */
#ifndef DEMI_CONTACTS_H
#define DEMI_CONTACTS_H

#include "batch.h"
#include "bonds.h"
#include "carry.h"
#include "lags.h"
#include "law_table.h"
#include "ledger.h"
#include "list.h"
#include "loads.h"
#include "tangent.h"

/* Entries of the sums of a block: those of its sections (lib/ledger/accounts.h), one after the other. */
enum { DEMI_BOOK_ENTRIES = DEMI_SECTIONS * DEMI_SECTION_ENTRIES };

/* Times of kicks that the work of contact forces is booked for (system/interval.h). */
typedef struct demi_kicks {
  double closing; /* kicks whose work ends at the present velocities [time] */
  double opening; /* kicks queued behind the evaluation, in the same pass: half of their work is booked with it [time] */
  int32_t marked; /* 1: the closing kicks began at a booking between two evaluations; their first powers are in loads.start */
} demi_kicks;

typedef struct demi_contacts {
  dem_context *context;
  demi_loads loads;
  int64_t load_capacity, block_capacity, history_capacity, lever_capacity, moment_capacity;
  int32_t ledger;         /* books rows are kept; 2: shares too */
  double *shares;         /* 8 per pair: accounts of single contacts (accounts.h), or NULL */
  double *rolling_shares; /* 8 per pair: accounts of rolling and twisting, or NULL where no law rolls or twists */
  demi_kicks kicks;       /* of the evaluation or booking under way */
  int64_t share_capacity, rolling_share_capacity, moment_books_capacity;
  int32_t stride; /* doubles per history row; 0: no law has history, nor holds */
  double *history;
  double stamp;     /* of the latest evaluation */
  int valid;        /* contacts belong to the present rows */
  double *sums;     /* DEMI_BOOK_ENTRIES per block, of the latest evaluation */
  int32_t *broken;  /* per block: bonds that broke in the latest evaluation */
  double *end_sums; /* POWER_... entries per block, of the contacts before it at the velocities it met */
  demi_workspace *workspace;
  int32_t workspaces;
  demi_carry carry;
} demi_contacts;

/* What an evaluation computes, or-ed. */
enum {
  DEMI_COMPUTE_ENERGY = 1,  /* stored energies, into the sums */
  DEMI_COMPUTE_FORCE = 2,   /* loads: forces and moments of each contact and bond */
  DEMI_COMPUTE_BOOKS = 4,   /* with FORCE: rows and sums of the ledger (powers, slip, hysteresis) */
  DEMI_COMPUTE_TANGENT = 8, /* with FORCE: a row of derivatives for each contact and bond (tangent.h) */
  DEMI_COMPUTE_STATIC = 16  /* with FORCE: forces only, and dashpots may be left out: no time passes but for the histories */
};

/* An evaluation as a value: the state (rows of the store, the list that fits them, faces, box), the histories that it starts from, the
 * time by which they advance, what is computed, and whether it is kept. Loads, sums and tangents go into the table `contacts`; they
 * are those of the latest evaluation, kept or not. With commit = 0 the histories, the bonds and the stamp stay as they are, so that
 * the same evaluation can be asked again and again. A step commits; a trial does not. */
typedef struct demi_evaluation {
  const demi_store *store;
  const demi_list *list;
  const demi_laws *laws;
  demi_contacts *contacts;
  double dt;
  int32_t radius_arms, rotate;
  int32_t ask;    /* DEMI_COMPUTE_... */
  int32_t commit; /* 1: histories and bonds advance */
  demi_bonds *bonds;
  const demi_box *box;
  double half;             /* synchronised: velocities are taken in the frame this long ago; 0: in that of the positions */
  int32_t whole_step;      /* histories of new contacts advance by dt too (DEM_ONSET_STEP) */
  int32_t shorter_torques; /* torques between particles act at R - overlap/2, whatever arm the velocities are taken with */
  demi_kicks kicks;        /* with BOOKS */
  demi_tangents *tangents; /* with TANGENT: where they go */
  demi_lags *lags;         /* of lagged friction, without BOOKS and with half = 0; or NULL */
} demi_evaluation;

void demi_contacts_init(demi_contacts *contacts, dem_context *context);
void demi_contacts_free(demi_contacts *contacts);

/* Stored energies of a contact. */
typedef struct demi_stored {
  double normal, tangential, rolling, twisting;
} demi_stored;

/* Called for a neck that is no longer in the list, with its stored energies. j: see partner.h. */
typedef void demi_torn_fn(void *user, int32_t i, int32_t j, const demi_stored *held);

/* Fits the table to a new list and restores the carried histories. torn: called for each neck that is no longer listed; may
 * be NULL. */
dem_status demi_contacts_match_list(demi_contacts *contacts, const demi_list *list, const demi_store *store,
                                    const demi_laws *laws, const demi_bonds *bonds, int32_t ledger, demi_torn_fn *torn,
                                    void *user);

/* Moves the live histories into the carry; the table is then not valid. The store has its rows as they are listed. */
dem_status demi_contacts_carry(demi_contacts *contacts, const demi_list *list, const demi_store *store);

/* Copies the histories, live or already in the carry, into a carry of the caller's; the table stays as it is. */
dem_status demi_contacts_copy_histories(const demi_contacts *contacts, const demi_list *list, const demi_store *store,
                                        demi_carry *to);

/* Builds the list anew, which sorts the store and the bonds, and fits the table to it. Before: demi_contacts_carry. On failure the list
 * is not valid. torn: see demi_contacts_match_list. */
dem_status demi_contacts_relist(demi_contacts *contacts, demi_list *list, demi_store *store, demi_bonds *bonds,
                                const demi_laws *laws, const demi_search *search, int32_t ledger, demi_torn_fn *torn,
                                void *user);

/* Puts the carried histories back into the table of a new list and empties the carry; with `torn`, see demi_contacts_match_list,
 * which does this. */
void demi_contacts_restore(demi_contacts *contacts, const demi_list *list, const demi_store *store, const demi_laws *laws,
                           demi_torn_fn *torn, void *user);

/* The history that the latest evaluation wrote for row i and a partner (partner.h); NULL where there is none. Of a pair that stands in
 * the list with several images: that of the first. */
const double *demi_contacts_history(const demi_contacts *contacts, const demi_list *list, int32_t i, int32_t j);

/* Hands the accounts of single contacts on and clears them. j: see partner.h; rows: DEMI_SHARE_ROWS, see accounts.h. */
typedef void demi_share_fn(void *user, int32_t i, int32_t j, double (*rows)[DEMI_SHARE_ENTRIES]);
void demi_contacts_hand_on(demi_contacts *contacts, const demi_list *list, demi_share_fn *take, void *user);

/* An evaluation: begin, every block once (any order, chunks may run in parallel with different `chunk`), and with a ledger each
 * block first adds up the power of its old contacts at the present velocities. */
void demi_contacts_begin(const demi_evaluation *evaluation);
void demi_contacts_block(const demi_evaluation *evaluation, int32_t chunk, int32_t block);

/* Begin and all blocks. */
void demi_contacts_evaluate(const demi_evaluation *evaluation);

/* Power of the present contact forces at the present velocities, into `end_sums` (entries POWER_... only). With accounts of single
 * contacts: books the kicks that end here, and keeps these powers as the first of the next ones. */
void demi_contacts_power(const demi_store *store, const demi_list *list, demi_contacts *contacts, const demi_kicks *kicks);

/* Stamp of the history rows that are valid in this evaluation. */
static inline double demi_live_stamp(const demi_evaluation *e) {
  return e->commit ? e->contacts->stamp - 1 : e->contacts->stamp;
}

/* Stored energies of a contact at rest; 0 where a part offers none. `history`: the doubles of its row, or NULL for a new
 * contact. Uses the lanes of the workspace, which are free between its batches. */
demi_stored demi_contacts_stored(demi_workspace *workspace, const demi_bound *bound, double overlap, double effective_radius,
                                 double effective_mass, const double *history);

/* After a list build, when the bonds are in order: puts off the contacts that bonds replace. */
dem_status demi_contacts_put_off(demi_bonds *bonds, demi_list *list);
/* Evaluates bonds first ... end - 1, which are those of the block. */
void demi_bonds_block(const demi_evaluation *evaluation, int32_t block, int64_t first, int64_t end);

/* `sums` or `end_sums` added up over all blocks, of the first `sections`, and the common entries only where no law rolls or
 * twists; 0 for the others. */
demi_totals demi_contacts_totals(const double *sums, const demi_list *list, int32_t sections, int32_t rolls);

int64_t demi_contacts_count(const demi_contacts *contacts, const demi_list *list, int32_t section);

#endif
