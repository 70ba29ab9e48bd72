/* Forces, next state and breaking of one bond; the equations stand in bond_response.h. */
#include "bond_response.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* ---- springs ---- */

demi_bond_springs demi_bond_springs_of(const dem_bond_type *type, double radius_i, double radius_j) {
  demi_bond_springs s;
  memset(&s, 0, sizeof s);
  s.normal = type->stiffness;
  if (type->model == DEM_BOND_HARMONIC) return s;
  const double radius = type->radius_factor * (radius_i < radius_j ? radius_i : radius_j);
  const double inertia = 0.25 * pi * radius * radius * radius * radius;
  s.area = pi * radius * radius;
  s.lever = radius / inertia;
  s.normal = type->normal_stiffness * s.area;
  s.tangential = type->tangential_stiffness * s.area;
  s.bending = type->bending_stiffness * inertia;
  s.twisting = type->twisting_stiffness * 2.0 * inertia;
  return s;
}

static double stored(double square, double stiffness) { return stiffness > 0 ? 0.5 * square / stiffness : 0.0; }

void demi_bond_energies(const demi_bond_state *state, const demi_bond_springs *s, double length, double energies[2]) {
  const double stretch = length - state->rest_length;
  energies[0] = 0.5 * s->normal * stretch * stretch;
  energies[1] = stored(dot(state->force, state->force), s->tangential) +
                stored(dot(state->bending, state->bending), s->bending) +
                stored(state->twisting * state->twisting, s->twisting);
}

/* ---- motion ---- */

/* Relative motion of the ends, in a frame; see bond_response.h. */
typedef struct motion {
  double v[3], s[3], w[3];
  double along, across[3];
  double spin, bend[3];
  double mean_spin; /* of both ends, along n */
} motion;

static void find_motion(const double *n, const double arm[2], const demi_bond_end end[2], motion *restrict m) {
  const double *vi = end[0].velocity, *vj = end[1].velocity, *wi = end[0].spin, *wj = end[1].spin;
  double turning[3];
  for (int a = 0; a < 3; a++) {
    m->v[a] = vi[a] - vj[a];
    m->w[a] = wi[a] - wj[a];
    m->s[a] = arm[0] * wi[a] + arm[1] * wj[a];
  }
  m->along = dot(m->v, n);
  m->spin = dot(m->w, n);
  m->mean_spin = 0.5 * (dot(wi, n) + dot(wj, n));
  cross(m->s, n, turning);
  for (int a = 0; a < 3; a++) m->across[a] = m->v[a] - m->along * n[a] - turning[a];
  for (int a = 0; a < 3; a++) m->bend[a] = m->w[a] - m->spin * n[a];
}

static void find_frame(const demi_bond_input *in, double length, demi_bond_forces *f) {
  for (int a = 0; a < 3; a++) f->normal[a] = length > 0 ? in->span[a] / length : a == 0;
  f->arm[0] = length * (in->radius[0] / (in->radius[0] + in->radius[1]));
  f->arm[1] = length - f->arm[0];
}

/* The frame at r - half v, its arms in the same proportion; the present one where either has no length. */
typedef struct frame {
  double n[3], arm[2];
} frame;

static frame frame_before(const demi_bond_input *in, const demi_bond_forces *now) {
  const double reach = now->arm[0] + now->arm[1];
  double r[3];
  for (int a = 0; a < 3; a++) r[a] = in->span[a] - in->half * (in->end[0].velocity[a] - in->end[1].velocity[a]);
  const double length = sqrt(dot(r, r));
  if (!(length > 0 && reach > 0)) return (frame){{now->normal[0], now->normal[1], now->normal[2]}, {now->arm[0], now->arm[1]}};
  frame f;
  for (int a = 0; a < 3; a++) f.n[a] = r[a] / length;
  f.arm[0] = now->arm[0] / reach * length;
  f.arm[1] = length - f.arm[0];
  return f;
}

/* ---- carrying along ---- */

/* x rotated by the rotation that takes the unit vector a to b the short way. */
static void turn(double *x, const double *a, const double *b) {
  const double both = 1.0 + dot(a, b), out = dot(x, b) / (both > 1e-6 ? both : 1.0);
  for (int k = 0; k < 3; k++) x[k] -= out * (a[k] + b[k]);
}

/* Projects v into the plane across n with its length kept, then rotates it about n by `angle`. A vector that is already in
 * the plane, up to round-off, stays unchanged, so that an evaluation of no time changes no bit. */
static void carry_along(double *v, const double *n, double angle) {
  const double square = dot(v, v), out = dot(v, n);
  if (out * out <= 1e-28 * square && angle == 0) return;
  double flat[3], turned[3], before[3];
  for (int a = 0; a < 3; a++) before[a] = v[a];
  for (int a = 0; a < 3; a++) flat[a] = before[a] - out * n[a];
  cross(n, flat, turned);
  for (int a = 0; a < 3; a++) turned[a] = flat[a] + angle * turned[a];
  const double after = dot(turned, turned), scale = after > 0 ? sqrt(square / after) : 0.0;
  for (int a = 0; a < 3; a++) v[a] = scale * turned[a];
}

/* The motion that the bond's springs and dashpots feel, in the present plane; `state` carried into it. */
static void carry(const demi_bond_input *in, const demi_bond_forces *now, demi_bond_state *state, motion *m) {
  find_motion(now->normal, now->arm, in->end, m);
  const double angle = in->dt > 0 ? in->dt * m->mean_spin : 0.0;
  carry_along(state->force, now->normal, angle);
  carry_along(state->bending, now->normal, angle);
}

/* The same where velocities are half a step old. The motion has only the second half of the step still before it. */
static void carry_halves(const demi_bond_input *in, const demi_bond_forces *now, demi_bond_state *state, motion *m) {
  const frame seen = frame_before(in, now);
  find_motion(seen.n, seen.arm, in->end, m);
  const double angle = in->dt > 0 ? in->dt * m->mean_spin : 0.0;
  double *const vectors[] = {state->force, state->bending, m->across, m->bend};
  for (int k = 0; k < 2; k++) carry_along(vectors[k], seen.n, angle);
  for (int k = 2; k < 4; k++) carry_along(vectors[k], seen.n, 0.5 * angle);
  for (int k = 0; k < 4; k++) turn(vectors[k], seen.n, now->normal);
}

/* ---- the next state ---- */

static void advance(demi_bond_state *state, const motion *m, const demi_bond_springs *s, double dt) {
  if (!(dt > 0)) return;
  for (int a = 0; a < 3; a++) {
    state->force[a] -= s->tangential * dt * m->across[a];
    state->bending[a] -= s->bending * dt * m->bend[a];
  }
  state->twisting -= s->twisting * dt * m->spin;
}

/* Returns the energy lost. */
static double relax(demi_bond_state *state, const demi_bond_springs *s, double length, double kept) {
  double before[2], after[2];
  if (kept == 1.0) return 0;
  demi_bond_energies(state, s, length, before);
  state->rest_length = length - kept * (length - state->rest_length);
  for (int a = 0; a < 3; a++) {
    state->force[a] *= kept;
    state->bending[a] *= kept;
  }
  state->twisting *= kept;
  demi_bond_energies(state, s, length, after);
  return before[0] + before[1] - (after[0] + after[1]);
}

static int32_t reason_to_break(const demi_bond_state *state, const dem_bond_type *t, const demi_bond_springs *s,
                               double length) {
  if (t->break_strain > 0 && length > (1.0 + t->break_strain) * state->rest_length) return DEM_BREAK_STRAIN;
  if (t->model != DEM_BOND_BEAM) return 0;
  const double tension = s->normal * (length - state->rest_length) / s->area;
  const double bending = sqrt(dot(state->bending, state->bending)) * s->lever;
  if (t->break_normal_stress > 0 && tension + bending > t->break_normal_stress) return DEM_BREAK_NORMAL_STRESS;
  const double shear = sqrt(dot(state->force, state->force)) / s->area + fabs(state->twisting) * (0.5 * s->lever);
  return t->break_shear_stress > 0 && shear > t->break_shear_stress ? DEM_BREAK_SHEAR_STRESS : 0;
}

/* ---- forces and powers ---- */

static void find_forces(const demi_bond_input *in, const motion *m, double length, demi_bond_response *out) {
  demi_bond_forces *f = &out->forces;
  f->elastic = in->springs->normal * (out->state.rest_length - length);
  f->damping = -in->type->normal_damping * in->mass * m->along;
  for (int a = 0; a < 3; a++) f->drag[a] = -in->type->tangential_damping * in->mass * m->across[a];
}

static double torque_power(const double *n, const motion *m, const double *force) {
  double turn[3];
  cross(n, force, turn);
  return -dot(turn, m->s);
}

static demi_bond_powers find_powers(const demi_bond_state *state, const demi_bond_forces *f, const motion *m) {
  demi_bond_powers p;
  double moment[3];
  demi_bond_moment(state, f, moment);
  p.normal_elastic = f->elastic * m->along;
  p.normal_damping = f->damping * m->along;
  p.torque_elastic = torque_power(f->normal, m, state->force) + dot(moment, m->w);
  p.torque_damping = torque_power(f->normal, m, f->drag);
  p.tangential_elastic = dot(state->force, m->v) + p.torque_elastic;
  p.tangential_damping = dot(f->drag, m->v) + p.torque_damping;
  return p;
}

demi_bond_powers demi_bond_powers_at(const demi_bond_state *state, const demi_bond_forces *forces, const demi_bond_end end[2]) {
  motion m;
  find_motion(forces->normal, forces->arm, end, &m);
  return find_powers(state, forces, &m);
}

/* ---- the response ---- */

static void respond_with_forces(const demi_bond_input *in, double length, demi_bond_response *out) {
  motion m;
  out->state = *in->state;
  find_frame(in, length, &out->forces);
  if (in->half > 0)
    carry_halves(in, &out->forces, &out->state, &m);
  else
    carry(in, &out->forces, &out->state, &m);
  advance(&out->state, &m, in->springs, in->dt);
  out->lost = relax(&out->state, in->springs, length, in->kept);
  out->reason = reason_to_break(&out->state, in->type, in->springs, length);
  find_forces(in, &m, length, out);
  if (!(in->ask & DEMI_BOND_POWERS)) return;
  if (in->half > 0) find_motion(out->forces.normal, out->forces.arm, in->end, &m); /* in the frame of the forces */
  out->powers = find_powers(&out->state, &out->forces, &m);
}

void demi_bond_respond(const demi_bond_input *in, demi_bond_response *out) {
  const double length = sqrt(dot(in->span, in->span));
  const int advances = in->ask & DEMI_BOND_FORCES;
  if (advances) respond_with_forces(in, length, out);
  if (in->ask & DEMI_BOND_ENERGIES) demi_bond_energies(advances ? &out->state : in->state, in->springs, length, out->energies);
}
