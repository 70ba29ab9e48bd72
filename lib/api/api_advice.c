/* Exported: advice. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/advice.h>

#include "formulas.h"
#include "check.h"
#include "system.h"

/* ---- one pair of bodies ---- */

dem_status dem_advice_effective_mass(double mass_i, double mass_j, double *mass) {
  return mass ? demi_advice_harmonic(mass_i, mass_j, mass) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_effective_radius(double radius_i, double radius_j, double *radius) {
  return radius ? demi_advice_harmonic(radius_i, radius_j, radius) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_effective_moduli(double young_i, double poisson_i, double young_j, double poisson_j, double *young,
                                       double *shear) {
  double unused;
  return young ? demi_advice_effective_moduli(young_i, poisson_i, young_j, poisson_j, young, shear ? shear : &unused)
               : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_material_young(double effective_young, double poisson, double *young) {
  return young ? demi_advice_material_young(effective_young, poisson, young) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hooke_stiffness(double mass, double speed, double overlap, double *stiffness) {
  return stiffness ? demi_advice_hooke_stiffness(mass, speed, overlap, stiffness) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hooke_overlap(double mass, double speed, double stiffness, double *overlap) {
  return overlap ? demi_advice_hooke_overlap(mass, speed, stiffness, overlap) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hertz_young(double mass, double radius, double speed, double overlap, double *young) {
  return young ? demi_advice_hertz_young(mass, radius, speed, overlap, young) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hertz_overlap(double mass, double radius, double speed, double young, double *overlap) {
  return overlap ? demi_advice_hertz_overlap(mass, radius, speed, young, overlap) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hooke_like_hertz(double mass, double radius, double speed, double young, double *stiffness) {
  return stiffness ? demi_advice_hooke_like_hertz(mass, radius, speed, young, stiffness) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_tangential_ratio(double poisson, double *ratio) {
  return ratio ? demi_advice_tangential_ratio(poisson, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_tangential_ratio_of_moduli(double young, double shear, double *ratio) {
  return ratio ? demi_advice_tangential_ratio_of_moduli(young, shear, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_damping_ratio(double restitution, int32_t attraction, double *ratio) {
  return ratio ? demi_advice_damping_ratio(restitution, attraction, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_restitution(double ratio, int32_t attraction, double *restitution) {
  return restitution ? demi_advice_restitution(ratio, attraction, restitution) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hooke_damping(double mass, double stiffness, double ratio, double *coefficient) {
  return coefficient ? demi_advice_hooke_damping(mass, stiffness, ratio, coefficient) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hooke_damping_ratio(double mass, double stiffness, double coefficient, double *ratio) {
  return ratio ? demi_advice_hooke_damping_ratio(mass, stiffness, coefficient, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hertz_damping(double mass, double radius, double young, double overlap, double ratio,
                                    double *coefficient) {
  return coefficient ? demi_advice_hertz_damping(mass, radius, young, overlap, ratio, coefficient) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hertz_damping_ratio(double mass, double radius, double young, double overlap, double coefficient,
                                          double *ratio) {
  return ratio ? demi_advice_hertz_damping_ratio(mass, radius, young, overlap, coefficient, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hooke_contact_time(double mass, double stiffness, double damping, double *time) {
  return time ? demi_advice_hooke_contact_time(mass, stiffness, damping, time) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_hertz_contact_time(double mass, double radius, double speed, double young, double *time) {
  return time ? demi_advice_hertz_contact_time(mass, radius, speed, young, time) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_stable_dt(double mass, double stiffness, double damping, double *dt) {
  return dt ? demi_advice_stable_dt(mass, stiffness, damping, dt) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_rayleigh_dt(double radius, double density, double shear, double poisson, double *dt) {
  return dt ? demi_advice_rayleigh_dt(radius, density, shear, poisson, dt) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_critical_ratio(double friction, double *ratio) {
  return ratio ? demi_advice_critical_ratio(friction, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_advice_critical_friction(double ratio, double *friction) {
  return friction ? demi_advice_critical_friction(ratio, friction) : DEM_BAD_ARGUMENT;
}

dem_status dem_impact_predict(dem_impact *impact) { return impact ? demi_impact_predict(impact) : DEM_BAD_ARGUMENT; }

dem_status dem_impact_fit_stiffness(dem_impact *impact, double overlap) {
  return impact ? demi_impact_fit_stiffness(impact, overlap) : DEM_BAD_ARGUMENT;
}

dem_status dem_impact_fit_damping(dem_impact *impact, double rebound) {
  return impact ? demi_impact_fit_damping(impact, rebound) : DEM_BAD_ARGUMENT;
}

dem_status dem_impact_init(dem_impact *impact, uint32_t struct_size) {
  return impact ? demi_impact_defaults(impact, struct_size) : DEM_BAD_ARGUMENT;
}

/* ---- a system ---- */

dem_status dem_advice_init(dem_advice *advice, uint32_t struct_size) {
  return advice ? demi_advice_defaults(advice, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_system_advise(dem_system *system, dem_advice *advice) {
  DEMI_MAY_USE();
  DEMI_NEEDS(advice);
  return DEMI_INSIDE(demi_system_advise(system, advice));
}
