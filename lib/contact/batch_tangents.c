/* Stores the tangents of a batch; see tangent.h. */
#include <math.h>
#include <string.h>

#include "batch_kernels.h"
#include "quotient.h"
#include "tangent.h"

/* The derivatives of one contact that the lanes hold, as vectors. `along` is 0 where there is no direction. */
typedef struct slopes {
  double isotropic, along, direction[3], by_overlap[3];
} slopes;

static void find_direction(const demi_lanes *elastic, const demi_lanes *damping, int32_t k, double out[3]) {
  double square = 0;
  for (int a = 0; a < 3; a++) {
    out[a] = elastic[a][k] + damping[a][k];
    square += out[a] * out[a];
  }
  for (int a = 0; a < 3; a++) out[a] = demi_quotient(out[a], sqrt(square), 0.0);
}

/* Per displacement: what v drives is divided by tau, and an overlap that grows by -n.u comes with v_n = n.u/tau. */
static slopes tangential_slopes(const demi_law_lanes *l, int32_t k, double per_time) {
  slopes s = {.isotropic = per_time * l->tangential_isotropic[k], .along = per_time * l->tangential_along[k]};
  find_direction(l->tangential_elastic, l->tangential_damping, k, s.direction);
  for (int a = 0; a < 3; a++) s.by_overlap[a] = l->tangential_overlap[a][k] - per_time * l->tangential_normal_velocity[a][k];
  return s;
}

static slopes rolling_slopes(const demi_law_lanes *l, int32_t k, double per_time) {
  slopes s = {.isotropic = per_time * l->rolling_isotropic[k], .along = per_time * l->rolling_along[k]};
  find_direction(l->rolling_elastic, l->rolling_damping, k, s.direction);
  for (int a = 0; a < 3; a++) s.by_overlap[a] = l->rolling_overlap[a][k] - per_time * l->rolling_normal_velocity[a][k];
  return s;
}

/* -(isotropic (1 - n n^T) + along s s^T), column c. */
static void add_column(const slopes *s, const double n[3], int c, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] -= s->isotropic * ((a == c) - n[a] * n[c]) + s->along * s->direction[a] * s->direction[c];
}

/* Lagged friction is a matrix in the plane in which the contact slides; its torques are taken across the present normal, which differs
 * from that of the plane by no more than the contact has turned since. */
static void store_row(const demi_workspace *w, int32_t k, double per_time, int rubs, double normal_force, double *row) {
  const demi_law_lanes *l = &w->lanes;
  const demi_frame *f = w->lagged ? &w->half : &w->now;
  const double n[3] = {w->now.normal[0][k], w->now.normal[1][k], w->now.normal[2][k]};
  const double across[3] = {f->normal[0][k], f->normal[1][k], f->normal[2][k]};
  const double stiffness = l->normal_stiffness[k] + per_time * l->normal_viscosity[k];
  const slopes s = rubs ? tangential_slopes(l, k, per_time) : (slopes){0};
  for (int c = 0; c < 3; c++) {
    double *column = row + 4 * c;
    const double coupled = rubs ? per_time * l->normal_tangential_velocity[c][k] : 0.0;
    for (int a = 0; a < 3; a++) column[a] = n[a] * (coupled - stiffness * n[c]) - s.by_overlap[a] * n[c];
    if (rubs) add_column(&s, across, c, column);
    row[12 + c] = n[c];
  }
  row[3] = normal_force;
  row[7] = f->arm_i[k];
  row[11] = f->arm_j[k];
  row[15] = 0;
}

/* M = R* n x f_r + M_t n, with f_r driven by v_r = -R* n x (t_i - t_j)/tau. */
static void store_moment_row(const demi_workspace *w, int32_t k, double per_time, double *row) {
  const demi_law_lanes *l = &w->lanes;
  const demi_frame *f = w->lagged ? &w->half : &w->now;
  const double n[3] = {f->normal[0][k], f->normal[1][k], f->normal[2][k]}, radius = l->effective_radius[k];
  const double viscosity = per_time * l->twisting_viscosity[k];
  const double twist = l->twisting_overlap[k] - per_time * l->twisting_normal_velocity[k];
  const slopes s = rolling_slopes(l, k, per_time);
  for (int c = 0; c < 3; c++) {
    const double unit[3] = {c == 0, c == 1, c == 2};
    double v[3], force[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) v[a] = -radius * (n[(a + 1) % 3] * unit[(a + 2) % 3] - n[(a + 2) % 3] * unit[(a + 1) % 3]);
    for (int d = 0; d < 3; d++) {
      double column[3] = {0, 0, 0};
      add_column(&s, n, d, column);
      for (int a = 0; a < 3; a++) force[a] += column[a] * v[d];
    }
    for (int a = 0; a < 3; a++)
      row[4 * c + a] =
          radius * (n[(a + 1) % 3] * force[(a + 2) % 3] - n[(a + 2) % 3] * force[(a + 1) % 3]) - viscosity * n[a] * n[c];
    row[4 * c + 3] = 0;
  }
  for (int a = 0; a < 3; a++)
    row[12 + a] =
        -radius * (n[(a + 1) % 3] * s.by_overlap[(a + 2) % 3] - n[(a + 2) % 3] * s.by_overlap[(a + 1) % 3]) - twist * n[a];
  row[15] = 0;
}

void DEMI_VARIANT_NAME(batch_tangents)(const demi_evaluation *e, const demi_workspace *w, const demi_candidates *c,
                                       const demi_bound *bound, int32_t section) {
  const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP;
  const int walls = section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP;
  const int rubs = !gap && bound->evaluate[DEMI_TANGENTIAL] != NULL;
  const demi_loads *loads = &e->contacts->loads;
  for (int32_t k = 0; k < c->count; k++) {
    const demi_law_lanes *l = &w->lanes;
    const int64_t at = c->contact[k];
    const double force = l->normal_elastic[k] + l->normal_damping[k] + (rubs && bound->coupled ? l->tangential_normal[k] : 0.0);
    const double per_distance = walls ? 0.0 : demi_quotient(1.0, w->now.arm_i[k] + w->now.arm_j[k], 0.0);
    const int slides = rubs && !(w->lagged && l->friction_force[k] == 0);
    store_row(w, k, 1.0 / e->dt, slides, force * per_distance, e->tangents->rows + DEMI_TANGENT_ROW * at);
    if (!loads->rolls || gap) continue;
    double *row = e->tangents->moments + DEMI_TANGENT_MOMENT_ROW * (at - loads->moment_base);
    if (bound->rolls && !(w->lagged && l->turning_friction_force[k] == 0))
      store_moment_row(w, k, 1.0 / e->dt, row);
    else
      memset(row, 0, DEMI_TANGENT_MOMENT_ROW * sizeof *row);
  }
}
