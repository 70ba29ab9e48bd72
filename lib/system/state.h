/* Inside of a system. */
#ifndef DEMI_STATE_H
#define DEMI_STATE_H

#include "box.h"
#include "contacts.h"
#include "context.h"
#include "field_table.h"
#include "integrator.h"
#include "ledger.h"
#include "list.h"
#include "pass.h"
#include "pair_shares.h"
#include "stepper.h"
#include "store.h"
#include "system.h"
#include "walls.h"

/* State of the forces. */
enum {
  DEMI_FORCES_STALE = 0,  /* something changed: to be evaluated before they are used */
  DEMI_FORCES_QUEUED = 1, /* the evaluation is the first operation of the queue */
  DEMI_FORCES_SUMMED = 2  /* per particle, in the load rows */
};

/* Stored energies; [2]: particle-particle, particle-wall. */
typedef struct demi_potentials {
  double normal[2], tangential[2], rolling[2], twisting[2], bond;
} demi_potentials;

/* Kinetic energies of one particle; of all. */
typedef struct demi_kinetic {
  double linear, angular;
} demi_kinetic;

typedef struct demi_kinetic_sums {
  demi_sum linear, angular;
} demi_kinetic_sums;

/* Classes of heat per particle: DEM_HEAT_CLASSES. */
enum {
  DEMI_HEAT_NORMAL = 0,
  DEMI_HEAT_TANGENTIAL = 1,
  DEMI_HEAT_SLIDING = 2,
  DEMI_HEAT_ROLLING = 3,
  DEMI_HEAT_TWISTING = 4,
  DEMI_HEAT_LUBRICATION = 5,
  DEMI_HEAT_BOND = 6,
  DEMI_HEAT_BREAKAGE = 7,
  DEMI_HEAT_CLASSES = 8
};

/* Kinds of warning (warnings.c). */
enum {
  DEMI_WARNING_STABILITY = 0,
  DEMI_WARNING_CONTACT_TIME = 1,
  DEMI_WARNING_OVERLAP = 2,
  DEMI_WARNING_SPEED = 3,
  DEMI_WARNING_WEIGHT = 4,
  DEMI_WARNING_RATIO = 5,
  DEMI_WARNING_BEHIND = 6,
  DEMI_WARNINGS = 7
};

/* Accounts of many contacts, entries as in shares.h; [0] particle-particle, [1] particle-wall. */
typedef struct demi_share {
  double of[2][DEMI_SHARE_ENTRIES], rolling[2][DEMI_SHARE_ENTRIES];
} demi_share;

typedef struct demi_law_share {
  const dem_law *law;
  demi_share share;
} demi_law_share;

typedef struct demi_shares {
  double *heat; /* DEMI_HEAT_CLASSES per slot of the ids, which sorting does not move */
  int64_t heat_capacity;
  demi_share *materials; /* DEMI_MAX_MATERIALS^2, lower index first */
  int32_t law_count, law_capacity;
  demi_law_share *law;
  demi_share wall[DEMI_MAX_WALLS]; /* by place in the list of walls */
} demi_shares;

/* Who is using the system at this moment. */
typedef struct demi_guards {
  atomic_int calls_inside;         /* calls under way that may call the host back: kernels, binds, sinks, callbacks of a step */
  int32_t callbacks;               /* of them those that wait for a callback of a step, which may use the system again */
  int32_t in_before_step;          /* 1: the callback under way is the one that may set the host's forces */
  int32_t views, velocity_writers; /* views open: all; those that write velocities or spins */
  int32_t readers[DEMI_FIELD_INDICES];      /* views open that read each field; -1: one that writes it */
  demi_kinetic_sums kinetic_before_writers; /* kinetic energy when the first of the velocity writers was let in [J] */
} demi_guards;

/* Warnings given, and the surveys (walks over all pairs, survey.h) that find the reasons for them. */
typedef struct demi_warning_record {
  int64_t given;                  /* number of warnings since the system was created */
  double severity[DEMI_WARNINGS]; /* value over limit when each kind was last given; 0: not since the set-up changed */
  int64_t surveys;                /* number of surveys since the system was created */
  int64_t surveyed_particles;     /* number of particles at the latest survey; 0: no survey since the set-up changed */
  int64_t next_survey;            /* number of steps (as `steps`) after which the next one is due */
  int64_t survey_interval;        /* steps from the latest survey to the next */
} demi_warning_record;

/* Functions of the host that steps call, and after which steps. */
typedef struct demi_hooks {
  int64_t sample_every, sample_start; /* samples after steps sample_start + k sample_every; sample_start -1: none taken yet */
  dem_energy_fn sample;
  void *sample_user;
  int64_t progress_every;
  dem_progress_fn progress;
  void *progress_user;
  dem_before_step_fn before_step;
  void *before_step_user;
} demi_hooks;

/* Change of the stored energies by the host, which the ledger books when the new energies are known. */
typedef struct demi_host_change {
  int32_t pending;  /* 1: the host has changed something that may store energy */
  double stored[2]; /* energy stored before the first such change [J]: particle-particle (with bonds), particle-wall */
} demi_host_change;

/* The step under way. */
typedef struct demi_step_under_way {
  double length;                      /* its time step [s]; 0: between steps */
  unsigned long long refusals_before; /* refusals counted when it began */
} demi_step_under_way;

/* Wall-clock time spent so far [s]. */
typedef struct demi_seconds_spent {
  double search, pass, ledger;
} demi_seconds_spent;

struct dem_system {
  /* ---- context and messages; a checkpoint does not hold them ---- */
  dem_context *context;
  demi_message message;
  int32_t poisoned; /* a negative status once it has failed; such a system is never written */

  /* ---- set-up: what the host has chosen; a checkpoint holds it (laws and integrator by name and parameters) ---- */
  dem_system_options options;
  demi_box box;
  int32_t material_count;
  dem_material material[DEMI_MAX_MATERIALS];
  const dem_law *law[DEMI_MAX_MATERIALS][DEMI_MAX_MATERIALS]; /* one reference per unordered pair */
  const dem_integrator *integrator;

  /* ---- durable state: changes with every step; a checkpoint holds it ---- */
  double time; /* [s] */
  int64_t steps;
  demi_store store; /* the order of its rows too: sums run in this order */
  demi_walls walls; /* motions that the host has set, and where the walls are */
  demi_bonds bonds;
  demi_ledger ledger;
  demi_shares shares;
  demi_host_change host_change;
  int32_t driven; /* 1: some frozen particle has ever been given a motion */

  /* ---- the interval under one set of forces. A checkpoint that continues to the bit between two steps holds it, with the load
   * rows of the store; otherwise the forces are evaluated anew ---- */
  int32_t forces;
  int32_t loads_clear; /* all load rows are zero */
  int32_t op_count;
  demi_op op[DEMI_MAX_OPS];
  double kicked;           /* time kicked since the evaluation, by passes that have run */
  int32_t half_known;      /* the kicks since the evaluation were all made with the present forces */
  double unbooked;         /* the part of `kicked` [time] that the ledger has not booked for the contacts */
  int64_t evaluation_step; /* the step that the latest evaluation belongs to, and when it ends: for bonds that break */
  double evaluation_time;
  demi_powers powers;  /* at the evaluation */
  double driven_power; /* of the contact forces of the latest evaluation on driven particles */

  /* ---- contacts: a checkpoint holds their histories by the ids of both sides (carry.c), and the energy shares of single
   * contacts after they are handed on; the rest of the table is a cache ---- */
  demi_contacts contacts;

  /* ---- caches: computed from the above when they are needed; a checkpoint does not hold them. Rows are sorted when the list is
   * built: a run continued without its list equals the one that went on only if that one built its list anew there ---- */
  demi_laws laws; /* the different ones of `law`, bound */
  uint8_t interacts[DEMI_MAX_MATERIALS * DEMI_MAX_MATERIALS];
  demi_faces faces; /* of the walls, where these are now */
  double largest_radius, smallest_radius, radius_sum;
  demi_list list;
  int32_t list_expired;   /* 1: particles have moved too far for the list */
  int64_t epoch;          /* counts changes of the rows or of their order */
  int32_t window;         /* see demi_contacts_window */
  int32_t set_up_checked; /* 1: nothing changed since the last check before stepping */
  dem_stepper stepper;
  double *work; /* DEMI_WORK_ENTRIES per block: work of the kicks of the latest pass */
  int64_t work_capacity;

  /* ---- of this process: a checkpoint does not hold it ---- */
  demi_guards guards;
  demi_hooks hooks;
  demi_warning_record warnings;
  demi_step_under_way step;
  demi_seconds_spent seconds;
};

/* A call with a const system may be refused while another thread is refused on the same system. */
#define demi_system_refuse(system, status, ...) \
  _Generic((system), const dem_system *: demi_refuse, dem_system *: demi_refuse_alone)( \
      &((dem_system *)(uintptr_t)(system))->message, (system)->context, (status), __VA_ARGS__)

/* Logs and counts. */
#define demi_system_warning(s, ...) ((s)->warnings.given++, demi_log((s)->context, DEM_LOG_WARNING, __VA_ARGS__))

double demi_seconds(void);

/* Marks the system as unusable. */
dem_status demi_system_poison(dem_system *system, dem_status status);

/* ---- engine.c: evaluation, passes, list ---- */
/* 1: the integrator evaluates in the frame of the half step. */
int demi_system_synchronised(const dem_system *system);
/* Queues an evaluation at the present positions, after what is queued has run. */
dem_status demi_engine_evaluate(dem_system *system, double history_time);
/* Runs a trial evaluation that only adds up stored energies. */
dem_status demi_engine_potentials(dem_system *system);
/* The same with the list as it stands. */
dem_status demi_engine_potentials_listed(dem_system *system);
dem_status demi_engine_flush(dem_system *system, int32_t keep_loads);
void demi_engine_connect_stepper(dem_system *system);
/* Makes the list fit the present positions. */
dem_status demi_engine_search(dem_system *system);
double demi_system_skin(const dem_system *system);
double demi_system_typical_radius(const dem_system *system);
/* Largest gap across which any law set may act on the particles there are. */
double demi_system_range(const dem_system *system);
/* Call before the host changes gravity, its own forces or the fluid: completes the books. After such a change the half-step
 * velocity cannot be computed from the present one any more, unless it is stored. */
void demi_engine_forces_changed(dem_system *system);
/* The host is about to change particles: books are brought up to date, history is set aside. Nothing is changed on failure. */
dem_status demi_engine_before_change(dem_system *system);

/* ---- books.c ---- */
/* Books contact work up to now; afterwards velocities and forces may change. */
void demi_books_now(dem_system *system);
/* After a pass with an evaluation: the interval of the forces before it is closed, a new one begins. */
void demi_books_evaluation(dem_system *system);
/* After any pass: the work of gravity, host and drag in its kicks. */
void demi_books_pass(dem_system *system);
/* Around changes that may alter what is stored: what they bring is booked as the host's. After: before the next step. */
dem_status demi_books_before_change(dem_system *system);
/* A demi_torn_fn. */
void demi_books_torn(void *system, int32_t i, int32_t j, const demi_stored *held);
dem_status demi_books_after_change(dem_system *system);
/* Hands a sample to the host if one is due. */
dem_status demi_books_sample(dem_system *system);

/* ---- shares.c ---- */
dem_status demi_shares_reserve_heat(dem_system *system);
void demi_shares_clear_heat(dem_system *system, dem_id id);
void demi_shares_heat(dem_system *system, int32_t row, int32_t heat_class, double energy);
dem_status demi_shares_enter_law(dem_system *system, const dem_law *law);
void demi_shares_drop_wall(dem_system *system, int32_t index);
/* Hands on what single contacts have gathered. */
void demi_shares_hand_on(dem_system *system);
void demi_shares_torn(dem_system *system, int32_t i, int32_t j, const demi_stored *held);
void demi_shares_free(dem_system *system);

/* ---- bond_check.c ---- */
dem_status demi_bond_check_type(dem_system *system, const dem_bond_type *type);
/* Of the nearest images of two rows. */
double demi_bond_distance(const dem_system *system, int64_t i, int64_t j);
/* All bonds to be added, against each other too. */
dem_status demi_bonds_check(dem_system *system, int64_t count, const dem_bond *bonds);

/* ---- bond_breaks.c ---- */
/* After a pass: takes out the bonds that broke in it. */
void demi_system_break_bonds(dem_system *system);
/* Hands the heat of bonds on to their particles. */
void demi_bonds_hand_on_heat(dem_system *system);

/* ---- blame.c ---- */
enum { DEMI_BLAME_TEXT = 320 };
/* What made a motion infinite: pair, overlap and parts of the law, to be put behind a message; "" when no contact did. */
const char *demi_system_blame(const dem_system *system, char text[DEMI_BLAME_TEXT]);

/* ---- places.c ---- */
enum { DEMI_PLACE_TEXT = 192 };
/* Largest |coordinate|. */
double demi_place_limit(double smallest_radius);
/* What is wrong with a position along an axis and its image, in `text`; NULL when nothing is. */
const char *demi_place_flaw(const demi_box *box, double limit, int axis, double x, int32_t image, char text[DEMI_PLACE_TEXT]);
/* Refuses the first particle that is too far away for a list. */
dem_status demi_system_check_places(const dem_system *system);

/* ---- ready.c ---- */
/* Checks that everything stepping needs is set. */
dem_status demi_system_ready(dem_system *system);
/* Survey while steps run: due when s->steps has come to s->warnings.next_survey. */
void demi_warnings_survey(dem_system *system);
/* Whether all pairs of materials that may meet have a law, and whether box and skin fit; silent. */
int demi_system_complete(const dem_system *system);
int demi_system_fits(const dem_system *system);
/* Stability limit of velocity-Verlet for a bond alone. */
double demi_bond_stable_dt(const dem_system *system, const demi_bond *bond);
/* Shortest contact time of the pairs that may meet; infinite when no law tells. */
double demi_system_possible_time(const dem_system *system);
/* The host has changed laws, integrator, dt or gravity: what was warned of may be said again. */
void demi_warnings_forget(dem_system *system);

/* ---- driven.c ---- */
/* After an evaluation: the power of its forces on frozen particles that move. */
void demi_driven_measure(dem_system *system);
/* Books the work of what drives them over `duration` of kicks under the forces measured. */
void demi_driven_book(dem_system *system, double duration);

/* ---- kinetic.c ---- */
void demi_system_kinetic(const dem_system *system, double *linear, double *angular);
demi_kinetic demi_kinetic_of(const dem_system *system, int64_t row);
demi_kinetic_sums demi_kinetic_all(const dem_system *system);
/* Kinetic energy that the host's change of a row brought: call with what the row had before. */
void demi_kinetic_book(dem_system *system, int64_t row, demi_kinetic before);
/* Of a row that has come, of one that is about to go. */
void demi_kinetic_bring(dem_system *system, int64_t row);
void demi_kinetic_take(dem_system *system, int64_t row);
/* The same where any row may have changed. */
void demi_kinetic_book_all(dem_system *system, const demi_kinetic_sums *before);

#endif
