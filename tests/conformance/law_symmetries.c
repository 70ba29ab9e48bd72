/* Symmetries that every law has, held to 1e-12 of the size of the force, a few hundred roundings. */
#include "law_states.h"

static const double EXACT = 1e-12;

/* Force, but for adhesion, and energy end with the contact; nothing moves, nothing dissipates. */
static void vanishes_at_touch(const suite *s) {
  dem_probe near = contact(s, s->overlap * 1e-9, 0), at = contact(s, s->overlap, 0), *p = &near;
  evaluate(s, &near);
  evaluate(s, &at);
  HOLDS(at.normal_elastic > 0);
  HOLDS(at.adhesion >= 0 && near.adhesion >= 0);
  HOLDS(s->facts->gap > 0 || fabs(near.normal_elastic + near.adhesion) <= 1e-6 * at.normal_elastic);
  HOLDS(at.normal_damping == 0 && near.normal_damping == 0);
  HOLDS(length(at.tangential_elastic) == 0 && length(at.tangential_damping) == 0 && at.sliding == 0);
  HOLDS(isnan(at.normal_energy) ||
        fabs(near.normal_energy) <= 1e-12 * fabs(at.normal_energy) + 1e-9 * at.adhesion * s->overlap);
  HOLDS(at.history_count >= 0 && at.history_count <= DEM_HISTORY_CAPACITY);
}

/* The same contact seen in another frame: every step of a walk gives the same force, turned. */
static void turns_with_the_frame(const suite *s) {
  static const double m[3][3] = {
      {-20 / 30., 4 / 30., 22 / 30.}, {20 / 30., -10 / 30., 20 / 30.}, {10 / 30., 28 / 30., 4 / 30.}};
  dem_probe here = contact(s, s->overlap, 0), there = here, *p = &there;
  dice d = {1};
  for (int k = 0; k < 3; k++) there.normal[k] = m[k][2];
  for (int i = 0; i < 60; i++) {
    double a[3], b[3], size;
    walk(s, &here, i, &d);
    there.overlap = here.overlap;
    there.dt = here.dt;
    for (int k = 0; k < 3; k++) there.velocity[k] = dot(m[k], here.velocity);
    for (int k = 0; k < 3; k++) there.turning[k] = dot(m[k], here.turning);
    evaluate(s, &here);
    evaluate(s, &there);
    tangential_force(&here, a);
    tangential_force(&there, b);
    size = fabs(normal_force(&here)) + s->stiffness * s->overlap;
    HOLDS(fabs(normal_force(&here) - normal_force(&there)) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(dot(m[k], a) - b[k]) <= EXACT * 60 * size);
    HOLDS(fabs(here.sliding - there.sliding) <= EXACT * 60 * size * s->overlap);
    for (int k = 0; k < 3; k++) HOLDS(fabs(dot(m[k], here.moment) - there.moment[k]) <= EXACT * 60 * size * s->radius);
    HOLDS(fabs(here.rolling_sliding - there.rolling_sliding) <= EXACT * 60 * size * s->overlap);
    HOLDS(fabs(here.twisting_sliding - there.twisting_sliding) <= EXACT * 60 * size * s->overlap);
  }
}

/* i and j change places: normal, velocity, turning, force and moment turn sign, sizes stay. */
static void swaps_with_the_bodies(const suite *s) {
  dem_probe ij = contact(s, s->overlap, 0), ji = ij, *p = &ji;
  dice d = {2};
  ji.normal[2] = -1;
  for (int i = 0; i < 60; i++) {
    double a[3], b[3], size;
    walk(s, &ij, i, &d);
    ji.overlap = ij.overlap;
    ji.dt = ij.dt;
    for (int k = 0; k < 3; k++) ji.velocity[k] = -ij.velocity[k];
    for (int k = 0; k < 3; k++) ji.turning[k] = -ij.turning[k];
    evaluate(s, &ij);
    evaluate(s, &ji);
    tangential_force(&ij, a);
    tangential_force(&ji, b);
    size = fabs(normal_force(&ij)) + s->stiffness * s->overlap;
    HOLDS(fabs(normal_force(&ij) - normal_force(&ji)) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(a[k] + b[k]) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(ij.moment[k] + ji.moment[k]) <= EXACT * size * s->radius);
    /* neither pseudo-force nor torque does: both are products of two that turn */
    for (int k = 0; k < 3; k++) HOLDS(fabs(ij.rolling_elastic[k] - ji.rolling_elastic[k]) <= EXACT * size);
    HOLDS(fabs(ij.twisting_elastic - ji.twisting_elastic) <= EXACT * size * s->radius);
  }
}

/* Bodies that turn alike meet no resistance, however they turn. */
static void rests_when_bodies_turn_alike(const suite *s) {
  dem_probe at = contact(s, s->overlap, 0.01 * s->overlap / s->speed), *p = &at;
  for (int i = 0; i < 5; i++) {
    evaluate(s, &at);
    HOLDS(length(at.moment) == 0 && at.rolling_sliding == 0 && at.twisting_sliding == 0);
  }
}

/* The law keeps nothing for itself: the same contact gives the same bits whatever was evaluated between. */
static void is_a_pure_function(const suite *s) {
  dem_probe start = contact(s, s->overlap, 0), *p = &start;
  dice d = {3};
  for (int i = 0; i < 20; i++) {
    walk(s, &start, i, &d);
    dem_probe once = start, other = contact(s, 2 * s->overlap, 0.1 * s->overlap / s->speed), again = start;
    other.velocity[0] = s->speed;
    evaluate(s, &once);
    evaluate(s, &other);
    evaluate(s, &again);
    HOLDS(memcmp(&once, &again, sizeof once) == 0);
    start = once;
  }
}

/* An evaluation with dt = 0 at the state just reached leaves the history and the force. */
static void rests_when_time_stands(const suite *s) {
  dem_probe moved = contact(s, s->overlap, 0), *p = &moved;
  dice d = {4};
  double largest = 0; /* history so far: what a value near 0 is to be compared with */
  for (int i = 0; i < 40; i++) {
    double a[3], b[3];
    walk(s, &moved, i, &d);
    evaluate(s, &moved);
    for (int k = 0; k < moved.history_count; k++) largest = fmax(largest, fabs(moved.history[k]));
    dem_probe still = moved;
    still.dt = 0;
    evaluate(s, &still);
    tangential_force(&moved, a);
    tangential_force(&still, b);
    double size = s->stiffness * s->overlap + fabs(normal_force(&moved));
    for (int k = 0; k < 3; k++) HOLDS(fabs(a[k] - b[k]) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(moved.moment[k] - still.moment[k]) <= EXACT * size * s->radius);
    for (int k = 0; k < moved.history_count; k++) HOLDS(fabs(still.history[k] - moved.history[k]) <= EXACT * largest);
    HOLDS(still.sliding <= EXACT * size * s->overlap);
  }
}

void law_symmetries(const suite *s) {
  vanishes_at_touch(s);
  turns_with_the_frame(s);
  swaps_with_the_bodies(s);
  is_a_pure_function(s);
  rests_when_time_stands(s);
  rests_when_bodies_turn_alike(s);
}
