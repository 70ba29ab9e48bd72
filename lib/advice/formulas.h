/* Formulas of dem/formulas.h for one pair of bodies, and what an impact comes to. Same meaning as the function dem_... of that
 * name; outputs are never NULL here. */
#ifndef DEMI_FORMULAS_H
#define DEMI_FORMULAS_H

#include <dem/formulas.h>

dem_status demi_formula_harmonic(double a, double b, double *value); /* a b/(a + b); one may be infinite */
dem_status demi_formula_effective_moduli(double young_i, double poisson_i, double young_j, double poisson_j, double *young,
                                         double *shear);
dem_status demi_formula_material_young(double effective_young, double poisson, double *young);
dem_status demi_formula_hooke_stiffness(double mass, double speed, double overlap, double *stiffness);
dem_status demi_formula_hooke_overlap(double mass, double speed, double stiffness, double *overlap);
dem_status demi_formula_hertz_young(double mass, double radius, double speed, double overlap, double *young);
dem_status demi_formula_hertz_overlap(double mass, double radius, double speed, double young, double *overlap);
dem_status demi_formula_hooke_like_hertz(double mass, double radius, double speed, double young, double *stiffness);
dem_status demi_formula_tangential_ratio(double poisson, double *ratio);
dem_status demi_formula_tangential_ratio_of_moduli(double young, double shear, double *ratio);
dem_status demi_formula_damping_ratio(double restitution, int32_t attraction, double *ratio);
dem_status demi_formula_restitution(double ratio, int32_t attraction, double *restitution);
dem_status demi_formula_hooke_damping(double mass, double stiffness, double ratio, double *coefficient);
dem_status demi_formula_hooke_damping_ratio(double mass, double stiffness, double coefficient, double *ratio);
dem_status demi_formula_hertz_damping(double mass, double radius, double young, double overlap, double ratio,
                                      double *coefficient);
dem_status demi_formula_hertz_damping_ratio(double mass, double radius, double young, double overlap, double coefficient,
                                            double *ratio);
dem_status demi_formula_hooke_contact_time(double mass, double stiffness, double damping, double *time);
dem_status demi_formula_hertz_contact_time(double mass, double radius, double speed, double young, double *time);
dem_status demi_formula_stable_dt(double mass, double stiffness, double damping, double *dt);
dem_status demi_formula_rayleigh_dt(double radius, double density, double shear, double poisson, double *dt);
dem_status demi_formula_critical_ratio(double friction, double *ratio);
dem_status demi_formula_critical_friction(double ratio, double *friction);

dem_status demi_impact_defaults(dem_impact *impact, uint32_t struct_size);
dem_status demi_impact_predict(dem_impact *impact);
dem_status demi_impact_fit_stiffness(dem_impact *impact, double overlap);
dem_status demi_impact_fit_damping(dem_impact *impact, double rebound);

/* In units of the undamped impact: overlap in its largest overlap d_0, time in d_0/v, speed in the speed of approach v. */
typedef struct demi_rebound {
  double overlap, time, speed;
  int64_t steps; /* steps of the integration; 0 where there is a closed form */
} demi_rebound;

/* Hertz with a constant dashpot: impact_hertz.c. */
demi_rebound demi_impact_hertz(double damping, int cut);

#endif
