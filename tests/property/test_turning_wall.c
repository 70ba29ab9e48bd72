/* The force of a wall that turns, in the improved velocity-Verlet scheme: the tangential velocity is that in the frame of half a step
 * before, turned with the wall into the present one. With a plane through p that turns at w across its normal, after a step h,
 *
 *   n' = R(-w h/2) n,   x' = x - v h/2,   a' = (x' - p).n',   v_t' = (1 - n'n')(v - a' s x n' - w x (x' - a' n' - p)),
 *   f = k (R - (x - p).n) n - c R(w h/2) v_t',
 *
 * with the velocity v and the spin s that the force was computed with. The library turns to second order in the angle: 0.02 here. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "vectors.h"

static const double STIFFNESS = 7, DASHPOT = 3, DT = 0.01;

/* v turned by the angle |w| t about w. */
static void turn(const double *w, double t, const double *v, double *out) {
  const double rate = sqrt(dot(w, w)), angle = rate * t;
  double axis[3], c[3];
  for (int a = 0; a < 3; a++) axis[a] = w[a] / rate;
  cross(axis, v, c);
  const double along = dot(axis, v);
  for (int a = 0; a < 3; a++) out[a] = v[a] * cos(angle) + c[a] * sin(angle) + axis[a] * along * (1 - cos(angle));
}

/* A plane through the origin that turns at w, normal n at the start. */
static void open_plane(world *home, const double *n, const double *w) {
  world_options o = world_defaults();
  o.system.dt = DT;
  o.integrator = "improved-velocity-verlet";
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.tangential = DEM_TANGENTIAL_VISCOUS;
  o.law.normal_stiffness = STIFFNESS;
  o.law.friction = 1e9; /* never slips */
  o.law.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.law.shear_damping = DASHPOT;
  world_open(home, &o);
  dem_wall wall = wall_plane(0, 0, 0, n[0], n[1], n[2]);
  wall_drive(&wall, w[0], w[1], w[2]);
  world_add_wall(home, &wall);
}

static void expected(const double *n0, const double *w, const double *x, const double *v, const double *spin, double *f) {
  double half[3], now[3], at[3], around[3], lever[3], carried[3], slide[3], turned[3];
  turn(w, 0.5 * DT, n0, half);
  turn(w, DT, n0, now);
  for (int a = 0; a < 3; a++) at[a] = x[a] - 0.5 * DT * v[a];
  const double arm = dot(at, half);
  for (int a = 0; a < 3; a++) lever[a] = at[a] - arm * half[a];
  cross(spin, half, around);
  cross(w, lever, carried);
  for (int a = 0; a < 3; a++) slide[a] = v[a] - arm * around[a] - carried[a];
  const double away = dot(slide, half);
  for (int a = 0; a < 3; a++) slide[a] -= away * half[a];
  turn(w, 0.5 * DT, slide, turned);
  for (int a = 0; a < 3; a++) f[a] = STIFFNESS * (0.5 - dot(x, now)) * now[a] - DASHPOT * turned[a];
}

static void unit_vector(dice *d, double *out) {
  do
    for (int k = 0; k < 3; k++) out[k] = dice_uniform(d, -1, 1);
  while (dot(out, out) < 0.1);
  const double length = sqrt(dot(out, out));
  for (int k = 0; k < 3; k++) out[k] /= length;
}

static void check(dice *d) {
  double n[3], any[3], w[3], x[3], v[3], spin[3], f[3], wanted[3];
  world plane;
  unit_vector(d, n);
  unit_vector(d, any);
  cross(n, any, w);
  const double rate = 4 / sqrt(dot(w, w)), height = dice_uniform(d, 0.43, 0.46);
  cross(w, n, x);
  for (int a = 0; a < 3; a++) {
    w[a] *= rate;
    x[a] = 0.3 * x[a] + height * n[a];
    v[a] = dice_uniform(d, -1, 1);
  }
  open_plane(&plane, n, w);
  world_add_sphere(&plane, 0.5, x, v, (double[3]){v[1], v[2], v[0]});
  ASSERT_OK(plane.system, dem_system_step(plane.system, 1));
  world_read(&plane, DEM_POSITION, x);
  world_read(&plane, DEM_HALF_VELOCITY, v);
  world_read(&plane, DEM_HALF_SPIN, spin);
  world_read(&plane, DEM_FORCE, f);
  expected(n, w, x, v, spin, wanted);
  for (int a = 0; a < 3; a++) ASSERT_ABS(f[a], wanted[a], 1e-4);
  world_close(&plane);
}

static void turns_the_force_along(void **state) {
  (void)state;
  dice d = {31};
  for (int i = 0; i < 60; i++) check(&d);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_the_force_along),
  };
  return cmocka_run_group_tests_name("turning_wall", tests, NULL, NULL);
}
