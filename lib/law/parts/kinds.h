/* Kinds of normal and tangential parts: a table row for each, with what it needs, offers and reads. Code outside the rows asks for
 * traits and never for the order of the kinds.
 *
 * A new normal law: a file with its kernel, a row in normal_kinds.c (with its binding, where that of another does not do), its name in
 * meson.build and its constant in dem/law.h. A new tangential law: the same with tangential_kinds.c. */
#ifndef DEMI_KINDS_H
#define DEMI_KINDS_H

#include "builtin.h"

/* Traits of a normal part, or-ed. That its contacts hold across a gap is told by `range`. */
enum {
  DEMI_HERTZIAN = 1,        /* stiffness 2 Y* a, so that a tangential part may go with the contact radius a too */
  DEMI_READS_STIFFNESS = 2, /* normal_stiffness, which must be > 0 */
  DEMI_READS_SURFACE = 4,   /* surface_energy, which must be > 0 */
  DEMI_READS_COHESION = 8,  /* cohesion_energy_density, which may be 0 */
  DEMI_READS_DAMPING = 16   /* has a dashpot */
};

/* Traits of a tangential part, or-ed. A part without SPRING is a dashpot alone. */
enum {
  DEMI_SPRING = 1,  /* has a spring of stiffness k_t, and so a history */
  DEMI_MINDLIN = 2, /* k_t goes with the contact radius: beside a Hertzian normal part only. Without it k_t may be constant */
  DEMI_SLIDER = 4,  /* reads `slider` */
  DEMI_KEEPS_FORCE = 8 /* force history that is not rescaled on unloading */
};

typedef int32_t demi_bind_fn(const void *user, const dem_bind *materials, void *parameters);

typedef struct demi_normal_kind {
  const char *name, *title; /* of the part; in messages */
  demi_evaluate *kernel_base, *kernel_avx2, *kernel_avx512;
  demi_bind_fn *bind; /* from a demi_normal_choice */
  double (*stable_dt)(const void *parameters, double effective_mass, double effective_radius, double speed);
  double (*range)(const void *parameters, double effective_radius); /* contacts hold up to this gap; NULL: they end at touch */
  int32_t parameter_bytes;
  uint32_t capabilities; /* DEM_PART_... beside ENERGY and TANGENT */
  uint32_t traits;
} demi_normal_kind;

typedef struct demi_tangential_kind {
  const char *name;
  demi_evaluate *kernel_base, *kernel_avx2, *kernel_avx512;
  int32_t history[2]; /* DEM_HISTORY_... of each item; 0: none */
  uint32_t capabilities, traits;
} demi_tangential_kind;

/* Rows by DEM_NORMAL_... and DEM_TANGENTIAL_..., and the highest kind. */
extern const demi_normal_kind demi_normal_kinds[];
extern const demi_tangential_kind demi_tangential_kinds[];
extern const int32_t demi_last_normal_kind, demi_last_tangential_kind;

/* Titles and numbers of the normal kinds with a trait, as "Hooke (1) and Hertz (2)". */
enum { DEMI_KINDS_TEXT = 160 };
const char *demi_normal_kinds_with(uint32_t trait, char text[DEMI_KINDS_TEXT]);

/* Rows of a kernel; for DEMI_BASE_ONLY see context.h. */
#ifdef DEMI_BASE_ONLY
#define DEMI_KERNELS(name) demi_##name##_base, NULL, NULL
#else
#define DEMI_KERNELS(name) demi_##name##_base, demi_##name##_avx2, demi_##name##_avx512
#endif

/* ---- what the bindings share ---- */

/* A part that offers energies and derivatives, and what else `capabilities` says. */
dem_law_part demi_builtin_part(int32_t kind, const char *name, demi_evaluate *evaluate, uint32_t capabilities);

/* Damping ratio of a choice; 0 where it is not given by a restitution. */
double demi_choice_ratio(int32_t mode, int32_t attraction, double restitution);

/* Dashpot and attraction of a normal part; factor: `ratio` of a damping ratio of 1, 2 for Hooke and 2 sqrt(5/6) for Hertz. */
void demi_resolve_normal(const demi_normal_choice *choice, double factor, demi_normal_parameters *parameters);

/* Parameters of a tangential part from a demi_tangential_choice. */
demi_bind_fn demi_bind_tangential;

/* Time step limit of the oscillator of stiffness k on mass m*: 2 sqrt(m/k) is the limit of velocity-Verlet; a dashpot c, which sees
 * the half-step velocity, shortens it to where k dt^2/m + 2 c dt/m = 4. */
double demi_oscillator_limit(double k, double c, double mass);

#endif
