/* The response of a bond (bond_response.h) differentiated along one motion after the other; see bond_tangent.h. A leading d marks the
 * derivative of a quantity along the present motion. With n = r/|r|, a = n.dr:
 *   dn = (dr - a n)/|r|,   d|r| = a,   d arm_k = arm_k/|r| a,   s = a_i w_i + a_j w_j,   w = w_i - w_j,
 *   across = v - (v.n) n - s x n,   bend = w - (w.n) n,   spin = w.n,   mean = (w_i + w_j).n/2,
 * a vector x carried along by the angle A = mean dt: y = |x| z/|z|,  z = x' + A n x x',  x' = x - (x.n) n,
 *   dy = |x|/|z| (dz - z (z.dz)/|z|^2),   dz = dx' + dA n x x' + A (dn x x' + n x dx'),   dx' = -(x.dn) n - (x.n) dn. */
#include "bond_tangent.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The bond as it is. */
typedef struct bond {
  const demi_bond_input *in;
  const demi_bond_response *out;
  double length, share[2];         /* |r|; arms over |r| */
  double v[3], w[3], sum[3], s[3]; /* v_i - v_j, w_i - w_j, w_i + w_j, a_i w_i + a_j w_j */
  double across[3];                /* tangential force, spring and dashpot */
  double along;                    /* force along n */
} bond;

/* One motion: of r, of the relative velocity, of the spins; and the frame that follows. */
typedef struct change {
  double r[3], v[3], spin[2][3];
  double n[3], length, angle, s[3], w[3];
} change;

static bond read_bond(const demi_bond_input *in, const demi_bond_response *out) {
  const demi_bond_forces *f = &out->forces;
  bond b = {.in = in, .out = out, .length = sqrt(dot(in->span, in->span)), .along = f->elastic + f->damping};
  b.share[0] = in->radius[0] / (in->radius[0] + in->radius[1]);
  b.share[1] = 1.0 - b.share[0];
  for (int a = 0; a < 3; a++) {
    b.v[a] = in->end[0].velocity[a] - in->end[1].velocity[a];
    b.w[a] = in->end[0].spin[a] - in->end[1].spin[a];
    b.sum[a] = in->end[0].spin[a] + in->end[1].spin[a];
    b.s[a] = f->arm[0] * in->end[0].spin[a] + f->arm[1] * in->end[1].spin[a];
    b.across[a] = out->state.force[a] + f->drag[a];
  }
  return b;
}

static void follow_frame(const bond *b, change *c) {
  const double *n = b->out->forces.normal, *arm = b->out->forces.arm;
  c->length = dot(n, c->r);
  for (int a = 0; a < 3; a++) c->n[a] = b->length > 0 ? (c->r[a] - c->length * n[a]) / b->length : 0.0;
  for (int a = 0; a < 3; a++) {
    c->w[a] = c->spin[0][a] - c->spin[1][a];
    c->s[a] = arm[0] * c->spin[0][a] + arm[1] * c->spin[1][a];
    for (int end = 0; end < 2; end++) c->s[a] += b->share[end] * c->length * b->in->end[end].spin[a];
  }
  double mean = dot(b->sum, c->n);
  for (int a = 0; a < 3; a++) mean += n[a] * (c->spin[0][a] + c->spin[1][a]);
  c->angle = b->in->dt > 0 ? 0.5 * b->in->dt * mean : 0.0;
}

/* dy of a vector x of the history that is carried along. */
static void follow_carried(const bond *b, const change *c, const double *x, double dy[3]) {
  const double *n = b->out->forces.normal, out = dot(x, n), dout = dot(x, c->n);
  const double angle = b->in->dt > 0 ? 0.5 * b->in->dt * dot(b->sum, n) : 0.0;
  double flat[3], dflat[3], turned[3], first[3], second[3], z[3], dz[3];
  for (int a = 0; a < 3; a++) {
    flat[a] = x[a] - out * n[a];
    dflat[a] = -dout * n[a] - out * c->n[a];
  }
  cross(n, flat, turned);
  cross(c->n, flat, first);
  cross(n, dflat, second);
  for (int a = 0; a < 3; a++) {
    z[a] = flat[a] + angle * turned[a];
    dz[a] = dflat[a] + c->angle * turned[a] + angle * (first[a] + second[a]);
  }
  const double square = dot(z, z), scale = square > 0 ? sqrt(dot(x, x) / square) : 0.0;
  const double stretch = square > 0 ? dot(z, dz) / square : 0.0;
  for (int a = 0; a < 3; a++) dy[a] = scale * (dz[a] - z[a] * stretch);
}

/* Derivatives of the state at the end of dt and of the dashpots. */
typedef struct forces {
  double along, across[3], moment[3];
} forces;

static void follow_motion(const bond *b, const change *c, double *along, double across[3], double *spin, double bend[3]) {
  const double *n = b->out->forces.normal, vn = dot(b->v, n), wn = dot(b->w, n);
  double first[3], second[3];
  *along = dot(c->v, n) + dot(b->v, c->n);
  *spin = dot(c->w, n) + dot(b->w, c->n);
  cross(c->s, n, first);
  cross(b->s, c->n, second);
  for (int a = 0; a < 3; a++) {
    across[a] = c->v[a] - *along * n[a] - vn * c->n[a] - first[a] - second[a];
    bend[a] = c->w[a] - *spin * n[a] - wn * c->n[a];
  }
}

static forces follow_forces(const bond *b, const change *c) {
  const demi_bond_input *in = b->in;
  const demi_bond_springs *k = in->springs;
  const double *n = b->out->forces.normal, dt = in->dt > 0 ? in->dt : 0.0, kept = in->kept;
  const double c_n = in->type->normal_damping * in->mass, c_t = in->type->tangential_damping * in->mass;
  double along, across[3], spin, bend[3], force[3], moment[3];
  forces d;
  follow_motion(b, c, &along, across, &spin, bend);
  follow_carried(b, c, in->state->force, force);
  follow_carried(b, c, in->state->bending, moment);
  d.along = -kept * k->normal * c->length - c_n * along;
  for (int a = 0; a < 3; a++) {
    d.across[a] = kept * (force[a] - k->tangential * dt * across[a]) - c_t * across[a];
    d.moment[a] = kept * (moment[a] - k->bending * dt * bend[a] - k->twisting * dt * spin * n[a]);
    d.moment[a] += b->out->state.twisting * c->n[a];
  }
  return d;
}

/* Derivatives of the twelve loads: on i f_n n + f and -a_i n x f + M, on j their counterparts. */
static void follow_loads(const bond *b, change *c, double load[12]) {
  const double *n = b->out->forces.normal, *arm = b->out->forces.arm;
  double turn[3], first[3], second[3];
  follow_frame(b, c);
  const forces d = follow_forces(b, c);
  cross(n, b->across, turn);
  cross(c->n, b->across, first);
  cross(n, d.across, second);
  for (int a = 0; a < 3; a++) {
    load[a] = d.along * n[a] + b->along * c->n[a] + d.across[a];
    load[6 + a] = -load[a];
    for (int end = 0; end < 2; end++)
      load[3 + 6 * end + a] =
          (end ? -1.0 : 1.0) * d.moment[a] - arm[end] * (first[a] + second[a]) - b->share[end] * c->length * turn[a];
  }
}

static void fill_column(double matrix[12][12], int column, double sign, const double load[12]) {
  for (int r = 0; r < 12; r++) matrix[r][column] = -sign * load[r];
}

/* Places and velocities enter by their differences; each spin by itself. */
void demi_bond_find_tangent(const demi_bond_input *in, const demi_bond_response *response, demi_bond_tangent *tangent) {
  const bond b = read_bond(in, response);
  memset(tangent, 0, sizeof *tangent);
  for (int a = 0; a < 3; a++) {
    double load[12];
    change place = {.r = {a == 0, a == 1, a == 2}}, velocity = {.v = {a == 0, a == 1, a == 2}};
    follow_loads(&b, &place, load);
    for (int end = 0; end < 2; end++) fill_column(tangent->position, 6 * end + a, end ? -1 : 1, load);
    follow_loads(&b, &velocity, load);
    for (int end = 0; end < 2; end++) fill_column(tangent->rate, 6 * end + a, end ? -1 : 1, load);
    for (int end = 0; end < 2; end++) {
      change turning = {.length = 0};
      turning.spin[end][a] = 1;
      follow_loads(&b, &turning, load);
      fill_column(tangent->rate, 3 + 6 * end + a, 1, load);
    }
  }
}
