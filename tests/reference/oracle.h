/* A sphere on a fixed plane, step by step in scalar code that shares nothing with the library: the bridge between the
 * library and the LAMMPS series. It knows every variant of LAMMPS's tangential models, reproduces each series to round-off
 * (asserted), and is then run with exactly the library's variant.
 *
 * Plane z = 0, motion in x and z, spin about y. Contact arm R. Velocity-Verlet with forces at (x_{n+1}, v_{n+1/2}). */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <math.h>

typedef struct oracle {
  double dt, mass, inertia, radius;
  int hertz;
  double young, shear;    /* effective moduli, Hertz */
  double kn, kt;          /* stiffnesses, Hooke */
  double cn, ct;          /* dashpots, Hooke [force time/length] */
  double beta;            /* -ln e / sqrt(ln^2 e + pi^2), Hertz */
  double shear_factor;    /* LAMMPS x_gamma_t: c_t = factor c_n, Hertz */
  int shear_by_stiffness; /* the library: c_t = 2 sqrt(5/6) beta sqrt(S_t m*) instead */
  double friction;
  int force_history;      /* the stored quantity is the force, not the displacement */
  int rescale;            /* scaled with the contact radius on unloading */
  double x, z, vx, vz, w; /* state */
  double stored, contact_radius;
  double fx, fz, torque;
} oracle;

/* Dashpot and stiffness at this overlap. */
static inline void oracle_coefficients(const oracle *o, double overlap, double *fe, double *cn, double *kt, double *ct) {
  const double a = sqrt(o->radius * overlap), five = 2 * sqrt(5.0 / 6) * o->beta;
  *fe = o->hertz ? 4.0 / 3 * o->young * a * overlap : o->kn * overlap;
  *cn = o->hertz ? five * sqrt(2 * o->young * a * o->mass) : o->cn;
  *kt = o->hertz ? 8 * o->shear * a : o->kt;
  *ct = !o->hertz ? o->ct : o->shear_by_stiffness ? five * sqrt(*kt * o->mass) : o->shear_factor * *cn;
}

static inline double oracle_friction(oracle *o, double a, double kt, double ct, double slip, double cap) {
  if (o->rescale && a < o->contact_radius) o->stored *= a / o->contact_radius;
  o->contact_radius = a;
  o->stored += o->force_history ? -kt * slip * o->dt : slip * o->dt;
  double f = (o->force_history ? o->stored : -kt * o->stored) - ct * slip;
  if (fabs(f) <= cap) return f;
  f *= cap / fabs(f);
  o->stored = o->force_history ? f + ct * slip : -(f + ct * slip) / kt;
  return f;
}

static inline void oracle_force(oracle *o) {
  const double overlap = o->radius - o->z;
  o->fx = o->fz = o->torque = 0;
  if (overlap <= 0) {
    o->stored = o->contact_radius = 0;
    return;
  }
  double fe, cn, kt, ct;
  oracle_coefficients(o, overlap, &fe, &cn, &kt, &ct);
  o->fz = fe - cn * o->vz;
  o->fx = oracle_friction(o, sqrt(o->radius * overlap), kt, ct, o->vx - o->radius * o->w, o->friction * fabs(o->fz));
  o->torque = -o->radius * o->fx;
}

static inline void oracle_kick(oracle *o, double time) {
  o->vx += time * o->fx / o->mass;
  o->vz += time * o->fz / o->mass;
  o->w += time * o->torque / o->inertia;
}

static inline void oracle_step(oracle *o, long steps) {
  for (long s = 0; s < steps; s++) {
    oracle_kick(o, o->dt / 2);
    o->x += o->dt * o->vx;
    o->z += o->dt * o->vz;
    oracle_force(o);
    oracle_kick(o, o->dt / 2);
  }
}

#endif
