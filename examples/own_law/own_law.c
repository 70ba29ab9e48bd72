#include "own_law.h"

#include <math.h>
#include <string.h>

/* U = 2/5 k d^(5/2). No pow: d sqrt(d) has the same bits on every machine. */
static void power_evaluate(const void *parameters, const dem_batch *batch) {
  const own_power *p = parameters;
  for (int32_t i = 0; i < batch->count; i++) {
    const double d = batch->overlap[i], root = sqrt(d);
    batch->normal_elastic[i] = p->stiffness * d * root;
    batch->normal_damping[i] = -p->viscosity * root * batch->normal_velocity[i];
    if (batch->normal_energy) batch->normal_energy[i] = 0.4 * p->stiffness * d * d * root;
    if (batch->normal_stiffness)
      batch->normal_stiffness[i] = 1.5 * p->stiffness * root - 0.5 * p->viscosity / root * batch->normal_velocity[i];
    if (batch->normal_viscosity) batch->normal_viscosity[i] = p->viscosity * root;
  }
}

/* A twentieth of the duration of an elastic impact at the approach speed v, 2.94 d_max / v. */
static double power_stable_dt(const void *parameters, double mass, double radius, double speed) {
  const own_power *p = parameters;
  const double v = speed > 0 ? speed : sqrt(p->stiffness * radius / mass) * 1e-3 * radius;
  const double deepest = pow(1.25 * mass * v * v / p->stiffness, 0.4);
  return 2.94 * deepest / v / 20;
}

void own_power_part(dem_law_part *part) {
  memset(part, 0, sizeof *part);
  part->struct_size = sizeof *part;
  part->contract = DEM_LAW_PART_CONTRACT;
  part->name = "power";
  part->kind = DEM_PART_NORMAL;
  part->capabilities = DEM_PART_ENERGY | DEM_PART_TANGENT;
  part->parameter_bytes = sizeof(own_power);
  part->evaluate = power_evaluate;
  part->stable_dt = power_stable_dt;
}

/* f_t = -mu F v_t/w with w = sqrt(|v_t|^2 + v_0^2) and F = friction_force:
 *   -d f_t / d v_t = mu F / w (1 - nn) - mu F |v_t|^2 / w^3 ss,   d f_t / d F = -mu v_t / w. */
static void smoothed_evaluate(const void *parameters, const dem_batch *batch) {
  const own_smoothed *p = parameters;
  for (int32_t i = 0; i < batch->count; i++) {
    const double v[3] = {batch->tangential_velocity[0][i], batch->tangential_velocity[1][i], batch->tangential_velocity[2][i]};
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], w = sqrt(square + p->speed * p->speed);
    const double slope = p->friction / w, isotropic = slope * batch->friction_force[i];
    for (int k = 0; k < 3; k++) {
      batch->tangential_elastic[k][i] = 0;
      batch->tangential_damping[k][i] = -isotropic * v[k];
      if (batch->tangential_overlap[k]) batch->tangential_overlap[k][i] = -slope * v[k] * batch->friction_overlap[i];
      if (batch->tangential_normal_velocity[k])
        batch->tangential_normal_velocity[k][i] = -slope * v[k] * batch->friction_normal_velocity[i];
    }
    if (batch->tangential_energy) batch->tangential_energy[i] = 0;
    if (batch->tangential_isotropic) batch->tangential_isotropic[i] = isotropic;
    if (batch->tangential_along) batch->tangential_along[i] = -isotropic * square / (w * w);
  }
}

void own_smoothed_part(dem_law_part *part) {
  memset(part, 0, sizeof *part);
  part->struct_size = sizeof *part;
  part->contract = DEM_LAW_PART_CONTRACT;
  part->name = "smoothed";
  part->kind = DEM_PART_TANGENTIAL;
  part->capabilities = DEM_PART_ENERGY | DEM_PART_TANGENT;
  part->parameter_bytes = sizeof(own_smoothed);
  part->evaluate = smoothed_evaluate;
}

dem_status own_law_create(dem_context *context, const own_power *power, const own_smoothed *smoothed, dem_law **law) {
  dem_law_part normal, tangential;
  own_power_part(&normal);
  own_smoothed_part(&tangential);
  dem_law_piece pieces[2];
  for (int k = 0; k < 2; k++) dem_law_piece_init(&pieces[k], sizeof pieces[k]);
  pieces[0].part = &normal;
  pieces[0].user = power;
  pieces[0].user_bytes = sizeof *power;
  pieces[1].part = &tangential;
  pieces[1].user = smoothed;
  pieces[1].user_bytes = sizeof *smoothed;
  return dem_law_create_from_parts(context, 2, pieces, law);
}
