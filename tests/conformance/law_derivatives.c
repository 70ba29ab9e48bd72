/* Every derivative that a law gives, and every one that it takes as 0, against differences: outputs F (forces along n, across n, of
 * rolling and twisting, adhesion, contact radius, the forces that limit friction) by inputs x (overlap, v_n, v_t, v_r, w_n), the full
 * matrix.
 *
 * D(h) = (F(x + h) - F(x - h))/2h at h, h/2, h/4 gives R1 = (4 D(h/2) - D(h))/3 and R2 = (4 D(h/4) - D(h/2))/3, whose errors are of the
 * order h^4; |R2 - R1| bounds that of R2 from above. The law's value may differ from R2 by 4 |R2 - R1|, round-off of F over h, and 1e-8
 * of the size of such derivatives.
 *
 * Where F has a kink there is no derivative. One-sided differences tell: forward and backward ones differ by h F'', which falls with
 * h, for smooth functions, and by the jump of the slope at a kink. A kink beside x, within h, makes |R2 - R1| large, and sliders that
 * hold at one point and slip at another tell it too. Such entries are left out; they may be one in ten at most. */
#include "law_states.h"

enum { BY_OVERLAP, BY_APPROACH, BY_SLIDE, BY_ROLL = BY_SLIDE + 2, BY_TWIST = BY_ROLL + 2, INPUTS };
enum { NORMAL, SLIDE, ROLL = SLIDE + 2, TWIST = ROLL + 2, ADHESION, RADIUS, FRICTION, TURNING, OUTPUTS };
static const char *const inputs[] = {"overlap", "v_n", "v_t 1", "v_t 2", "v_r 1", "v_r 2", "w_n"};
static const char *const outputs[] = {"f_n", "f_t 1",    "f_t 2",          "f_r 1",          "f_r 2",
                                      "M_t", "adhesion", "contact_radius", "friction_force", "turning_friction_force"};

/* Kinds of states, to know that each was met. */
enum { STICKS, SLIPS, ATTRACTS, SEPARATES, NEAR_CAP, LAGGED, STANDS, CLASSES };

typedef struct survey {
  const suite *s;
  double plane[2][3];
  int compared, left_out, met[CLASSES];
} survey;

/* ---- what is differentiated, and what the law says ---- */

static void read_outputs(const survey *v, const dem_probe *p, double out[OUTPUTS]) {
  double slide[3], roll[3];
  tangential_force(p, slide);
  rolling_force(p, roll);
  out[NORMAL] = force_along_normal(p);
  out[TWIST] = twisting_torque(p);
  out[ADHESION] = p->adhesion;
  out[RADIUS] = p->contact_radius;
  out[FRICTION] = p->friction_force;
  out[TURNING] = p->turning_friction_force;
  for (int k = 0; k < 2; k++) {
    out[SLIDE + k] = dot(slide, v->plane[k]);
    out[ROLL + k] = dot(roll, v->plane[k]);
  }
}

static void move(const survey *v, dem_probe *p, int input, double amount) {
  const double *n = p->normal, *e = v->plane[input == BY_SLIDE + 1 || input == BY_ROLL + 1];
  if (input == BY_OVERLAP) p->overlap += amount;
  for (int k = 0; k < 3; k++) {
    /* v_r = -R* n x w moves along e with w along n x e */
    const double turned = (n[(k + 1) % 3] * e[(k + 2) % 3] - n[(k + 2) % 3] * e[(k + 1) % 3]) / p->effective_radius;
    if (input == BY_APPROACH) p->velocity[k] += amount * n[k];
    if (input == BY_SLIDE || input == BY_SLIDE + 1) p->velocity[k] += amount * e[k];
    if (input == BY_ROLL || input == BY_ROLL + 1) p->turning[k] += amount * turned;
    if (input == BY_TWIST) p->turning[k] += amount * n[k];
  }
}

/* -(a (1 - nn) + b ss), s along f, applied to `in`, along `out`. */
static double plane_derivative(const double *f, double isotropic, double along, const double *out, const double *in) {
  const double square = dot(f, f);
  return -(isotropic * dot(out, in) + (square > 0 ? along * dot(out, f) * dot(f, in) / square : 0));
}

static void read_claims(const survey *v, const dem_probe *p, double claim[OUTPUTS][INPUTS]) {
  double slide[3], roll[3];
  tangential_force(p, slide);
  rolling_force(p, roll);
  memset(claim, 0, OUTPUTS * sizeof *claim);
  claim[NORMAL][BY_OVERLAP] = p->normal_stiffness;
  claim[NORMAL][BY_APPROACH] = -p->normal_viscosity;
  claim[TWIST][BY_OVERLAP] = p->twisting_overlap;
  claim[TWIST][BY_APPROACH] = p->twisting_normal_velocity;
  claim[TWIST][BY_TWIST] = -p->twisting_viscosity;
  claim[ADHESION][BY_OVERLAP] = p->adhesion_slope;
  claim[RADIUS][BY_OVERLAP] = p->contact_radius_slope;
  claim[FRICTION][BY_OVERLAP] = p->friction_overlap;
  claim[FRICTION][BY_APPROACH] = p->friction_normal_velocity;
  claim[TURNING][BY_OVERLAP] = p->turning_friction_overlap;
  claim[TURNING][BY_APPROACH] = p->turning_friction_normal_velocity;
  for (int k = 0; k < 2; k++) {
    const double *e = v->plane[k];
    claim[NORMAL][BY_SLIDE + k] = dot(p->normal_tangential_velocity, e);
    claim[SLIDE + k][BY_OVERLAP] = dot(p->tangential_overlap, e);
    claim[SLIDE + k][BY_APPROACH] = dot(p->tangential_normal_velocity, e);
    claim[ROLL + k][BY_OVERLAP] = dot(p->rolling_overlap, e);
    claim[ROLL + k][BY_APPROACH] = dot(p->rolling_normal_velocity, e);
    for (int m = 0; m < 2; m++) {
      claim[SLIDE + k][BY_SLIDE + m] = plane_derivative(slide, p->tangential_isotropic, p->tangential_along, e, v->plane[m]);
      claim[ROLL + k][BY_ROLL + m] = plane_derivative(roll, p->rolling_isotropic, p->rolling_along, e, v->plane[m]);
    }
  }
}

/* ---- differences ---- */

/* Length by which an input changes: typical ones; where a velocity across n is small, a force along it bends within it. */
static double scale_of(const suite *s, const dem_probe *at, int input) {
  double v[3], vn = dot(at->velocity, at->normal);
  for (int k = 0; k < 3; k++) v[k] = at->velocity[k] - vn * at->normal[k];
  if (input == BY_ROLL || input == BY_ROLL + 1) rolling_velocity(at, v);
  if (input == BY_OVERLAP) return s->overlap;
  if (input == BY_APPROACH) return s->speed;
  if (input == BY_TWIST) return s->speed / s->radius;
  return fmin(s->speed, fmax(length(v), 1e-2 * s->speed));
}

/* Size of an output, and of its derivatives, which are compared relative to it. */
static double size_of(const suite *s, const dem_probe *at, int output) {
  const double force = fabs(normal_force(at)) + at->adhesion + s->stiffness * s->overlap;
  return output == RADIUS ? s->radius : output == TWIST ? force * s->radius : force;
}

static double derivative_size(const suite *s, const dem_probe *at, int output, int input) {
  const double overlap = fabs(at->normal_stiffness) + s->stiffness;
  const double speed = fabs(at->normal_viscosity) + fabs(at->tangential_isotropic) + fabs(at->rolling_isotropic) +
                       fabs(at->twisting_viscosity) / (s->radius * s->radius) + s->stiffness * at->dt;
  const double by = input == BY_OVERLAP ? overlap : input == BY_TWIST ? speed * s->radius : speed;
  return by * size_of(s, at, output) / size_of(s, at, NORMAL);
}

/* R1, R2 and one-sided differences, of every output by one input. */
typedef struct differences {
  double first[OUTPUTS], second[OUTPUTS], jump[2][OUTPUTS];
  int crosses; /* sliders that slip at one point and hold at another, or a normal force that turns sign */
} differences;

/* Which branch of the law a state is on, as far as a probe tells. */
static int branch_of(const dem_probe *p) {
  return (p->sliding > 0) + 2 * (p->rolling_sliding > 0) + 4 * (p->twisting_sliding > 0) +
         8 * (normal_force(p) + p->adhesion < 0);
}

static const double WIDTH = 4e-4; /* h of the first difference, relative */

static differences differ(const survey *v, const dem_probe *at, int input, double scale) {
  double middle[OUTPUTS], slope[3][OUTPUTS];
  differences d;
  dem_probe q = *at;
  evaluate(v->s, &q);
  read_outputs(v, &q, middle);
  const int branch = branch_of(&q);
  d.crosses = 0;
  for (int k = 0; k < 3; k++) {
    const double h = WIDTH * scale / (1 << k);
    double up[OUTPUTS], down[OUTPUTS];
    for (int side = 0; side < 2; side++) {
      q = *at;
      move(v, &q, input, side ? h : -h);
      evaluate(v->s, &q);
      read_outputs(v, &q, side ? up : down);
      d.crosses |= branch_of(&q) != branch;
    }
    for (int o = 0; o < OUTPUTS; o++) {
      slope[k][o] = (up[o] - down[o]) / (2 * h);
      if (k != 1) d.jump[k / 2][o] = fabs((up[o] - middle[o]) - (middle[o] - down[o])) / h;
    }
  }
  for (int o = 0; o < OUTPUTS; o++) {
    d.first[o] = (4 * slope[1][o] - slope[0][o]) / 3;
    d.second[o] = (4 * slope[2][o] - slope[1][o]) / 3;
  }
  return d;
}

static int has_kink(const differences *d, int output, double size, double rounding) {
  if (d->crosses || fabs(d->second[output] - d->first[output]) > 1e-5 * size + rounding) return 1;
  return d->jump[1][output] > 1e-7 * size + 2 * rounding && d->jump[1][output] > 0.5 * d->jump[0][output];
}

static void compare(survey *v, const dem_probe *at, const dem_probe *after, int input, double claim[OUTPUTS][INPUTS]) {
  const double scale = scale_of(v->s, at, input);
  const differences d = differ(v, at, input, scale);
  for (int o = 0; o < OUTPUTS; o++) {
    const double claimed = claim[o][input], size = derivative_size(v->s, after, o, input);
    const double rounding = 64 * 2.2e-16 * size_of(v->s, after, o) / (WIDTH / 4 * scale);
    if (isnan(claimed) || (o == RADIUS && isnan(after->contact_radius))) continue; /* not offered */
    if (has_kink(&d, o, size, rounding)) {
      v->left_out++;
      continue;
    }
    v->compared++;
    const double bound = 1e-8 * size + rounding + 4 * fabs(d.second[o] - d.first[o]);
    if (fabs(d.second[o] - claimed) <= bound) continue;
    print_state(v->s, at);
    fail_msg("%s: d %s/d %s is given as %g; differences give %g, within %g (size %g%s)", v->s->facts->name, outputs[o],
             inputs[input], claimed, d.second[o], bound, size, at->friction_lagged ? ", lagged" : "");
  }
}

/* ---- states ---- */

static int slips(const dem_probe *p) { return p->sliding > 0 || p->rolling_sliding > 0 || p->twisting_sliding > 0; }

static void meet(survey *v, const dem_probe *start, const dem_probe *after, int near_cap) {
  v->met[slips(after) ? SLIPS : STICKS]++;
  v->met[ATTRACTS] += normal_force(after) < 0;
  v->met[SEPARATES] += dot(start->velocity, start->normal) > 0;
  v->met[NEAR_CAP] += near_cap;
  v->met[LAGGED] += start->friction_lagged;
  v->met[STANDS] += start->dt == 0;
}

static void compare_all(survey *v, const dem_probe *start, int near_cap) {
  double claim[OUTPUTS][INPUTS];
  dem_probe after = *start;
  plane_of(start->normal, v->plane[0], v->plane[1]);
  evaluate(v->s, &after);
  read_claims(v, &after, claim);
  meet(v, start, &after, near_cap);
  for (int k = 0; k < INPUTS; k++) compare(v, start, &after, k, claim);
}

static dem_probe slowed(const dem_probe *p, double factor) {
  dem_probe q = *p;
  for (int k = 0; k < 3; k++) q.velocity[k] *= factor, q.turning[k] *= factor;
  return q;
}

/* Motion across n and turning alone, the approach as it is. */
static dem_probe quickened(const dem_probe *p, double factor) {
  const double vn = dot(p->velocity, p->normal);
  dem_probe q = slowed(p, factor);
  for (int k = 0; k < 3; k++) q.velocity[k] += (1 - factor) * vn * p->normal[k];
  return q;
}

/* The motion at which the first slider gives way, as a multiple of that of p; 0 where none does. */
static double limit_of_motion(const suite *s, const dem_probe *p) {
  double low = 0, high = 1000;
  for (int k = 0; k < 50; k++) {
    const double middle = 0.5 * (low + high);
    dem_probe q = quickened(p, middle);
    evaluate(s, &q);
    *(slips(&q) ? &high : &low) = middle;
  }
  return high == 1000 ? 0 : low;
}

/* A new contact, moved half way to the limit of friction, and then to 1 % before or beyond it. Returns 0 where there is no limit. */
static int to_the_cap(const suite *s, dem_probe *p, int beyond) {
  dem_probe half = *p;
  memset(half.history, 0, sizeof half.history);
  half = quickened(&half, 0.5 * limit_of_motion(s, &half));
  evaluate(s, &half);
  dem_probe end = *p;
  memcpy(end.history, half.history, sizeof end.history);
  const double limit = limit_of_motion(s, &end);
  if (!(limit > 0)) return 0;
  *p = quickened(&end, (beyond ? 1.01 : 0.99) * limit);
  return 1;
}

/* With the limiting forces of an evaluation before, between half and one and a half times those of this state: the same forces give the
 * same bits. */
static void lag(survey *v, const dem_probe *start, dice *d) {
  dem_probe now = *start, lagged = *start;
  evaluate(v->s, &now);
  lagged.friction_lagged = 1;
  lagged.friction_force = now.friction_force;
  lagged.turning_friction_force = now.turning_friction_force;
  dem_probe same = lagged, *p = &same;
  const suite *s = v->s;
  evaluate(s, &same);
  HOLDS(memcmp(same.tangential_elastic, now.tangential_elastic, sizeof now.tangential_elastic) == 0);
  HOLDS(memcmp(same.tangential_damping, now.tangential_damping, sizeof now.tangential_damping) == 0);
  HOLDS(memcmp(same.moment, now.moment, sizeof now.moment) == 0 && same.tangential_normal == now.tangential_normal);
  HOLDS(memcmp(same.history, now.history, sizeof now.history) == 0 && same.sliding == now.sliding);
  lagged.friction_force *= dice_uniform(d, 0.5, 1.5);
  lagged.turning_friction_force *= dice_uniform(d, 0.5, 1.5);
  compare_all(v, &lagged, 0);
}

static void compare_state(survey *v, const dem_probe *start, int i, dice *d) {
  dem_probe at = *start;
  int near = 0;
  if (i % 3 == 0) at = slowed(&at, 0.02); /* so that springs stick */
  if (i % 3 == 1 && i % 2) near = to_the_cap(v->s, &at, i % 4 == 1);
  if (i % 17 == 16) at.dt = 0;
  compare_all(v, &at, near);
  if (i % 3 != 0) lag(v, &at, d);
}

/* Every kind of state that the law has must have been met. */
static void has_met_all(const survey *v, int springs) {
  const suite *s = v->s;
  const dem_probe at = contact(s, s->overlap, 0), *p = &at;
  const int mu = s->facts->friction > 0 && s->facts->friction < 10;
  if (v->compared < 9 * v->left_out)
    fail_msg("%s: %d of %d derivatives sat on kinks", s->facts->name, v->left_out, v->left_out + v->compared);
  HOLDS(v->met[SEPARATES] >= 10 && v->met[LAGGED] >= 10 && v->met[STANDS] >= 4);
  if (mu && springs && (v->met[STICKS] < 5 || v->met[SLIPS] < 5 || v->met[NEAR_CAP] < 4))
    fail_msg("%s: of its states %d stick, %d slip, %d are near the limit of friction", s->facts->name, v->met[STICKS],
             v->met[SLIPS], v->met[NEAR_CAP]);
  HOLDS(s->facts->gap == 0 || v->met[ATTRACTS] >= 10);
}

/* Across a gap the gap part acts alone. */
static void compare_gaps(survey *v, dice *d) {
  const suite *s = v->s;
  dem_probe start = contact(s, s->overlap, 0);
  for (int i = 0; s->facts->fluid_outer > 0 && i < 40; i++) {
    walk(s, &start, i, d);
    start.overlap = -dice_uniform(d, s->facts->fluid_inner, s->facts->fluid_outer);
    compare_all(v, &start, 0);
  }
}

void law_derivatives(const suite *s) {
  survey v = {.s = s};
  dem_probe start = contact(s, s->overlap, 0);
  dice d = {6};
  int springs = 0;
  for (int i = 0; i < 72; i++) {
    walk(s, &start, i, &d);
    dem_probe after = start;
    evaluate(s, &after);
    if (isnan(after.normal_stiffness) && isnan(after.tangential_isotropic)) return;
    springs |= after.tangential_energy > 0;
    compare_state(&v, &start, i, &d);
    memcpy(start.history, after.history, sizeof start.history);
  }
  has_met_all(&v, springs);
  compare_gaps(&v, &d);
}
