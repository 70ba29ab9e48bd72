/* The built-in law parts: what their kernels read, and the kernels of every variant. */
#ifndef DEMI_LAWS_H
#define DEMI_LAWS_H

#include <dem/plugin/law.h>

#include "variant.h"

/* Normal parts: c = coefficient + rate m* + ratio sqrt(stiffness * m*) + viscous m* a, see damping_ratio.c. */
typedef struct demi_normal_parameters {
  double stiffness;   /* Hooke: k_n. Hertz, DMT, JKR: Y* */
  double coefficient; /* [force*time/length] */
  double rate;        /* [1/time], times m* */
  double ratio;       /* Hooke: 2 zeta. Hertz: 2 sqrt(5/6) zeta */
  double clamp;       /* 1: never attractive, adhesion left out */
  double pull;        /* DMT: 4 pi gamma, times R* */
  double cohesion;    /* simplified JKR: 2 pi k_c, times R* d */
  double viscous;     /* [1/(time*length)], times m* a: another part of c */
} demi_normal_parameters;

/* JKR, see normal_jkr.c. */
typedef struct demi_jkr_parameters {
  demi_normal_parameters plain; /* stiffness and dashpot */
  double quarter;               /* c/4 = sqrt(pi gamma/Y*)/2 */
  double root;                  /* its cube root */
  double force;                 /* pi gamma/3 */
} demi_jkr_parameters;

/* Tangential parts: c_t = coefficient + rate m* + ratio sqrt(k_t m*), and what goes with the contact radius a: written with k_t
 * where k_t goes with a too, by_stiffness m* k_t, else by_radius m* a + by_root sqrt(a m*). */
typedef struct demi_tangential_parameters {
  double stiffness;   /* k_t, where it does not depend on overlap */
  double shear;       /* 8 G*, where k_t = 8 G* times the contact radius; else 0 */
  double coefficient; /* as above, for the tangential dashpot */
  double rate;
  double ratio; /* c_t = ratio sqrt(k_t m*) */
  double friction;
  double holds; /* 1: the contact ends by tearing (JKR). The normal part gives its radius; the engine books the end */
  double by_stiffness, by_radius, by_root;
  double rescales; /* force history: 1 unless it is kept as it is on unloading */
  double reset;    /* 1: DEM_SLIDER_RESET */
} demi_tangential_parameters;

/* Fluid in the gap: f = -drag a^2/h v_n, a = scale R*. */
typedef struct demi_lubrication_parameters {
  double drag;         /* 6 pi eta */
  double scale;        /* a/R* */
  double inner, outer; /* gaps where it acts, in units of 2a */
} demi_lubrication_parameters;

/* Rolling and twisting springs. Rolling: k_r, c_r, mu_r. Twisting: k_tw, c_tw, mu_tw, times R*^2, R*^2, R*. */
typedef struct demi_rolling_parameters {
  double stiffness, coefficient, friction;
  double holds, reset; /* as above */
} demi_rolling_parameters;

typedef void demi_evaluate(const void *parameters, const dem_batch *batch);

#endif
