/* Constant rolling torque (Ai et al. 2011, model A): f_r = -mu_r F v_r/|v_r|, F = friction_force.
 *
 * Taken literally, the torque turns round with every step once a body has come to rest. It is therefore at most the one that
 * takes a quarter of the relative rolling away within the step: R*^2 (1/I_i + 1/I_j) |f_r| dt <= |v_r|/4. A quarter, so that a
 * body with up to twelve such contacts on equal neighbours is not turned round either: their matrix of couplings has no
 * eigenvalue above 2 12 2/3 1/2, the directions across the normals being two of three. The history is the length of the step,
 * which an evaluation without one needs. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(rolling_constant);

static const double part_stopped = 0.25;

typedef struct resistance {
  double per_speed; /* f_r = -per_speed v_r */
  int capped;       /* at mu_r F */
} resistance;

static inline resistance resistance_of(const demi_rolling_parameters *p, const dem_batch *b, int32_t q) {
  const double x = b->rolling_velocity[0][q], y = b->rolling_velocity[1][q], z = b->rolling_velocity[2][q];
  const double radius = b->effective_radius[q], speed = sqrt(x * x + y * y + z * z), limit = p->friction * b->friction_force[q];
  const double step = b->dt > 0 ? b->dt : b->history_in[0][q];
  /* change of v_r per force in the step; 0 where nothing can turn */
  const double yields = radius * radius * b->inverse_inertia[q] * step;
  resistance r;
  r.capped = part_stopped * speed > limit * yields;
  r.per_speed = r.capped ? limit / (speed + DEMI_TINY) : (yields > 0 ? part_stopped / yields : 0.0);
  if (!(step > 0)) r.per_speed = 0.0;
  return r;
}

static void tangent(const demi_rolling_parameters *p, const dem_batch *b, int32_t q, resistance r) {
  const double x = b->rolling_velocity[0][q], y = b->rolling_velocity[1][q], z = b->rolling_velocity[2][q];
  const double speed = sqrt(x * x + y * y + z * z), acts = r.capped && r.per_speed > 0 ? 1.0 / speed : 0.0;
  b->rolling_isotropic[q] = r.per_speed;
  b->rolling_along[q] = r.capped ? -r.per_speed : 0.0;
  for (int a = 0; a < 3; a++) {
    b->rolling_overlap[a][q] = -acts * b->rolling_velocity[a][q] * p->friction * b->friction_overlap[q];
    b->rolling_normal_velocity[a][q] = -acts * b->rolling_velocity[a][q] * p->friction * b->friction_normal_velocity[q];
  }
}

void DEMI_VARIANT_NAME(rolling_constant)(const void *parameters, const dem_batch *b) {
  const demi_rolling_parameters *p = parameters;
  const int32_t lanes = DEMI_LANES(b);
  for (int32_t q = 0; q < lanes; q++) {
    const resistance r = resistance_of(p, b, q);
    for (int a = 0; a < 3; a++) b->rolling_damping[a][q] = -r.per_speed * b->rolling_velocity[a][q];
    b->history_out[0][q] = b->dt > 0 ? b->dt : b->history_in[0][q];
    if (b->rolling_energy) b->rolling_energy[q] = 0.0;
    if (b->rolling_isotropic && q < b->count) tangent(p, b, q, r);
  }
}
