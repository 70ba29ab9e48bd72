/** @file dem/law.h
 *  Contact laws: choosing among the built-in parts. Writing your own: dem/plugin/law.h.
 *
 *  A law is a normal part plus, where wanted, tangential, rolling and twisting parts. Laws are immutable and shared: create one, hand
 *  it to as many systems and material pairs as you like, release it. Equations and sources: doc/laws/.
 *
 *  Threads: laws may be created, shared and released on any thread, several at once where the hooks of the context allow that. */
#ifndef DEM_LAW_H
#define DEM_LAW_H

#include <dem/context.h>

DEM_BEGIN_DECLS

/** A contact law. Opaque, immutable, reference counted. */
typedef struct dem_law dem_law;

/** Normal parts. */
enum {
  DEM_NORMAL_NONE = 0,  /**< no normal force: the pair does not interact */
  DEM_NORMAL_HOOKE = 1, /**< f = k_n d - c v_n */
  DEM_NORMAL_HERTZ = 2, /**< f = 4/3 Y* sqrt(R* d) d - c v_n; Y* from the materials */
  DEM_NORMAL_DMT = 3,   /**< Hertz and a constant attraction while in contact: f = Hertz - 4 pi surface_energy R* */
  DEM_NORMAL_JKR = 4    /**< Johnson, Kendall & Roberts: f = 4 Y* a^3/(3 R*) - 4 a sqrt(pi surface_energy Y* a) - c v_n, the
                             contact radius a by d = a^2/R* - 2 sqrt(pi surface_energy a/Y*). A contact begins at overlap 0 and
                             holds until it tears at a gap: the overlap of a contact may be negative */
};

/** Tangential parts. */
enum {
  DEM_TANGENTIAL_NONE = 0,    /**< frictionless */
  DEM_TANGENTIAL_VISCOUS = 1, /**< no history: f_t = -c_t v_t, capped by Coulomb */
  DEM_TANGENTIAL_LINEAR = 2,  /**< spring with history: f_t = -k_t u - c_t v_t, capped by Coulomb */
  DEM_TANGENTIAL_MINDLIN = 3, /**< force history, rescaled with the contact radius on unloading; k_t = 8 G* a, a = sqrt(R* d) or
                                 that of JKR. Not derived from a potential: see `hysteresis` in dem/energy.h */
  DEM_TANGENTIAL_MINDLIN_CONSERVING = 4, /**< potential 1/2 k_t(d) |u|^2 with its normal force 1/2 k_t'(d) |u|^2; an elastic
                                           impact without slip conserves energy to the order of the integrator. Not with JKR:
                                           k_t'(d) is infinite where a JKR contact tears */
  DEM_TANGENTIAL_MINDLIN_FORCE = 5, /**< force history like MINDLIN, but not rescaled on unloading: makes energy wherever the
                                           contact unloads under a tangential force. For comparison with other codes */
  DEM_TANGENTIAL_MINDLIN_RESCALED =
      6 /**< displacement history, u rescaled with the contact radius on unloading and k_t = 8 G* a:
                                           the force falls with a^2 there. For comparison with other codes */
};

/** Rolling parts: resistance to w_i - w_j across the normal. v_r = -R* n x (w_i - w_j); the pseudo-force f_r makes the moment
 *  R* n x f_r on i and the opposite on j. */
enum {
  DEM_ROLLING_NONE = 0,    /**< none */
  DEM_ROLLING_SPRING = 1,  /**< spring, dashpot, slider: f_r = -k_r u_r - c_r v_r, |f_r| <= mu_r |f_n| (Luding 2008) */
  DEM_ROLLING_CONSTANT = 2 /**< constant torque: f_r = -mu_r |f_n| v_r/|v_r|, less where it would turn the rolling round within
                                a step (Ai et al. 2011, model A) */
};

/** Twisting parts: resistance to the rate w_n = (w_i - w_j).n by a torque M_t about the normal. */
enum {
  DEM_TWISTING_NONE = 0,   /**< none */
  DEM_TWISTING_SPRING = 1, /**< spring, dashpot, slider: M_t = -R*^2 (k_tw angle + c_tw w_n), |M_t| <= mu_tw R* |f_n| (Luding
                                 2008) */
  DEM_TWISTING_MARSHALL =
      2 /**< from the tangential part, LINEAR or Mindlin: stiffness k_t a^2/2, dashpot c_t a^2/2, cap 2/3 a mu
                                 |f_n|, a = sqrt(R* d) the contact radius (Marshall 2009) */
};

/** How damping is given. */
enum {
  DEM_DAMPING_NONE = 0,        /**< elastic */
  DEM_DAMPING_COEFFICIENT = 1, /**< c [force*time/length] as given */
  DEM_DAMPING_RATE = 2,        /**< c = gamma m* ; gamma [1/time] */
  DEM_DAMPING_RESTITUTION = 3, /**< from e: Hooke exactly (to the zero of overlap); Hertz by Tsuji's form,
                                  c = 2 sqrt(5/6) z sqrt(S_n m*) (doc/laws/damping.md) */
  DEM_DAMPING_RESTITUTION_EXACT =
      4,                        /**< from e, so that the impact that ends at zero force has restitution e: Hooke (Schwager &
                                       Poeschel 2007), Hertz (Thornton et al. 2013); meant with attraction = 0 */
  DEM_DAMPING_VISCOELASTIC = 5, /**< c = gamma m* a, a = sqrt(R* d) or that of JKR; gamma [1/(time*length)] */
  DEM_DAMPING_OF_NORMAL = 6 /**< tangential only: c_t = `shear_damping` times the c of the normal part, which must have one */
};

/** What a capped force does to a spring with a dashpot beside it: tangential springs (but MINDLIN_CONSERVING, which is always
 *  SERIES), rolling and twisting springs. */
enum {
  DEM_SLIDER_SERIES =
      0, /**< the slider is in series with both: spring and dashpot give way together, and nothing makes energy */
  DEM_SLIDER_RESET =
      1 /**< as in LAMMPS: the dashpot keeps its force, the spring is reset so that both give the capped force; it
                              may then push along the slip. Without dashpot the two are the same */
};

/** Parameters of a law; fill with dem_law_options_init, then set those that the chosen parts read: one that no part reads is
 *  refused unless it is left at its default or 0. Numbers are at most 1e60. */
typedef struct dem_law_options {
  uint32_t struct_size;       /**< sizeof(dem_law_options) */
  int32_t normal;             /**< DEM_NORMAL_...; default HOOKE */
  int32_t tangential;         /**< DEM_TANGENTIAL_...; default LINEAR */
  int32_t damping;            /**< DEM_DAMPING_... of the normal part, up to VISCOELASTIC; default NONE */
  int32_t tangential_damping; /**< DEM_DAMPING_NONE, _COEFFICIENT, _RATE, _RESTITUTION (Hertz/Mindlin and Hooke/linear: same e
                                 as the normal part), _VISCOELASTIC or _OF_NORMAL; default NONE */
  int32_t attraction; /**< 1: damping may make the normal force attractive (plain dashpot); 0: f_n = max(f_n, 0), where adhesion
                           is left out: damping >= -(elastic + adhesion), see `adhesion` in dem/plugin/law.h. Default 1 */
  double normal_stiffness;     /**< k_n [force/length] > 0, Hooke only; required there */
  double tangential_stiffness; /**< k_t [force/length] >= 0, constant, LINEAR only; 0 = 2/7 k_n (Hooke) or 8 G* a,
                                  a = sqrt(R* d) (Hertz, DMT) or that of JKR */
  double normal_damping;       /**< c [force*time/length], gamma [1/time] or gamma [1/(time*length)] by `damping`; >= 0 */
  double shear_damping;        /**< c_t or gamma_t by `tangential_damping`, or its fraction of c (OF_NORMAL); >= 0 */
  double restitution;          /**< e in (0, 1]; read by the RESTITUTION modes; default 1 */
  double friction;             /**< Coulomb mu >= 0 (finite); default 0.5. |f_t| <= mu |f_n + adhesion| */
  double viscosity;         /**< of the fluid in the gap, eta > 0: lubrication force -6 pi eta a^2/h v_n, a = lubrication_scale
                                  R*, at gaps lubrication_inner 2a < h < lubrication_outer 2a [pressure*time]; 0 (default):
                                  none */
  double lubrication_scale; /**< a / R*, > 0; default 1 (2 gives the harmonic mean of the radii) */
  double lubrication_inner; /**< inner cut-off > 0, in units of 2a; default 0.001 */
  double lubrication_outer; /**< outer cut-off above the inner one, at most 10; default 1 */
  double surface_energy;    /**< gamma > 0 of DMT and JKR [energy/area], required there; 0 otherwise. The work of adhesion is
                                 2 gamma: pull-off force 4 pi gamma R* (DMT), 3 pi gamma R* (JKR) */
  double cohesion_energy_density; /**< k_c >= 0 [energy/volume] of the simplified JKR law, Hooke and Hertz only: adds the
                                     attraction k_c 2 pi R* d; 0 (default): none */
  int32_t rolling;                /**< DEM_ROLLING_...; default NONE */
  int32_t twisting;               /**< DEM_TWISTING_...; default NONE */
  double rolling_stiffness;       /**< k_r [force/length] > 0, ROLLING_SPRING; required there */
  double rolling_damping;         /**< c_r [force*time/length] >= 0, ROLLING_SPRING; default 0 */
  double rolling_friction;        /**< mu_r >= 0 (finite), both rolling parts; default 0.1 */
  double twisting_stiffness;      /**< k_tw [force/length] > 0, TWISTING_SPRING; required there */
  double twisting_damping;        /**< c_tw [force*time/length] >= 0, TWISTING_SPRING; default 0 */
  double twisting_friction;       /**< mu_tw >= 0 (finite), TWISTING_SPRING; default 0.1 */
  double tangential_modulus; /**< [pressure] > 0 takes the place of 8 G* in k_t = 8 G* a, where k_t goes with the contact radius
                                a; 0 (default): from the materials. Not with Hooke, nor beside tangential_stiffness */
  int32_t slider;            /**< DEM_SLIDER_...; default SERIES. MINDLIN_CONSERVING is always SERIES */
  int32_t reserved_zero;     /**< 0 */
} dem_law_options;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_law_options_init(dem_law_options *options, uint32_t struct_size);

/** Creates a law from built-in parts.
 *  @param context owner of memory and messages  @param options copied
 *  @param law out; NULL on failure; release when done (systems hold their own reference)
 *  @return DEM_BAD_ARGUMENT with the field, value and limit in dem_context_message */
DEM_API dem_status dem_law_create(dem_context *context, const dem_law_options *options, dem_law **law);

/** Gives up the caller's reference. NULL is allowed. @param law the law */
DEM_API void dem_law_release(dem_law *law);

DEM_END_DECLS

#endif
