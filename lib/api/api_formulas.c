/* Exported: formulas. Only NULL is checked here; the layer below checks values. */
#include "formulas.h"

dem_status dem_formula_effective_mass(double mass_i, double mass_j, double *mass) {
  return mass ? demi_formula_harmonic(mass_i, mass_j, mass) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_effective_radius(double radius_i, double radius_j, double *radius) {
  return radius ? demi_formula_harmonic(radius_i, radius_j, radius) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_effective_moduli(double young_i, double poisson_i, double young_j, double poisson_j, double *young,
                                        double *shear) {
  double unused;
  return young ? demi_formula_effective_moduli(young_i, poisson_i, young_j, poisson_j, young, shear ? shear : &unused)
               : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_material_young(double effective_young, double poisson, double *young) {
  return young ? demi_formula_material_young(effective_young, poisson, young) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hooke_stiffness(double mass, double speed, double overlap, double *stiffness) {
  return stiffness ? demi_formula_hooke_stiffness(mass, speed, overlap, stiffness) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hooke_overlap(double mass, double speed, double stiffness, double *overlap) {
  return overlap ? demi_formula_hooke_overlap(mass, speed, stiffness, overlap) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hertz_young(double mass, double radius, double speed, double overlap, double *young) {
  return young ? demi_formula_hertz_young(mass, radius, speed, overlap, young) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hertz_overlap(double mass, double radius, double speed, double young, double *overlap) {
  return overlap ? demi_formula_hertz_overlap(mass, radius, speed, young, overlap) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hooke_like_hertz(double mass, double radius, double speed, double young, double *stiffness) {
  return stiffness ? demi_formula_hooke_like_hertz(mass, radius, speed, young, stiffness) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_tangential_ratio(double poisson, double *ratio) {
  return ratio ? demi_formula_tangential_ratio(poisson, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_tangential_ratio_of_moduli(double young, double shear, double *ratio) {
  return ratio ? demi_formula_tangential_ratio_of_moduli(young, shear, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_damping_ratio(double restitution, int32_t attraction, double *ratio) {
  return ratio ? demi_formula_damping_ratio(restitution, attraction, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_restitution(double ratio, int32_t attraction, double *restitution) {
  return restitution ? demi_formula_restitution(ratio, attraction, restitution) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hooke_damping(double mass, double stiffness, double ratio, double *coefficient) {
  return coefficient ? demi_formula_hooke_damping(mass, stiffness, ratio, coefficient) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hooke_damping_ratio(double mass, double stiffness, double coefficient, double *ratio) {
  return ratio ? demi_formula_hooke_damping_ratio(mass, stiffness, coefficient, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hertz_damping(double mass, double radius, double young, double overlap, double ratio,
                                     double *coefficient) {
  return coefficient ? demi_formula_hertz_damping(mass, radius, young, overlap, ratio, coefficient) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hertz_damping_ratio(double mass, double radius, double young, double overlap, double coefficient,
                                           double *ratio) {
  return ratio ? demi_formula_hertz_damping_ratio(mass, radius, young, overlap, coefficient, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hooke_contact_time(double mass, double stiffness, double damping, double *time) {
  return time ? demi_formula_hooke_contact_time(mass, stiffness, damping, time) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_hertz_contact_time(double mass, double radius, double speed, double young, double *time) {
  return time ? demi_formula_hertz_contact_time(mass, radius, speed, young, time) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_stable_dt(double mass, double stiffness, double damping, double *dt) {
  return dt ? demi_formula_stable_dt(mass, stiffness, damping, dt) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_rayleigh_dt(double radius, double density, double shear, double poisson, double *dt) {
  return dt ? demi_formula_rayleigh_dt(radius, density, shear, poisson, dt) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_critical_ratio(double friction, double *ratio) {
  return ratio ? demi_formula_critical_ratio(friction, ratio) : DEM_BAD_ARGUMENT;
}

dem_status dem_formula_critical_friction(double ratio, double *friction) {
  return friction ? demi_formula_critical_friction(ratio, friction) : DEM_BAD_ARGUMENT;
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
