/* Formulas of dem/formulas.h for one pair of bodies, and what an impact comes to. Signatures and meanings
 * are those of the exported functions that are named; outputs are never NULL here. */
#ifndef DEMI_FORMULAS_H
#define DEMI_FORMULAS_H

#include <dem/formulas.h>

dem_status demi_formula_harmonic(double a, double b, double *value); /* a b/(a + b); one may be infinite */
__typeof__(dem_formula_effective_moduli) demi_formula_effective_moduli;
__typeof__(dem_formula_material_young) demi_formula_material_young;
__typeof__(dem_formula_hooke_stiffness) demi_formula_hooke_stiffness;
__typeof__(dem_formula_hooke_overlap) demi_formula_hooke_overlap;
__typeof__(dem_formula_hertz_young) demi_formula_hertz_young;
__typeof__(dem_formula_hertz_overlap) demi_formula_hertz_overlap;
__typeof__(dem_formula_hooke_like_hertz) demi_formula_hooke_like_hertz;
__typeof__(dem_formula_tangential_ratio) demi_formula_tangential_ratio;
__typeof__(dem_formula_tangential_ratio_of_moduli) demi_formula_tangential_ratio_of_moduli;
__typeof__(dem_formula_damping_ratio) demi_formula_damping_ratio;
__typeof__(dem_formula_restitution) demi_formula_restitution;
__typeof__(dem_formula_hooke_damping) demi_formula_hooke_damping;
__typeof__(dem_formula_hooke_damping_ratio) demi_formula_hooke_damping_ratio;
__typeof__(dem_formula_hertz_damping) demi_formula_hertz_damping;
__typeof__(dem_formula_hertz_damping_ratio) demi_formula_hertz_damping_ratio;
__typeof__(dem_formula_hooke_contact_time) demi_formula_hooke_contact_time;
__typeof__(dem_formula_hertz_contact_time) demi_formula_hertz_contact_time;
__typeof__(dem_formula_stable_dt) demi_formula_stable_dt;
__typeof__(dem_formula_rayleigh_dt) demi_formula_rayleigh_dt;
__typeof__(dem_formula_critical_ratio) demi_formula_critical_ratio;
__typeof__(dem_formula_critical_friction) demi_formula_critical_friction;

__typeof__(dem_impact_init) demi_impact_defaults;
__typeof__(dem_impact_predict) demi_impact_predict;
__typeof__(dem_impact_fit_stiffness) demi_impact_fit_stiffness;
__typeof__(dem_impact_fit_damping) demi_impact_fit_damping;

/* In units of the undamped impact: overlap in its largest overlap d_0, time in d_0/v, speed in the speed of approach v. */
typedef struct demi_rebound {
  double overlap, time, speed;
  int64_t steps; /* steps of the integration; 0 where there is a closed form */
} demi_rebound;

/* Hertz with a constant dashpot: impact_hertz.c. */
demi_rebound demi_impact_hertz(double damping, int cut);

#endif
