/* Rolling spring, dashpot and slider (Luding 2008): u_r <- u_r + v_r dt, f_r = -k_r u_r - c_r v_r, |f_r| <= mu_r F, with the
 * rolling velocity v_r = -R* n x (w_i - w_j). What the linear tangential part does with v_t, on other lanes: same slip, same
 * books. */
#include "laws.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(rolling_spring), DEMI_VARIANT_NAME(tangential_linear);

/* The batch as a tangential part would see it, rolling in place of sliding. */
static dem_batch as_tangential(const dem_batch *b) {
  dem_batch t = *b;
  for (int a = 0; a < 3; a++) {
    t.tangential_velocity[a] = b->rolling_velocity[a];
    t.tangential_elastic[a] = b->rolling_elastic[a];
    t.tangential_damping[a] = b->rolling_damping[a];
    t.slip[a] = b->rolling_slip[a];
    t.tangential_overlap[a] = b->rolling_overlap[a];
    t.tangential_normal_velocity[a] = b->rolling_normal_velocity[a];
  }
  t.tangential_energy = b->rolling_energy;
  t.tangential_isotropic = b->rolling_isotropic;
  t.tangential_along = b->rolling_along;
  t.tangential_normal = NULL;
  return t;
}

void DEMI_VARIANT_NAME(rolling_spring)(const void *parameters, const dem_batch *b) {
  const demi_rolling_parameters *p = parameters;
  const demi_tangential_parameters spring = {
      .stiffness = p->stiffness, .coefficient = p->coefficient, .friction = p->friction, .holds = p->holds, .reset = p->reset};
  const dem_batch t = as_tangential(b);
  DEMI_VARIANT_NAME(tangential_linear)(&spring, &t);
}
