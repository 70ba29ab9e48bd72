/* Trials: opening, evaluating, closing.
 *
 * An evaluation at u puts the rows of the replica to x + alpha u with velocities v, lets histories advance by a time t, and asks for
 * forces without keeping anything:
 *
 *   step h > 0   v = u/h,  t = alpha h (h where alpha = 0)
 *   statics      v = u/T,  t = T alpha, with T = 2^200: springs follow the displacement v t = alpha u exactly, as T is a power of two, and
 *                the force c v of a dashpot is below the last bit of any other force */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "compensated.h"
#include "engine.h"
#include "intake.h"
#include "limits.h"
#include "parallel.h"
#include "potential.h"
#include "ready.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_trial_options, reach)

/* T of statics [time]. Velocities u/T stay above the smallest double, 2^-1022, for u down to 2^-800. */
#define STATIC_TIME 0x1p200

enum { KNOWN_ASKS = DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT };

/* ---- options ---- */

static const dem_trial_options default_options = {.rotations = 1, .alpha = 1.0};

dem_status demi_trial_options_defaults(dem_trial_options *options, uint32_t struct_size) {
  return demi_init(options, struct_size, &default_options, sizeof default_options, OPTIONS_V1);
}

static dem_status check_options(dem_system *s, const dem_trial_options *o) {
  if (o->rotations != 0 && o->rotations != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: rotations is %d, allowed 0 or 1", o->rotations);
  if (!(demi_bounded(o->dt) && (o->dt == 0 || demi_bounded_above_zero(o->dt))))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: dt is %g, must be 0 (statics) or %g to %g", o->dt, 1 / DEMI_LARGEST,
                              DEMI_LARGEST);
  if (!(isfinite(o->alpha) && o->alpha >= 0 && o->alpha <= 1))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: alpha is %g, allowed 0 to 1", o->alpha);
  if (o->alpha == 0 && o->dt == 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: alpha is 0 in statics (dt 0), where nothing would move");
  if (o->box != 0 && o->box != 1) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: box is %d, allowed 0 or 1", o->box);
  if (o->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "trial: reserved_zero is %d, must be 0", o->reserved_zero);
  for (int a = 0; a < s->options.dimension && o->box; a++)
    if (!s->box.periodic[a]) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: box is 1, and axis %d is not periodic", a);
  if (!(isfinite(o->reach) && o->reach >= 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: reach is %g, must be finite and >= 0", o->reach);
  return DEM_OK;
}

/* ---- opening ---- */

static void set_scales(dem_trial *t) {
  const dem_trial_options *o = &t->options;
  const double step = o->dt > 0 ? o->dt : STATIC_TIME;
  t->dimension = t->system->options.dimension;
  t->width = t->dimension + (o->rotations ? (t->dimension == 2 ? 1 : 3) : 0);
  t->wall_width = t->dimension == 2 ? 3 : 6;
  t->box_width = o->box ? t->wall_width : 0;
  t->rate = 1.0 / step;
  t->time = o->alpha > 0 ? o->alpha * step : step;
}

/* Velocities of a lean evaluation, which sets none: in statics nothing moves. */
static void stop_rows(dem_trial *t) {
  double *velocity = t->replica.store.columns.velocity;
  for (int64_t row = 0; row < t->particles; row++)
    for (int a = 0; a < 3; a++) velocity[8 * row + a] = velocity[8 * row + 4 + a] = 0;
}

/* The replica begins anew from the present state of the system. */
static dem_status copy_system(dem_trial *t) {
  if (t->copied) return DEM_OK;
  static const double strained[DEMI_RATES] = {0};
  const dem_status status = demi_replica_open(&t->replica, t->system, t->options.reach);
  if (t->box_width > 0) t->replica.search.rate = strained; /* images move */
  t->copied = !status;
  t->lean_sums.picks = -1;
  if (!status && t->options.dt == 0) stop_rows(t);
  return status;
}

static dem_status out_of_memory(const dem_trial *t) {
  return demi_system_refuse(t->system, DEM_NO_MEMORY, "trial of %lld particles: out of memory, or more than 2^31 pairs",
                            (long long)t->particles);
}

static dem_status fill(dem_trial *t) {
  set_scales(t);
  dem_status status = demi_trial_lay_rows(t);
  if (!status) status = copy_system(t);
  return status ? out_of_memory(t) : DEM_OK;
}

static void enlist(dem_trial *t) {
  demi_guards *g = &t->system->guards;
  t->older = g->first_trial;
  if (t->older) t->older->younger = t;
  g->first_trial = t;
  g->trials++;
}

static void strike_off(dem_trial *t) {
  demi_guards *g = &t->system->guards;
  if (t->older) t->older->younger = t->younger;
  if (t->younger)
    t->younger->older = t->older;
  else
    g->first_trial = t->older;
  g->trials--;
}

dem_status demi_trial_open(dem_system *s, const dem_trial_options *given, dem_trial **trial) {
  dem_trial_options o = default_options;
  dem_status status = given ? demi_intake(&o, sizeof o, given, OPTIONS_V1) : DEM_OK;
  if (status)
    return demi_system_refuse(s, status, "trial options: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, given, sizeof o, OPTIONS_V1));
  if ((status = check_options(s, &o)) != DEM_OK) return status;
  if ((status = demi_system_ready(s)) != DEM_OK || (status = demi_trial_check_reach(s, &s->box, o.reach)) != DEM_OK)
    return status;
  if ((status = demi_engine_flush(s, 1)) != DEM_OK) return status;
  dem_trial *t = demi_allocate_zero(s->context, sizeof *t);
  if (!t) return demi_system_refuse(s, DEM_NO_MEMORY, "trial: out of memory");
  t->system = s;
  t->options = o;
  enlist(t);
  if ((status = fill(t)) != DEM_OK) {
    demi_trial_close(t);
    return status;
  }
  *trial = t;
  return DEM_OK;
}

void demi_trial_drop_replica(dem_trial *t) {
  if (t->copied) demi_replica_close(&t->replica);
  t->copied = t->evaluated = t->has_tangents = 0;
}

void demi_trial_close(dem_trial *t) {
  if (!t) return;
  dem_context *context = t->system->context;
  strike_off(t);
  if (t->copied) demi_replica_close(&t->replica);
  demi_tangents_free(&t->tangent);
  demi_lean_free(&t->lean_sums);
  demi_trial_free_rows(t);
  demi_free(context, t, sizeof *t);
}

/* ---- the state at u ---- */

static dem_status refuse_number(const dem_trial *t, const double *u) {
  int64_t k = 0;
  while (demi_bounded(u[k])) k++;
  return demi_system_refuse(t->system, DEM_BAD_ARGUMENT, "trial: u[%lld] is %g, must be finite, -%g to %g", (long long)k, u[k],
                            DEMI_LARGEST, DEMI_LARGEST);
}

static dem_status check_numbers(const dem_trial *t, const double *u) {
  return DEMI_SELECT(t->system->context, demi_are_bounded)(u, t->unknowns) ? DEM_OK : refuse_number(t, u);
}

typedef struct place_task {
  dem_trial *trial;
  const double *u;
  demi_place_kernel *kernel;
} place_task;

static void place_chunk(void *argument, int32_t chunk) {
  const place_task *task = argument;
  const demi_chunks *chunks = &task->trial->replica.list.chunks;
  for (int32_t b = chunks->block[chunk]; b < chunks->block[chunk + 1]; b++) task->kernel(task->trial, task->u, b);
}

static void place_walls(dem_trial *t, const double *u) {
  const double *v = u + t->particles * t->width;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width) {
    demi_wall wall = t->wall[w];
    const double move[3] = {v[0], v[1], t->dimension == 3 ? v[2] : 0}, two[3] = {0, 0, v[2]};
    const double *turn = t->dimension == 3 ? v + 3 : two;
    double turned[3];
    for (int a = 0; a < 3; a++) {
      wall.position[a] += t->options.alpha * move[a];
      wall.velocity[a] = t->rate * move[a];
      wall.spin[a] = t->rate * turn[a];
      turned[a] = t->options.alpha * turn[a];
    }
    demi_wall_rotate(&wall, turned);
    demi_wall_place(&t->replica.faces, &wall);
  }
}

/* A new replica has no list yet, which is what tells rows apart: it is built at u = 0, so that its pairs do not depend on u. */
static dem_status first_list(dem_trial *t) {
  int32_t sorted = 0;
  int64_t lost = -1;
  if (t->replica.list.valid || t->particles == 0) return DEM_OK;
  const dem_status status = demi_replica_cover(&t->replica, &sorted, &lost);
  if (status) return out_of_memory(t);
  demi_trial_match_rows(t);
  return DEM_OK;
}

static dem_status refuse_lost(dem_trial *t, int64_t row) {
  const double *x = t->replica.store.columns.position + 4 * row;
  return demi_system_refuse(t->system, DEM_BAD_ARGUMENT, "trial: u moves particle %llu to (%g, %g, %g), allowed up to %g",
                            (unsigned long long)t->replica.store.columns.id[row], x[0], x[1], x[2], t->replica.search.furthest);
}

static dem_status place_all(dem_trial *t, const double *u) {
  int32_t sorted = 0;
  int64_t lost = -1;
  dem_status status = first_list(t);
  if (status) return status;
  if ((status = demi_trial_strain_box(t, u)) != DEM_OK) return status;
  if (t->box_width > 0) memcpy(t->total, u, (size_t)t->unknowns * sizeof *u);
  demi_trial_add_strain(t, u, t->total);
  const place_task task = {t, t->box_width > 0 ? t->total : u, DEMI_SELECT(t->system->context, demi_place_block)};
  place_walls(t, u);
  if (t->particles == 0) return DEM_OK;
  demi_parallel(t->system->context, t->replica.list.chunks.count, place_chunk, (void *)(uintptr_t)&task);
  status = demi_replica_cover(&t->replica, &sorted, &lost);
  if (status) return lost >= 0 ? refuse_lost(t, lost) : out_of_memory(t);
  if (sorted) demi_trial_match_rows(t);
  demi_trial_move_images(t, u);
  return DEM_OK;
}

/* ---- results ---- */

static void write_row(const dem_trial *t, const double *force, const double *moment, double *out) {
  for (int a = 0; a < t->dimension; a++) out[a] = -force[a];
  if (!t->options.rotations) return;
  if (t->dimension == 2)
    out[2] = -moment[2];
  else
    for (int a = 0; a < 3; a++) out[3 + a] = -moment[a];
}

static void write_particles(const dem_trial *t, double *gradient) {
  for (int64_t row = 0; row < t->particles; row++) {
    const double *load = t->replica.store.columns.load + 8 * row;
    write_row(t, load, load + 4, gradient + (int64_t)t->of_row[row] * t->width);
  }
}

/* The moment that works along changes of a rotation vector r: with R(r + dr) = R(J dr) R(r),
 * J = 1 + (1 - cos r)/r^2 [r x] + (r - sin r)/r^3 [r x]^2, and M . (J dr) = (J^T M) . dr. */
static void along_rotation(const double r[3], double moment[3]) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = sqrt(square);
  const double a = angle > 1e-4 ? (1.0 - cos(angle)) / square : 0.5 - square / 24.0;
  const double b = angle > 1e-2 ? (angle - sin(angle)) / (square * angle) : 1.0 / 6.0 - square / 120.0;
  double once[3], twice[3];
  for (int k = 0; k < 3; k++) once[k] = r[(k + 1) % 3] * moment[(k + 2) % 3] - r[(k + 2) % 3] * moment[(k + 1) % 3];
  for (int k = 0; k < 3; k++) twice[k] = r[(k + 1) % 3] * once[(k + 2) % 3] - r[(k + 2) % 3] * once[(k + 1) % 3];
  for (int k = 0; k < 3; k++) moment[k] += b * twice[k] - a * once[k];
}

/* Loads on the walls, in the order of the contacts. */
static void write_walls(const dem_trial *t, const demi_loads *loads, double *gradient) {
  const double alpha = t->options.alpha;
  for (int32_t w = 0; w < t->walls; w++) {
    const int64_t first = t->particles * t->width + (int64_t)w * t->wall_width;
    const double *v = t->u + first;
    double force[3], moment[3], *out = gradient + first;
    demi_wall_load sum;
    memset(&sum, 0, sizeof sum);
    if (t->particles > 0) demi_walls_add_loads(loads, &t->replica.list, w, &sum);
    for (int a = 0; a < 3; a++) {
      force[a] = demi_sum_get(&sum.component[a]);
      moment[a] = demi_sum_get(&sum.component[3 + a]);
    }
    if (t->dimension == 3) along_rotation((double[3]){alpha * v[3], alpha * v[4], alpha * v[5]}, moment);
    for (int a = 0; a < t->dimension; a++) out[a] = -force[a];
    for (int a = 0; a < 3 && t->dimension == 3; a++) out[3 + a] = -moment[a];
    if (t->dimension == 2) out[2] = -moment[2];
  }
}

void demi_trial_write_loads(const dem_trial *t, const demi_loads *loads, double *gradient) {
  write_particles(t, gradient);
  write_walls(t, loads, gradient);
}

/* Force of gravity and the host on a wall. */
static double wall_pull(const dem_trial *t, int32_t w, int axis) {
  const dem_wall *given = &t->wall[w].given;
  return given->motion == DEM_WALL_FREE ? given->force[axis] + given->mass * t->system->options.gravity[axis] : 0;
}

static void add_wall_pulls(const dem_trial *t, double *gradient) {
  for (int32_t w = 0; w < t->walls; w++)
    for (int a = 0; a < t->dimension; a++)
      gradient[t->particles * t->width + (int64_t)w * t->wall_width + a] -= wall_pull(t, w, a);
}

static void add_pulls(const dem_trial *t, double *gradient) {
  for (int64_t row = 0; row < t->particles && demi_trial_is_pulled(t); row++) {
    double force[3], moment[3], *out = gradient + (int64_t)t->of_row[row] * t->width;
    demi_trial_find_pull(t, row, force, moment);
    for (int a = 0; a < t->dimension; a++) out[a] -= force[a];
    if (t->options.rotations && t->dimension == 2) out[2] -= moment[2];
    for (int a = 0; a < 3 && t->options.rotations && t->dimension == 3; a++) out[3 + a] -= moment[a];
  }
  add_wall_pulls(t, gradient);
}

/* Of gravity and the host: -(F . alpha u + M . alpha u_rotation). */
static double linear_energy(const dem_trial *t, const double *u) {
  demi_sum sum = {0, 0};
  for (int64_t row = 0; row < t->particles && demi_trial_is_pulled(t); row++) {
    const double *v = u + (int64_t)t->of_row[row] * t->width;
    double force[3], moment[3], work = 0;
    demi_trial_find_pull(t, row, force, moment);
    for (int a = 0; a < t->dimension; a++) work += force[a] * v[a];
    if (t->options.rotations && t->dimension == 2) work += moment[2] * v[2];
    for (int a = 0; a < 3 && t->options.rotations && t->dimension == 3; a++) work += moment[a] * v[3 + a];
    demi_sum_add(&sum, -t->options.alpha * work);
  }
  const double *v = u + t->particles * t->width;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width)
    for (int a = 0; a < t->dimension; a++) demi_sum_add(&sum, -t->options.alpha * v[a] * wall_pull(t, w, a));
  return demi_sum_get(&sum);
}

static double stored_energy(const dem_trial *t) {
  if (t->particles == 0) return 0;
  const demi_replica *r = &t->replica;
  if (t->lean) return demi_lean_energy(&r->contacts, &r->list);
  const demi_totals totals = demi_contacts_totals(r->contacts.sums, &r->list, DEMI_SECTIONS, r->contacts.loads.rolls);
  double energy = 0;
  for (int32_t section = 0; section < DEMI_SECTIONS; section++)
    for (int32_t mode = 0; mode < DEMI_MODES; mode++) energy += totals.of[section][DEMI_MODE_ENTRY(mode, DEMI_OF_ENERGY)];
  return energy;
}

/* ---- evaluating ---- */

/* Of all laws that are set, the first whose forces are not the gradient of an energy is named. */
static dem_status check_potential(const dem_trial *t) {
  const demi_laws *laws = &t->system->laws;
  char text[DEMI_POTENTIAL_TEXT];
  for (int32_t k = 0; k < laws->count; k++)
    if (demi_bound_potential(laws->entry[k].bound, text) == DEMI_POTENTIAL_NONE)
      return demi_system_refuse(t->system, DEM_UNSUPPORTED, "trial: no energy: %s", text);
  return DEM_OK;
}

static dem_status check_asks(const dem_trial *t, int32_t ask, const double *energy, const double *gradient) {
  dem_system *s = t->system;
  if (ask & ~KNOWN_ASKS || ask == 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: ask is %d, allowed DEM_TRIAL_ENERGY, _FORCE, _TANGENT or-ed", ask);
  if ((ask & DEM_TRIAL_ENERGY) && !energy)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: energy is asked for and NULL");
  if ((ask & DEM_TRIAL_FORCE) && !gradient)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: gradient is asked for and NULL");
  return ask & DEM_TRIAL_ENERGY ? check_potential(t) : DEM_OK;
}

static dem_status reserve_tangents(dem_trial *t) {
  const demi_contacts *c = &t->replica.contacts;
  t->tangent.context = t->system->context;
  return demi_tangents_reserve(&t->tangent, c->load_capacity, c->load_capacity - c->loads.moment_base, t->replica.bonds.count);
}

/* Places everything at u. On failure the latest evaluation still counts; its tangents do not where the list may be new, or the box. */
static dem_status go_to(dem_trial *t, const double *given, int32_t ask) {
  double *const before = t->u;
  if (given)
    memcpy(t->tried, given, (size_t)t->unknowns * sizeof *t->tried);
  else
    memset(t->tried, 0, (size_t)t->unknowns * sizeof *t->tried);
  t->lean = demi_trial_is_lean(t, ask);
  dem_status status = place_all(t, t->tried);
  if (!status && (ask & DEM_TRIAL_TANGENT) && reserve_tangents(t) != DEM_OK) status = out_of_memory(t);
  if (!status && t->lean && demi_trial_reserve_lean(t) != DEM_OK) status = out_of_memory(t);
  t->astray = status != DEM_OK;
  if (status == DEM_NO_MEMORY || (status && t->box_width > 0)) t->has_tangents = 0;
  if (status) return status;
  t->u = t->tried;
  t->tried = before;
  return DEM_OK;
}

static demi_evaluation evaluation_of(dem_trial *t, int32_t ask) {
  demi_evaluation e = demi_engine_evaluation(t->system, t->time);
  demi_replica *r = &t->replica;
  e.store = &r->store;
  e.list = &r->list;
  e.contacts = &r->contacts;
  e.bonds = &r->bonds;
  e.box = &r->box;
  e.tangents = &t->tangent;
  e.half = 0;
  e.commit = 0;
  e.ask = DEMI_COMPUTE_FORCE | (ask & DEM_TRIAL_ENERGY ? DEMI_COMPUTE_ENERGY : 0) |
          (ask & DEM_TRIAL_TANGENT ? DEMI_COMPUTE_TANGENT : 0) | (t->options.dt > 0 ? 0 : DEMI_COMPUTE_STATIC);
  return e;
}

/* Contacts, bonds and gradient in the general way. */
static void run_general(dem_trial *t, int32_t ask, double *gradient) {
  const demi_evaluation e = evaluation_of(t, ask);
  if (t->particles > 0) demi_contacts_evaluate(&e);
  if (!(ask & DEM_TRIAL_FORCE)) return;
  if (t->particles > 0) demi_replica_sum(&t->replica, &t->replica.contacts.loads);
  demi_trial_write_loads(t, &t->replica.contacts.loads, gradient);
  add_pulls(t, gradient);
  demi_trial_write_strain(t, &t->replica.contacts.loads, gradient);
}

/* The same without anything that laws without friction do not need. */
static void run_lean(dem_trial *t, int32_t ask, double *gradient) {
  const int forces = (ask & DEM_TRIAL_FORCE) != 0;
  demi_evaluation e = evaluation_of(t, ask);
  if (!forces) e.ask &= ~DEMI_COMPUTE_FORCE;
  demi_trial_run_lean(t, &e, forces ? gradient : NULL);
  if (!forces) return;
  write_walls(t, &t->replica.contacts.loads, gradient);
  add_wall_pulls(t, gradient);
}

dem_status demi_trial_keep_evaluation(dem_trial *t) {
  const dem_status status = t->astray ? place_all(t, t->u) : DEM_OK;
  if (status) return status;
  demi_evaluation e = evaluation_of(t, 0);
  e.commit = 1;
  demi_contacts_evaluate(&e);
  return DEM_OK;
}

dem_status demi_trial_evaluate(dem_trial *t, const double *given, int32_t ask, double *energy, double *gradient) {
  dem_status status = check_asks(t, ask, energy, gradient);
  if (!status && given) status = check_numbers(t, given);
  if (!status && copy_system(t) != DEM_OK) status = out_of_memory(t);
  if (!status) status = go_to(t, given, ask);
  if (status) return status;
  if (t->lean)
    run_lean(t, ask, gradient);
  else
    run_general(t, ask, gradient);
  if (ask & DEM_TRIAL_ENERGY) *energy = stored_energy(t) + linear_energy(t, demi_trial_total(t));
  t->evaluated = 1;
  t->has_tangents = (ask & DEM_TRIAL_TANGENT) != 0;
  return DEM_OK;
}
