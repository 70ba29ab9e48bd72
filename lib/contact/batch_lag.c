/* Lagged friction of a batch (lags.h): forces and frames that limit it are kept, or taken from rows. `half` is the frame in which
 * contacts slide, which nothing else uses in a trial. */
#include "batch_kernels.h"
#include "quotient.h"
#include "variant.h"

/* An opened contact has no overlap; its tangential part may take the root of one. */
#define NO_OVERLAP 0x1p-100

static const double *row_of(const demi_evaluation *e, const demi_candidates *c, int32_t k) {
  return e->lags->rows + (int64_t)DEMI_LAG_ROW * c->pair[k];
}

/* ---- keeping ---- */

void DEMI_VARIANT_NAME(batch_lag_take)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c,
                                       const demi_bound *bound, int walls) {
  const int rubs = bound->evaluate[DEMI_TANGENTIAL] != NULL, turns = bound->rolls;
  for (int32_t k = 0; k < c->count; k++) {
    double *row = e->lags->rows + (int64_t)DEMI_LAG_ROW * c->pair[k];
    row[DEMI_LAG_FORCE] = rubs ? w->lanes.friction_force[k] : 0.0;
    row[DEMI_LAG_TURNING] = turns ? w->lanes.turning_friction_force[k] : 0.0;
    row[DEMI_LAG_LIVE] = row[DEMI_LAG_FORCE] > 0 || row[DEMI_LAG_TURNING] > 0 ? 1.0 : 0.0;
    row[DEMI_LAG_ARMS] = w->now.arm_i[k];
    row[DEMI_LAG_ARMS + 1] = w->now.arm_j[k];
    row[DEMI_LAG_TIME] = w->lanes.history_time[k];
    for (int a = 0; a < 3; a++) row[DEMI_LAG_NORMAL + a] = w->now.normal[a][k];
    for (int a = 0; a < 3; a++) row[DEMI_LAG_LEVER + a] = walls ? w->now.lever[4 * k + a] : 0.0;
  }
}

/* ---- taking from rows ---- */

static void copy_present(demi_workspace *w, int32_t k) {
  demi_frame *f = &w->half;
  for (int a = 0; a < 3; a++) f->normal[a][k] = w->now.normal[a][k];
  for (int a = 0; a < 4; a++) f->lever[4 * k + a] = w->now.lever[4 * k + a];
  f->arm_i[k] = w->now.arm_i[k];
  f->arm_j[k] = w->now.arm_j[k];
  w->lanes.friction_force[k] = w->lanes.turning_friction_force[k] = 0;
}

static void copy_row(demi_workspace *w, const double *row, int32_t k) {
  demi_frame *f = &w->half;
  for (int a = 0; a < 3; a++) f->normal[a][k] = row[DEMI_LAG_NORMAL + a];
  for (int a = 0; a < 3; a++) f->lever[4 * k + a] = row[DEMI_LAG_LEVER + a];
  f->lever[4 * k + 3] = 0;
  f->arm_i[k] = row[DEMI_LAG_ARMS];
  f->arm_j[k] = row[DEMI_LAG_ARMS + 1];
  w->lanes.friction_force[k] = row[DEMI_LAG_FORCE];
  w->lanes.turning_friction_force[k] = row[DEMI_LAG_TURNING];
}

/* Velocities along n stay those in the present frame, where the normal force acts. */
void DEMI_VARIANT_NAME(batch_lag_frame)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c,
                                        const demi_bound *bound, int walls) {
  _Alignas(64) demi_lanes along;
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double *row = row_of(e, c, k < c->count ? k : 0);
    w->apart[k] = !bound->holds && w->lanes.overlap[k] < 0;
    if (w->apart[k]) w->lanes.overlap[k] = NO_OVERLAP * w->lanes.effective_radius[k];
    if (row[DEMI_LAG_LIVE] != 0)
      copy_row(w, row, k);
    else
      copy_present(w, k);
    along[k] = w->lanes.normal_velocity[k];
  }
  DEMI_VARIANT_NAME(batch_velocities)(e, w, c, walls, &w->half);
  for (int32_t k = 0; k < lanes; k++) w->lanes.normal_velocity[k] = along[k];
}

void DEMI_VARIANT_NAME(batch_lag_times)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c,
                                        const demi_bound *bound, int walls) {
  (void)bound;
  (void)walls;
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) {
    const double *row = row_of(e, c, k < c->count ? k : 0);
    if (row[DEMI_LAG_LIVE] != 0) w->lanes.history_time[k] = row[DEMI_LAG_TIME];
  }
}

/* ---- after the law ---- */

/* An opened contact has no normal force, and its tangential stiffness is the one without overlap. */
static void release_normals(demi_workspace *w, int32_t count) {
  demi_law_lanes *l = &w->lanes;
  for (int32_t k = 0; k < DEMI_ROUND_UP(count); k++) {
    if (!w->apart[k]) continue;
    l->normal_elastic[k] = l->normal_damping[k] = l->normal_energy[k] = l->normal_stiffness[k] = l->normal_viscosity[k] = 0;
    l->twisting_overlap[k] = 0;
    for (int a = 0; a < 3; a++) l->tangential_overlap[a][k] = l->rolling_overlap[a][k] = 0;
  }
}

/* -f.(u_in + v t - u_out), the work of a force along the slip of a spring whose displacement is the history from `first` on. */
static double vector_heat(const demi_law_lanes *l, int32_t k, int32_t first, demi_lanes *velocity, demi_lanes *elastic,
                          demi_lanes *damping) {
  double heat = 0;
  for (int a = 0; a < 3; a++) {
    const double moved = l->history_in[first + a][k] + velocity[a][k] * l->history_time[k];
    heat -= (elastic[a][k] + damping[a][k]) * (moved - l->history_out[first + a][k]);
  }
  return heat;
}

static double angle_heat(const demi_law_lanes *l, int32_t k, int32_t first) {
  const double moved = l->history_in[first][k] + l->twisting_rate[k] * l->history_time[k];
  return -(l->twisting_elastic[k] + l->twisting_damping[k]) * (moved - l->history_out[first][k]);
}

static int keeps(const demi_bound *bound, int32_t part, int32_t kind) {
  return bound->evaluate[part] && bound->history[part] > 0 && bound->kind[demi_bound_history(bound, part)] == kind;
}

/* The heat of friction joins the energy that the springs store: both together are what friction forces are the gradient of. */
static void add_heat(demi_workspace *w, int32_t count, const demi_bound *bound) {
  demi_law_lanes *l = &w->lanes;
  const int32_t slide = demi_bound_history(bound, DEMI_TANGENTIAL), roll = demi_bound_history(bound, DEMI_ROLLING);
  const int slides = keeps(bound, DEMI_TANGENTIAL, DEM_HISTORY_TANGENT),
            rolls = keeps(bound, DEMI_ROLLING, DEM_HISTORY_ROLLING);
  const int twists = keeps(bound, DEMI_TWISTING, DEM_HISTORY_SCALAR);
  for (int32_t k = 0; k < count; k++) {
    if (slides)
      l->tangential_energy[k] += vector_heat(l, k, slide, l->tangential_velocity, l->tangential_elastic, l->tangential_damping);
    if (rolls) l->rolling_energy[k] += vector_heat(l, k, roll, l->rolling_velocity, l->rolling_elastic, l->rolling_damping);
    if (twists) l->twisting_energy[k] += angle_heat(l, k, demi_bound_history(bound, DEMI_TWISTING));
  }
}

/* A contact that is new since the start moves its springs by a part p = t/dt of the displacement, so that E(p w) has p times the force
 * as its gradient: E(p w)/p has the force itself. */
static void divide_by_parts(demi_workspace *w, int32_t count, double dt) {
  demi_law_lanes *l = &w->lanes;
  for (int32_t k = 0; k < count; k++) {
    const double inverse = demi_quotient(dt, l->history_time[k], 0.0);
    l->tangential_energy[k] *= inverse;
    l->rolling_energy[k] *= inverse;
    l->twisting_energy[k] *= inverse;
  }
}

void DEMI_VARIANT_NAME(batch_lag_end)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c,
                                      const demi_bound *bound, int walls) {
  (void)walls;
  release_normals(w, c->count);
  if (!(e->ask & DEMI_COMPUTE_ENERGY)) return;
  add_heat(w, c->count, bound);
  divide_by_parts(w, c->count, e->dt);
}
