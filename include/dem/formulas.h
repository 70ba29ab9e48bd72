/** @file dem/formulas.h
 *  Formulas: stiffness, damping and time step from what is known of a problem, each with its source. They know no state. What a system
 *  as it stands asks for: dem/advice.h. doc/advice.md has a worked example.
 *
 *  Any thread may call them at any time. They return DEM_OK, or DEM_BAD_ARGUMENT
 *  for a value out of its range (NaN is in none) or a NULL output, with the output left as it was. Values must be finite unless
 *  said otherwise, and so must results, or the call is refused. They use pow, exp and the like, which may differ by an ulp
 *  between C libraries and CPUs; nothing in a step does.
 *
 *  Words: m* = m_i m_j/(m_i + m_j), R* = R_i R_j/(R_i + R_j), a wall counting as infinite; Y*, G* the effective moduli; v the speed of
 *  approach; z the damping ratio, c = 2 z sqrt(k_n m*) with Hooke, c = 2 sqrt(5/6) z sqrt(S_n m*), S_n = 2 Y* sqrt(R* d), with
 *  Hertz. */
#ifndef DEM_FORMULAS_H
#define DEM_FORMULAS_H

#include <dem/law.h>

DEM_BEGIN_DECLS

/* ---- a pair of bodies ---- */

/** m* = m_i m_j/(m_i + m_j).
 *  @param mass_i [mass] > 0, may be infinite (wall, frozen)  @param mass_j [mass] > 0; not both infinite  @param mass out */
DEM_API dem_status dem_formula_effective_mass(double mass_i, double mass_j, double *mass);

/** R* = R_i R_j/(R_i + R_j).
 *  @param radius_i [length] > 0, may be infinite (plane)  @param radius_j [length] > 0; not both infinite  @param radius out */
DEM_API dem_status dem_formula_effective_radius(double radius_i, double radius_j, double *radius);

/** Effective moduli: 1/Y* = (1-nu_i^2)/Y_i + (1-nu_j^2)/Y_j (Hertz 1882), 1/G* = 2(2-nu_i)(1+nu_i)/Y_i + the same of j (Mindlin
 *  1949).
 *  @param young_i [pressure] > 0, may be infinite (rigid)  @param poisson_i -1 < nu <= 0.5  @param young_j as young_i; not both
 * infinite  @param poisson_j as poisson_i  @param young out: Y* [pressure]  @param shear out: G* [pressure]; may be NULL */
DEM_API dem_status dem_formula_effective_moduli(double young_i, double poisson_i, double young_j, double poisson_j,
                                                double *young, double *shear);

/** Young's modulus of each of two bodies of the same material from their Y*: Y = 2 (1-nu^2) Y*.
 *  @param effective_young Y* [pressure] > 0  @param poisson -1 < nu <= 0.5  @param young out [pressure] */
DEM_API dem_status dem_formula_material_young(double effective_young, double poisson, double *young);

/* ---- stiffness from the overlap that can be borne, without damping (with it: dem_impact_fit_stiffness) ---- */

/** k_n = m* v^2/d^2, as 1/2 m* v^2 = 1/2 k_n d^2.
 *  @param mass m* [mass] > 0  @param speed v [length/time] > 0  @param overlap d, largest tolerated [length] > 0
 *  @param stiffness out: k_n [force/length] */
DEM_API dem_status dem_formula_hooke_stiffness(double mass, double speed, double overlap, double *stiffness);

/** Back: d = v sqrt(m* / k_n).
 *  @param mass m* > 0  @param speed v >= 0  @param stiffness k_n > 0  @param overlap out: largest of the impact [length] */
DEM_API dem_status dem_formula_hooke_overlap(double mass, double speed, double stiffness, double *overlap);

/** Y* = 15 m* v^2/(16 sqrt(R*) d^(5/2)), as 1/2 m* v^2 = 8/15 Y* sqrt(R*) d^(5/2) (Hertz 1882).
 *  @param mass m* > 0  @param radius R* [length] > 0  @param speed v > 0  @param overlap d, largest tolerated [length] > 0
 *  @param young out: Y* [pressure]; dem_formula_material_young makes a material's modulus of it */
DEM_API dem_status dem_formula_hertz_young(double mass, double radius, double speed, double overlap, double *young);

/** Back: d = (5 m* v^2/(4 k))^(2/5), k = 4/3 Y* sqrt(R*).
 *  @param mass m* > 0  @param radius R* > 0  @param speed v >= 0  @param young Y* > 0  @param overlap out [length] */
DEM_API dem_status dem_formula_hertz_overlap(double mass, double radius, double speed, double young, double *overlap);

/** Hooke stiffness whose contact time is that of Hertz at a speed: k_n = m* (pi/t_c)^2.
 *  @param mass m* > 0  @param radius R* > 0  @param speed v > 0  @param young Y* > 0  @param stiffness out [force/length] */
DEM_API dem_status dem_formula_hooke_like_hertz(double mass, double radius, double speed, double young, double *stiffness);

/* ---- tangential stiffness ---- */

/** k_t/k_n of two bodies of one material: 2 (1-nu)/(2-nu) (Mindlin 1949); 0.82 at nu = 0.3. For equal periods of the normal and
 *  the tangential oscillation of two spheres it is 2/7 instead, whatever nu (Di Maio & Di Renzo 2004), the default of
 *  dem_law_options.
 *  @param poisson -1 < nu <= 0.5  @param ratio out */
DEM_API dem_status dem_formula_tangential_ratio(double poisson, double *ratio);

/** The same for two materials: 4 G* / Y*.
 *  @param young Y* [pressure] > 0  @param shear G* [pressure] > 0  @param ratio out */
DEM_API dem_status dem_formula_tangential_ratio_of_moduli(double young, double shear, double *ratio);

/* ---- damping and restitution ---- */

/** z from e. With `attraction` the impact ends at zero overlap: z = -ln e/sqrt(pi^2 + ln^2 e) (Hooke; Hertz in Tsuji's form,
 *  Antypov & Elliott 2011). Without, it ends where the force is zero (Schwager & Poeschel 2007 for Hooke, Thornton et al. 2013
 *  for Hertz), solved to the last digit.
 *  @param restitution e in (0, 1]  @param attraction 1 or 0, as in dem_law_options  @param ratio out: z >= 0 */
DEM_API dem_status dem_formula_damping_ratio(double restitution, int32_t attraction, double *ratio);

/** Back: e from z; 0 with `attraction` at z >= 1, where nothing comes back.
 *  @param ratio z >= 0  @param attraction 1 or 0  @param restitution out */
DEM_API dem_status dem_formula_restitution(double ratio, int32_t attraction, double *restitution);

/** c = 2 z sqrt(k_n m*), what DEM_DAMPING_COEFFICIENT takes with Hooke. DEM_DAMPING_RATE takes c/m*.
 *  @param mass m* > 0  @param stiffness k_n > 0  @param ratio z >= 0  @param coefficient out: c [force*time/length] */
DEM_API dem_status dem_formula_hooke_damping(double mass, double stiffness, double ratio, double *coefficient);

/** Back: z = c/(2 sqrt(k_n m*)).
 *  @param mass m* > 0  @param stiffness k_n > 0  @param coefficient c >= 0  @param ratio out: z */
DEM_API dem_status dem_formula_hooke_damping_ratio(double mass, double stiffness, double coefficient, double *ratio);

/** c = 2 sqrt(5/6) z sqrt(S_n m*), what the RESTITUTION modes use with Hertz at overlap d (Tsuji et al. 1992).
 *  @param mass m* > 0  @param radius R* > 0  @param young Y* > 0  @param overlap d >= 0  @param ratio z >= 0
 *  @param coefficient out: c [force*time/length] */
DEM_API dem_status dem_formula_hertz_damping(double mass, double radius, double young, double overlap, double ratio,
                                             double *coefficient);

/** Back: z = c/(2 sqrt(5/6) sqrt(S_n m*)).
 *  @param mass m* > 0  @param radius R* > 0  @param young Y* > 0  @param overlap d > 0  @param coefficient c >= 0
 *  @param ratio out: z */
DEM_API dem_status dem_formula_hertz_damping_ratio(double mass, double radius, double young, double overlap, double coefficient,
                                                   double *ratio);

/* ---- times ---- */

/** t_c = pi/sqrt(k_n / m* - (c / 2m*)^2), of a contact that ends at zero overlap.
 *  @param mass m* > 0  @param stiffness k_n > 0  @param damping c [force*time/length], 0 <= c < 2 sqrt(k_n m*)  @param time out
 */
DEM_API dem_status dem_formula_hooke_contact_time(double mass, double stiffness, double damping, double *time);

/** t_c = 2 sqrt(pi) Gamma(7/5)/Gamma(9/10) d_max/v = 2.943 d_max/v (Hertz 1882; Landau & Lifshitz, Theory of Elasticity, sec. 9),
 *  without damping.
 *  @param mass m* > 0  @param radius R* > 0  @param speed v > 0  @param young Y* > 0  @param time out */
DEM_API dem_status dem_formula_hertz_contact_time(double mass, double radius, double speed, double young, double *time);

/** Largest stable step of velocity-Verlet for one oscillator whose dashpot sees the half-step velocity: k/m dt^2 + 2 c/m dt = 4;
 *  2 sqrt(m/k) without dashpot, 2 m/c without spring. Infinite when both are 0.
 *  @param mass m* > 0  @param stiffness k [force/length] >= 0  @param damping c [force*time/length] >= 0  @param dt out [time] */
DEM_API dem_status dem_formula_stable_dt(double mass, double stiffness, double damping, double *dt);

/** Rayleigh time step, in which a surface wave travels half round a sphere: pi R sqrt(rho/G)/(0.1631 nu + 0.8766) (Ning &
 *  Ghadiri 2006). For quasi-static packings a fifth of it is usual; it knows no speed, so see the contact time too.
 *  @param radius R [length] > 0  @param density rho [mass/volume] > 0  @param shear G = Y/(2(1+nu)) [pressure] > 0
 *  @param poisson -1 < nu <= 0.5  @param dt out [time] */
DEM_API dem_status dem_formula_rayleigh_dt(double radius, double density, double shear, double poisson, double *dt);

/* ---- size ratio ---- */

/** Ratio of radii above which velocity-Verlet, which is not synchronised, holds a fine sphere fast between two large ones:
 *  1/(sqrt(1+mu^2) - 1) (Vyas, Ottino, Lueptow & Umbanhowar 2025).
 *  @param friction mu > 0  @param ratio out */
DEM_API dem_status dem_formula_critical_ratio(double friction, double *ratio);

/** Back: largest friction that this size ratio allows, sqrt((1 + 1/ratio)^2 - 1).
 *  @param ratio > 0  @param friction out: mu */
DEM_API dem_status dem_formula_critical_friction(double ratio, double *friction);

/* ---- a whole impact, any damping ---- */

/** A head-on impact without other forces, put through a normal law; fill with dem_impact_init. Damping is given as in
 *  dem_law_options. */
typedef struct dem_impact {
  uint32_t struct_size;  /**< sizeof(dem_impact) */
  int32_t normal;        /**< in: DEM_NORMAL_HOOKE (default) or DEM_NORMAL_HERTZ */
  int32_t damping;       /**< in: DEM_DAMPING_..., up to RESTITUTION_EXACT; default NONE */
  int32_t attraction;    /**< in: 1 (default): ends at zero overlap; 0: never attractive, ends at zero force */
  double mass;           /**< in: m* [mass] > 0; required */
  double radius;         /**< in: R* [length] > 0; required with Hertz, not read with Hooke */
  double speed;          /**< in: v [length/time] > 0; required */
  double stiffness;      /**< in: k_n [force/length] or Y* [pressure] > 0; required by dem_impact_predict; out of
                              dem_impact_fit_stiffness */
  double normal_damping; /**< in: c [force*time/length] or gamma [1/time] by `damping` >= 0; default 0; out of
                              dem_impact_fit_damping */
  double restitution;    /**< in: e in (0, 1] of the RESTITUTION modes; default 1; out of dem_impact_fit_damping */
  double overlap;        /**< out: largest overlap [length] */
  double contact_time;   /**< out: from touch to end [time]; infinite when it does not end */
  double rebound;        /**< out: speed at the end over speed before: the restitution met. 0 when it does not end */
} dem_impact;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param impact the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_impact_init(dem_impact *impact, uint32_t struct_size);

/** Fills overlap, contact_time and rebound. In closed form with Hooke and with Hertz in the RESTITUTION modes (the contact time
 *  there is a quadrature); Hertz with COEFFICIENT or RATE is integrated, with a leading order beyond c d_0 = 1e5 m* v (d_0 the largest
 *  overlap without dashpot). All three within 1e-9 of their value; with attraction = 1 next to the dashpot that just holds the
 *  sphere, the rebound within 1e-9 of the speed before and the time that of a dashpot within 1e-9. Always ends: at most 60,000
 *  steps, about 3 ms.
 *  @param impact in and out  @return DEM_BAD_ARGUMENT also where a result, or a number on the way, leaves the range of doubles */
DEM_API dem_status dem_impact_predict(dem_impact *impact);

/** Finds the stiffness with which the largest overlap is the one given, damping as given, and fills the rest. With COEFFICIENT or
 *  RATE a dashpot that stops the sphere earlier by itself is refused. The overlap is met to 1e-9, in at most 3,000,000 steps of the
 *  above (0.2 s).
 *  @param impact in: all but stiffness; out: stiffness and the outs  @param overlap [length] > 0 */
DEM_API dem_status dem_impact_fit_stiffness(dem_impact *impact, double overlap);

/** Finds the damping parameter of the mode (normal_damping, or restitution in the RESTITUTION modes) with which the rebound is
 *  the one given, and fills the rest. With attraction = 0 and DEM_DAMPING_RESTITUTION that parameter is less than the rebound,
 *  and there may be none. The rebound is met to 1e-9 of itself, with attraction = 1 to 1e-9 of the speed before; the work is bounded as
 *  above.
 *  @param impact in: all but that parameter, damping not NONE; out: it and the outs  @param rebound e in (0, 1] */
DEM_API dem_status dem_impact_fit_damping(dem_impact *impact, double rebound);

DEM_END_DECLS

#endif
