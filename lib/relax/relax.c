/* An objective over a trial of a system; see relax.h. */
#include "relax.h"

#include <math.h>
#include <string.h>

#include "lengths.h"
#include "minimiser.h"
#include "potential.h"
#include "ready.h"

/* ---- checks ---- */

/* Of all laws that are set, the first whose forces are not the gradient of an energy is named. */
static dem_status check_laws(dem_system *s) {
  char text[DEMI_POTENTIAL_TEXT];
  for (int32_t k = 0; k < s->laws.count; k++)
    if (demi_bound_potential(s->laws.entry[k].bound, text) == DEMI_POTENTIAL_NONE)
      return demi_system_refuse(s, DEM_UNSUPPORTED, "relax: no energy: %s", text);
  return DEM_OK;
}

static int is_turning(const demi_bound *b) { return b->evaluate[DEMI_TANGENTIAL] || b->rolls; }

static int finds_rotations(const dem_system *s) {
  for (int32_t k = 0; k < s->laws.count; k++)
    if (is_turning(s->laws.entry[k].bound)) return 1;
  return s->bonds.count > s->bonds.dead;
}

/* ---- opening ---- */

/* Far enough that lists last through the rearrangements of a relaxation: 10,000 discs and spheres are as fast with 0.5 to 1.1. Half of
 * what the box allows at most, as it may shrink. */
static double usual_reach(const dem_system *s) {
  const double reach = fmin(0.7 * demi_system_typical_radius(s), 0.5 * demi_trial_most_reach(s, &s->box));
  return fmax(reach, 0);
}

static dem_status open_trial(demi_relax *r) {
  dem_system *s = r->system;
  const dem_relax_options *o = &r->options;
  dem_trial_options t;
  dem_status status = demi_trial_options_defaults(&t, sizeof t);
  /* binds the laws */
  if (!status) status = demi_system_ready(s);
  if (status) return status;
  t.rotations = o->rotations < 0 ? finds_rotations(s) : o->rotations;
  t.box = demi_relax_has_box(o);
  t.reach = o->reach != 0 ? o->reach : usual_reach(s);
  t.friction = DEM_TRIAL_FRICTION_LAGGED;
  if ((status = check_laws(s)) != DEM_OK) return status;
  status = demi_trial_open(s, &t, &r->trial);
  if (!status) r->trial->strain_held = !demi_relax_has_free_box(o);
  return status;
}

static int has_frozen(const dem_trial *t) {
  for (int64_t k = 0; k < t->particles; k++)
    if (t->frozen[k]) return 1;
  return 0;
}

static double mean_pressure(const dem_relax_options *o) {
  double sum = 0;
  int count = 0;
  for (int k = DEM_BOX_XX; k <= DEM_BOX_ZZ; k++)
    if (o->box_free[k]) sum += o->stress[k], count++;
  return count ? sum / count : 0;
}

static void measure_sizes(demi_relax *r) {
  const dem_trial *t = r->trial;
  const demi_box *box = &t->start_box;
  r->unknowns = t->unknowns;
  r->wall_first = t->particles * t->width;
  r->box_first = r->wall_first + (int64_t)t->walls * t->wall_width;
  r->pressure = mean_pressure(&r->options);
  if (t->box_width > 0)
    r->length = t->dimension == 2 ? sqrt(demi_box_length(box, 0) * demi_box_length(box, 1)) : cbrt(demi_box_volume(box));
  r->mapped = t->width != t->dimension || t->walls > 0 || t->box_width > 0 || has_frozen(t);
}

static size_t targets_of(const demi_relax *r) { return (size_t)(r->trial->walls + 1) * sizeof *r->target; }
static size_t bytes_of(const demi_relax *r) { return (size_t)r->unknowns * sizeof(double); }

static dem_status refuse_memory(const demi_relax *r) {
  return demi_system_refuse(r->system, DEM_NO_MEMORY, "relax: out of memory for %lld unknowns", (long long)r->unknowns);
}

static dem_status fill(demi_relax *r) {
  dem_context *context = r->system->context;
  dem_status status = open_trial(r);
  if (status) return status;
  measure_sizes(r);
  if (r->unknowns == 0) return demi_system_refuse(r->system, DEM_INCOMPLETE, "relax: there is nothing that could move");
  r->target = demi_allocate_zero(context, targets_of(r));
  if (r->mapped) {
    r->scale = demi_allocate_zero(context, bytes_of(r));
    r->u = demi_allocate_zero(context, bytes_of(r));
  }
  if (!r->target || (r->mapped && (!r->scale || !r->u))) return refuse_memory(r);
  if (!demi_relax_fill_scale(r))
    return demi_system_refuse(r->system, DEM_INCOMPLETE,
                              "relax: nothing can move: all %lld particles are frozen and no wall or box is free",
                              (long long)r->trial->particles);
  return demi_relax_renew(r, NULL);
}

dem_status demi_relax_open(dem_system *s, const dem_relax_options *given, demi_relax **relax) {
  dem_relax_options o;
  dem_status status = demi_relax_take_options(s, given, &o);
  if (status) return status;
  demi_relax *r = demi_allocate_zero(s->context, sizeof *r);
  if (!r) return demi_system_refuse(s, DEM_NO_MEMORY, "relax: out of memory");
  r->system = s;
  r->options = o;
  if ((status = fill(r)) != DEM_OK) {
    demi_relax_close(r);
    return status;
  }
  *relax = r;
  return DEM_OK;
}

void demi_relax_close(demi_relax *r) {
  dem_context *context = r->system->context;
  if (r->target) demi_free(context, r->target, targets_of(r));
  if (r->scale) demi_free(context, r->scale, bytes_of(r));
  if (r->u) demi_free(context, r->u, bytes_of(r));
  if (r->tangent_u) demi_free(context, r->tangent_u, bytes_of(r));
  demi_trial_close(r->trial);
  demi_free(context, r, sizeof *r);
}

dem_status demi_relax_minimiser(demi_relax *r, const dem_objective_table *functions, const double *start,
                                const dem_minimise_options *given, dem_minimiser **m) {
  dem_system *s = r->system;
  dem_objective_table table = *functions;
  dem_minimise_options o;
  dem_status status = demi_relax_take_method(s, given, &o);
  if (status) return status;
  table.struct_size = (uint32_t)sizeof table;
  table.contract = DEM_OBJECTIVE_CONTRACT;
  table.name = "energy of a system";
  table.unknowns = r->unknowns;
  table.longest_step = r->options.longest_step * s->smallest_radius;
  status = demi_minimiser_create(s->context, &table, r, start, &o, m);
  return status ? demi_system_refuse(s, status, "%s", demi_message_text(&s->context->message)) : DEM_OK;
}

/* ---- the functions of an objective ---- */

static dem_status refuse_accepted(const demi_relax *r) {
  return demi_system_refuse(r->system, DEM_BUSY, "relax: the system was moved to this minimum: create a new minimiser");
}

/* The tangents of a trial are lost in its next evaluation without them; so it is noted where they were asked for. */
static dem_status note_tangents(demi_relax *r, const double *u) {
  if (!r->tangent_u) r->tangent_u = demi_allocate(r->system->context, bytes_of(r));
  if (!r->tangent_u) return refuse_memory(r);
  memcpy(r->tangent_u, u, bytes_of(r));
  r->tangents = 1;
  return DEM_OK;
}

static dem_status find_tangents(demi_relax *r) {
  if (r->accepted) return refuse_accepted(r);
  if (!r->tangent_u)
    return demi_system_refuse(r->system, DEM_INCOMPLETE, "relax: no evaluation with DEM_OBJECTIVE_TANGENT came before");
  if (r->tangents) return DEM_OK;
  double *unused = demi_allocate(r->system->context, bytes_of(r));
  if (!unused) return refuse_memory(r);
  const dem_status status = demi_trial_evaluate(r->trial, r->tangent_u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, unused);
  demi_free(r->system->context, unused, bytes_of(r));
  r->tangents = status == DEM_OK;
  return status;
}

dem_status demi_relax_evaluate(demi_relax *r, const double *x, int32_t ask, double *value, double *gradient) {
  if (r->accepted) return refuse_accepted(r);
  const double *u = demi_relax_spread(r, x, 1);
  double energy = 0;
  r->tangents = 0;
  dem_status status = demi_trial_evaluate(r->trial, u, ask, ask & DEM_OBJECTIVE_VALUE ? &energy : NULL, gradient);
  if (!status && ask & DEM_OBJECTIVE_TANGENT) status = note_tangents(r, u);
  if (status) return status;
  if (r->mapped) {
    energy += demi_relax_box_energy(r, u, gradient) + demi_relax_wall_energy(r, u, gradient);
    if (gradient) demi_relax_collect(r, gradient);
  }
  if (ask & DEM_OBJECTIVE_VALUE) *value = energy;
  return DEM_OK;
}

dem_status demi_relax_apply(demi_relax *r, const double *p, double *product) {
  dem_status status = find_tangents(r);
  if (status) return status;
  const double *q = demi_relax_spread(r, p, 0);
  status = demi_trial_apply(r->trial, q, product);
  if (status || !r->mapped) return status;
  demi_relax_box_product(r, q, product);
  demi_relax_collect(r, product);
  return DEM_OK;
}

dem_status demi_relax_visit(demi_relax *r, dem_trial_block_fn visit, void *visitor) {
  const dem_status status = find_tangents(r);
  return status ? status : demi_relax_blocks(r, visit, visitor);
}

static double pressure_of(const demi_relax *r, double virial) {
  const demi_box *box = &r->trial->replica.box;
  const int32_t d = r->trial->dimension;
  for (int a = 0; a < d; a++)
    if (!box->periodic[a]) return 0;
  return virial / (d * (d == 2 ? demi_box_length(box, 0) * demi_box_length(box, 1) : demi_box_volume(box)));
}

/* Products may have taken the trial elsewhere since. */
static dem_status go_to(demi_relax *r, const double *x) {
  const double *u = demi_relax_spread(r, x, 1);
  if (r->trial->evaluated && !r->trial->astray && memcmp(u, r->trial->u, bytes_of(r)) == 0) return DEM_OK;
  double energy;
  r->tangents = 0;
  return demi_trial_evaluate(r->trial, u, DEM_TRIAL_ENERGY, &energy, NULL);
}

dem_status demi_relax_measure(demi_relax *r, const double *x, const double *gradient, dem_objective_measure *m) {
  demi_trial_network n;
  if (r->accepted) return refuse_accepted(r);
  dem_status status = go_to(r, x);
  if (!status) status = demi_trial_find_loads(r->trial);
  if (status) return status;
  demi_trial_measure(r->trial, &n);
  memcpy(&m->network, &n.pairs, sizeof m->network);
  m->contacts = (double)n.contacts;
  m->force_mean = n.contacts > 0 ? n.force / (double)n.contacts : 0;
  m->force_largest = demi_relax_largest(r, gradient);
  m->pressure = pressure_of(r, n.virial);
  return DEM_OK;
}

dem_status demi_relax_accept(demi_relax *r, const double *x) {
  if (r->accepted) return refuse_accepted(r);
  double *unused = demi_allocate(r->system->context, bytes_of(r));
  if (!unused) return refuse_memory(r);
  dem_status status = demi_trial_evaluate(r->trial, demi_relax_spread(r, x, 1), DEM_TRIAL_FORCE, NULL, unused);
  demi_free(r->system->context, unused, bytes_of(r));
  if (!status) status = demi_trial_settle(r->trial);
  r->accepted = status == DEM_OK;
  return status;
}

/* ---- loads that depend on the state ---- */

int demi_relax_follows(const demi_relax *r) {
  int any = demi_relax_box_follows(r) || demi_trial_lags(r->trial);
  for (int32_t w = 0; w < r->trial->walls; w++) any |= r->trial->wall[w].given.area_walls > 0;
  return any;
}

/* room: twice the unknowns, zeros first. At the start (x NULL) the trial has caps of its own. */
static dem_status renew(demi_relax *r, const double *x, double *room) {
  double *own = room + r->unknowns;
  const int lags = x && demi_trial_lags(r->trial);
  const double *u = demi_relax_spread(r, x ? x : room, 1);
  dem_status status = DEM_OK;
  if (demi_relax_has_free_box(&r->options)) {
    r->tangents = 0;
    status = demi_trial_evaluate(r->trial, u, DEM_TRIAL_FORCE, NULL, own);
  } else if (lags) {
    status = go_to(r, x);
  }
  if (!status && r->mapped) {
    demi_relax_renew_box(r, u, own);
    demi_relax_renew_walls(r, u);
  }
  if (status || !lags) return status;
  r->tangents = 0;
  return demi_trial_lag(r->trial);
}

dem_status demi_relax_renew(demi_relax *r, const double *x) {
  double *room = demi_allocate_zero(r->system->context, 2 * bytes_of(r));
  if (!room) return refuse_memory(r);
  const dem_status status = renew(r, x, room);
  demi_free(r->system->context, room, 2 * bytes_of(r));
  return status;
}
