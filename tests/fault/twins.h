/* A host of random calls and its twins: several systems that differ in ledger, threads and instructions only. The same calls go to
 * all of them: they answer alike and stay the same to the bit. */
#ifndef TESTS_TWINS_H
#define TESTS_TWINS_H

#include <dem/dem.h>

#include "scenes/hooks.h"
#include "scenes/listed_accounts.h"
#include "scenes/scenes.h"

enum { MOST = 80, MATERIALS = 3, LAWS = 11, WALLS = 6, TWINS = 4, MOST_BONDS = 400, CLASSES = DEMI_HEAT_CLASSES };

typedef struct twin_kind {
  int32_t ledger, threads, plain, backwards;
} twin_kind;

/* The first keeps everything. */
extern const twin_kind twin_kinds[TWINS];

typedef struct twin {
  dem_context *context;
  dem_system *system;
  dem_law *law[LAWS];
} twin;

/* What left the tables together with a particle or wall. */
typedef struct gone {
  double heat[CLASSES];
  double walls[2 * SHARED_ACCOUNTS];
  double work[TWINS];
} gone;

typedef struct host {
  dice dice;
  twin twin[TWINS];
  int count; /* twins in use */
  dem_system_options options;
  dem_wall given[WALLS];
  int32_t wall[WALLS]; /* ids, -1: none */
  int32_t types;
  dem_id bond[MOST_BONDS]; /* some that exist or existed */
  int32_t bonds;
  int32_t cancel;
  int64_t samples;
  gone gone;
  int gentle;      /* overlaps are kept so small that no dashpot is stiff: no sink may become negative */
  int wide;        /* radii from 0.01 to 1.5, of like masses */
  int plain_walls; /* no servo or oscillation */
  hook_memory memory;
} host;

/* Random numbers of the host: 0 ... n - 1; [low, high). */
int host_pick(host *h, int n);
double host_uniform(host *h, double low, double high);

/* `count` twins; after their creation one allocation in `fail` fails. */
void host_open(host *h, uint64_t seed, int count, int fail);
void host_close(host *h);
/* The system of the first twin, and its number of particles. */
dem_system *host_first(const host *h);
int64_t host_count(const host *h);

/* What must hold after every call: the books close, no sink is negative, shares sum up to the totals, the twins are the same. */
void host_check(host *h);
/* The books alone. */
void host_check_books(const host *h, const dem_energy *e);
dem_energy twin_energy(dem_system *s);

dem_energy_share share_fresh(void);
/* Adds to account k / 2, side k % 2 in sum[k]. */
void share_add(double *sum, const dem_energy_share *share);
/* Adds the heat of n particles by classes. */
void heat_add(const dem_system *s, int64_t n, const dem_id *ids, double *sum);

#endif
