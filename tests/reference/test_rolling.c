/* Rolling and twisting resistance against closed forms. A sphere of radius R, mass m, I = 2/5 m R^2; its contact arm in the
 * simulation is l = R - d at the overlap d of a contact at rest, and formulas are taken with it, so that what is left is the
 * error of the integrator. */
#include "assertions.h"

#include "scenes/context.h"
#include "scenes/scenes.h"
#include "scenes/world.h"

static const char *const verlets[] = {"velocity-verlet", "improved-velocity-verlet"};

/* The sphere of all tests: diameter and mass 1. */
static const double RADIUS = 0.5, MASS = 1, INERTIA = 0.1, GRAVITY = 10;

static dem_system *create(const dem_law_options *law, const char *integrator, double dt, const double *gravity) {
  dem_system_options o;
  dem_system *s;
  dem_material m;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  o.ledger = 1;
  for (int a = 0; gravity && a < 3; a++) o.gravity[a] = gravity[a];
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = 1e7;
  m.poisson = 0.25;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, law));
  ASSERT_OK(s, dem_system_set_integrator_name(s, integrator));
  return s;
}

static void get(const dem_system *s, int32_t field, double *values) {
  int64_t count;
  ASSERT_OK(s, dem_system_particle_count(s, &count));
  ASSERT_OK(s, dem_system_get_field(s, field, count, NULL, values, 0));
}

/* A constant torque makes every kick round the spin in the same way, by half a unit in the last place at most: that is 2.2e-16 of
 * the energy, two kicks a step. */
static dem_energy books(dem_system *s) {
  dem_energy e;
  dem_statistics t;
  dem_energy_init(&e, sizeof e);
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(s, dem_system_energy(s, &e));
  ASSERT_OK(s, dem_system_statistics(s, &t));
  energy_assert_closed(&e, fmax(1e-12, 4.4e-16 * (double)t.steps), "rolling");
  return e;
}

/* Hooke, undamped along the normal, so that a contact at rest stays as it is; friction that holds. */
static dem_law_options plain_law(void) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.tangential_stiffness = 8e4;
  o.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.shear_damping = 150;
  o.friction = 1;
  return o;
}

/* ---- a sphere on a plane ---- */

/* On the plane z = 0, at rest on its spring under the part of gravity along z, rolling along x without slip. */
static dem_system *on_plane(const dem_law_options *law, const char *integrator, double dt, double slope, double speed) {
  const double g[3] = {GRAVITY * sin(slope), 0, -GRAVITY * cos(slope)};
  const double overlap = MASS * GRAVITY * cos(slope) / law->normal_stiffness;
  dem_system *s = create(law, integrator, dt, g);
  ASSERT_OK(s, scene_add_plane(s, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}));
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, RADIUS - overlap, RADIUS);
  rows_velocity(&r, 0, speed, 0, 0);
  rows_spin(&r, 0, 0, speed / (RADIUS - overlap), 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

/* Mean acceleration along x between two times. */
static double acceleration(dem_system *s, double dt, double from, double to) {
  double a[3], b[3];
  ASSERT_OK(s, dem_system_step(s, (int64_t)(from / dt + 0.5)));
  get(s, DEM_VELOCITY, a);
  ASSERT_OK(s, dem_system_step(s, (int64_t)((to - from) / dt + 0.5)));
  get(s, DEM_VELOCITY, b);
  return (b[0] - a[0]) / (to - from);
}

/* m dv/dt = m g sin(slope) - F, I dw/dt = F l - mu_r R m g cos(slope), v = l w: for l = R, 5/7 g (sin - mu_r cos). */
static double rolling_acceleration(double slope, double friction, double stiffness) {
  const double l = RADIUS - MASS * GRAVITY * cos(slope) / stiffness;
  return MASS * GRAVITY * (sin(slope) - friction * RADIUS / l * cos(slope)) / (MASS + INERTIA / (l * l));
}

/* A rolling sphere loses 5/7 mu_r g of its speed per time. */
static void rolling_decays(void **state) {
  (void)state;
  for (int model = DEM_ROLLING_SPRING; model <= DEM_ROLLING_CONSTANT; model++)
    for (int scheme = 0; scheme < 2; scheme++) {
      dem_law_options law = plain_law();
      law.rolling = model;
      law.rolling_stiffness = 1e4;
      law.rolling_friction = 0.05;
      dem_system *s = on_plane(&law, verlets[scheme], 1e-5, 0, 2);
      const double a = acceleration(s, 1e-5, 0.3, 0.6), expected = rolling_acceleration(0, 0.05, 1e5);
      ASSERT_REL(a, expected, 1e-6);
      ASSERT_REL(expected, -5. / 7 * 0.05 * GRAVITY, 1e-3);
      const dem_energy e = books(s);
      assert_true(e.rolling[1] > 0 && e.rolling[0] == 0 && e.twisting[1] == 0);
      dem_system_destroy(s);
    }
}

/* All of the energy of rolling goes into the account `rolling`, but for what slipped before the friction was built up. */
static void rolling_stops(void **state) {
  (void)state;
  for (int model = DEM_ROLLING_SPRING; model <= DEM_ROLLING_CONSTANT; model++) {
    dem_law_options law = plain_law();
    double v[3], w[3];
    law.rolling = model;
    law.rolling_stiffness = 1e4;
    law.rolling_damping = 200;
    law.rolling_friction = 0.3;
    dem_system *s = on_plane(&law, verlets[1], 1e-5, 0, 0.5);
    ASSERT_OK(s, dem_system_step(s, 60000)); /* stops after 0.5/(5/7 0.3 10) = 0.23 */
    get(s, DEM_VELOCITY, v);
    get(s, DEM_SPIN, w);
    const dem_energy e = books(s);
    ASSERT_BELOW(fabs(v[0]), 1e-6);
    ASSERT_BELOW(fabs(w[1]), 1e-6);
    const double brought = 0.5 * 0.25 + 0.5 * INERTIA * 0.25 / ((RADIUS - 1e-4) * (RADIUS - 1e-4));
    ASSERT_REL(e.rolling[1] + e.damping_tangential[1] + e.sliding[1] + e.hysteresis[1] + e.elastic_rolling[1] +
                   e.elastic_tangential[1],
               brought, 1e-9);
    /* what the capped spring is short of for its dashpot is `path`, as in sliding */
    ASSERT_REL(e.rolling[1], brought, 0.03);
    dem_system_destroy(s);
  }
}

/* Below tan(slope) = mu_r it stays, above it rolls off with 5/7 g (sin - mu_r cos). */
static void incline(void **state) {
  (void)state;
  const double friction = 0.2, critical = atan(friction);
  for (int scheme = 0; scheme < 2; scheme++) {
    dem_law_options law = plain_law();
    law.rolling = DEM_ROLLING_SPRING;
    law.rolling_stiffness = 1e4;
    law.rolling_damping = 60;
    law.rolling_friction = friction;
    double v[3];
    dem_system *below = on_plane(&law, verlets[scheme], 1e-5, 0.8 * critical, 0);
    ASSERT_OK(below, dem_system_step(below, 100000));
    get(below, DEM_VELOCITY, v);
    ASSERT_BELOW(fabs(v[0]), 1e-8);
    books(below);
    dem_system_destroy(below);
    for (int model = DEM_ROLLING_SPRING; model <= DEM_ROLLING_CONSTANT; model++) {
      law.rolling = model;
      dem_system *above = on_plane(&law, verlets[scheme], 1e-5, 1.5 * critical, 0);
      ASSERT_REL(acceleration(above, 1e-5, 0.4, 0.8), rolling_acceleration(1.5 * critical, friction, 1e5), 1e-5);
      books(above);
      dem_system_destroy(above);
    }
  }
}

/* Without memory there is nothing to hold a slope: the constant torque lets the sphere creep, with the speed at which a quarter of
 * the rolling in a step is what gravity's torque adds in it; the slower, the shorter the step. */
static void constant_torque_creeps(void **state) {
  (void)state;
  const double slope = 0.8 * atan(0.2);
  dem_law_options law = plain_law();
  law.rolling = DEM_ROLLING_CONSTANT;
  law.rolling_friction = 0.2;
  for (int fine = 0; fine < 2; fine++) {
    const double dt = fine ? 1e-5 : 2e-5;
    double v[3];
    dem_system *s = on_plane(&law, verlets[0], dt, slope, 0);
    ASSERT_OK(s, dem_system_step(s, (int64_t)(0.5 / dt)));
    get(s, DEM_VELOCITY, v);
    ASSERT_REL(v[0], 4 * MASS * GRAVITY * sin(slope) * RADIUS * dt / INERTIA * RADIUS, 1e-2);
    dem_system_destroy(s);
  }
}

/* A sphere that turns on the spot, without friction: I w' = -R^2 (k_r int w + c_r w). */
static double oscillation(double start, double frequency2, double decay, double t) {
  const double w = sqrt(frequency2 - decay * decay);
  return start * exp(-decay * t) * (cos(w * t) - decay / w * sin(w * t));
}

static void rolling_spring_oscillates(void **state) {
  (void)state;
  for (int damped = 0; damped < 2; damped++)
    for (int scheme = 0; scheme < 2; scheme++) {
      dem_law_options law = plain_law();
      double w[3];
      law.tangential = DEM_TANGENTIAL_NONE;
      law.rolling = DEM_ROLLING_SPRING;
      law.rolling_stiffness = 4e3;
      law.rolling_damping = damped ? 8 : 0;
      law.rolling_friction = 1e3;
      const double k = law.rolling_stiffness * RADIUS * RADIUS / INERTIA, c = law.rolling_damping * RADIUS * RADIUS / INERTIA;
      dem_system *s = on_plane(&law, verlets[scheme], 2e-6, 0, 0);
      ASSERT_OK(s, dem_system_set_field(s, DEM_SPIN, 1, NULL, (double[3]){0, 3, 0}, 0));
      for (int quarter = 0; quarter < 8; quarter++) {
        ASSERT_OK(s, dem_system_step(s, 5000));
        get(s, DEM_SPIN, w);
        ASSERT_ABS(w[1], oscillation(3, k, 0.5 * c, 0.01 * (quarter + 1)), 3 * (damped ? 5e-5 : 1e-7));
      }
      const dem_energy e = books(s);
      if (!damped) ASSERT_REL(e.potential_rolling[1], 0.5 * INERTIA * 9 - e.kinetic_angular, 1e-6);
      dem_system_destroy(s);
    }
}

/* ---- two spheres ---- */

static const double FORCE = 50; /* that presses them together */

static double pair_overlap(const dem_law_options *law) {
  if (law->normal == DEM_NORMAL_HOOKE) return FORCE / law->normal_stiffness;
  const double y = 1e7 / (2 * (1 - 0.0625)), r = 0.5 * RADIUS;
  return cbrt(pow(FORCE / (4. / 3 * y), 2) / r);
}

/* Along the diagonal n, pressed, at rest on their spring, turning about n by +-rate/2 and across it by +-across/2. */
static dem_system *pressed_pair(const dem_law_options *law, const char *integrator, double dt, double rate, double across) {
  const double n[3] = {2. / 3, 1. / 3, 2. / 3}, t[3] = {1 / sqrt(2), 0, -1 / sqrt(2)};
  const double half = RADIUS - 0.5 * pair_overlap(law);
  dem_system *s = create(law, integrator, dt, NULL);
  double push[6];
  rows r;
  assert_int_equal(rows_create(&r, 2), 0);
  for (int side = 0; side < 2; side++) {
    const double sign = side ? -1 : 1;
    rows_put(&r, sign * half * n[0], sign * half * n[1], sign * half * n[2], RADIUS);
    rows_spin(&r, side, sign * 0.5 * (rate * n[0] + across * t[0]), sign * 0.5 * (rate * n[1] + across * t[1]),
              sign * 0.5 * (rate * n[2] + across * t[2]));
    for (int a = 0; a < 3; a++) push[3 * side + a] = -sign * FORCE * n[a];
  }
  ASSERT_OK(s, rows_add(&r, s, NULL));
  ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_FORCE, 2, NULL, push, 0));
  rows_destroy(&r);
  return s;
}

/* (w_i - w_j).n, and across. */
static double twist(const dem_system *s) {
  double w[6];
  get(s, DEM_SPIN, w);
  return ((w[0] - w[3]) * 2 + (w[1] - w[4]) + (w[2] - w[5]) * 2) / 3;
}

static double roll(const dem_system *s) {
  double w[6];
  get(s, DEM_SPIN, w);
  return ((w[0] - w[3]) - (w[2] - w[5])) / sqrt(2);
}

/* Above the cap, dw/dt = -M (1/I_i + 1/I_j) with M = mu R* f_n (Luding), 2/3 a mu f_n with a = sqrt(R* d) (Marshall). */
static void twisting_decays(void **state) {
  (void)state;
  for (int model = DEM_TWISTING_SPRING; model <= DEM_TWISTING_MARSHALL; model++)
    for (int hertz = 0; hertz < 2; hertz++)
      for (int scheme = 0; scheme < 2; scheme++) {
        dem_law_options law = plain_law();
        law.twisting = model;
        law.twisting_stiffness = 1e4;
        law.twisting_friction = 0.05;
        law.friction = 0.4;
        law.normal = hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE;
        if (hertz) law.tangential_stiffness = law.normal_stiffness = 0;
        if (hertz) law.tangential = DEM_TANGENTIAL_MINDLIN;
        const double r = 0.5 * RADIUS, d = pair_overlap(&law);
        const double cap = model == DEM_TWISTING_SPRING ? 0.05 * r * FORCE : 2. / 3 * sqrt(r * d) * 0.4 * FORCE;
        dem_system *s = pressed_pair(&law, verlets[scheme], 1e-5, 40, 0);
        ASSERT_OK(s, dem_system_step(s, 20000));
        const double before = twist(s);
        ASSERT_OK(s, dem_system_step(s, 20000));
        const double after = twist(s);
        assert_true(after > 1);
        ASSERT_REL(after - before, -cap * 2 / INERTIA * 0.2, 1e-9);
        const dem_energy e = books(s);
        assert_true(e.twisting[0] > 0 && e.rolling[0] == 0);
        ASSERT_BELOW(fabs(e.sliding[0] + e.damping_tangential[0]), 1e-12 * e.twisting[0]);
        dem_system_destroy(s);
      }
}

/* Below it, the frequency is sqrt(k (1/I_i + 1/I_j)), k = k_tw R*^2 or k_t a^2/2, and the decay c (1/I_i + 1/I_j)/2 likewise. */
static void twisting_spring_oscillates(void **state) {
  (void)state;
  for (int model = DEM_TWISTING_SPRING; model <= DEM_TWISTING_MARSHALL; model++)
    for (int damped = 0; damped < 2; damped++) {
      dem_law_options law = plain_law();
      law.twisting = model;
      law.twisting_stiffness = 4e3;
      law.twisting_damping = damped ? 8 : 0;
      law.twisting_friction = law.friction = 1e4;
      law.tangential_damping = damped ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
      const double r = 0.5 * RADIUS, a2 = r * pair_overlap(&law), luding = model == DEM_TWISTING_SPRING;
      const double k = luding ? 4e3 * r * r : 0.5 * law.tangential_stiffness * a2;
      const double c = !damped ? 0 : luding ? 8 * r * r : 0.5 * law.shear_damping * a2;
      dem_system *s = pressed_pair(&law, verlets[1], 2e-6, 3, 0);
      for (int part = 0; part < 6; part++) {
        ASSERT_OK(s, dem_system_step(s, 5000));
        ASSERT_ABS(twist(s), oscillation(3, 2 * k / INERTIA, c / INERTIA, 0.01 * (part + 1)), 3 * (damped ? 5e-5 : 1e-7));
      }
      const dem_energy e = books(s);
      if (!damped) ASSERT_REL(e.potential_twisting[0], 0.5 * INERTIA * 2 * 1.5 * 1.5 - e.kinetic_angular, 1e-6);
      dem_system_destroy(s);
    }
}

/* Counter-rolling spheres do not slide: v_r = R* w decays by mu_r f_n R*^2 (1/I_i + 1/I_j), or swings with k_r. */
static void pairs_roll(void **state) {
  (void)state;
  const double r = 0.5 * RADIUS;
  for (int model = DEM_ROLLING_SPRING; model <= DEM_ROLLING_CONSTANT; model++) {
    dem_law_options law = plain_law();
    law.rolling = model;
    law.rolling_stiffness = 1e4;
    law.rolling_friction = 0.05;
    dem_system *s = pressed_pair(&law, verlets[0], 1e-5, 0, 40);
    ASSERT_OK(s, dem_system_step(s, 20000));
    const double before = roll(s);
    ASSERT_OK(s, dem_system_step(s, 20000));
    ASSERT_REL(roll(s) - before, -0.05 * FORCE * r * 2 / INERTIA * 0.2, 1e-9);
    books(s);
    dem_system_destroy(s);
  }
  dem_law_options law = plain_law();
  law.rolling = DEM_ROLLING_SPRING;
  law.rolling_stiffness = 4e3;
  law.rolling_friction = 1e4;
  dem_system *s = pressed_pair(&law, verlets[1], 2e-6, 0, 3);
  ASSERT_OK(s, dem_system_step(s, 30000));
  ASSERT_ABS(roll(s), 3 * cos(sqrt(4e3 * r * r * 2 / INERTIA) * 0.06), 3e-7);
  dem_system_destroy(s);
}

/* At rest under the constant torque means at rest: each step takes a quarter of what is left, the last of it included. */
static void constant_torque_rests(void **state) {
  (void)state;
  dem_law_options law = plain_law();
  law.rolling = DEM_ROLLING_CONSTANT;
  law.rolling_friction = 0.05;
  dem_system *s = pressed_pair(&law, verlets[0], 1e-5, 0, 1);
  ASSERT_OK(s, dem_system_step(s, 10000));
  for (int i = 0; i < 20; i++) {
    ASSERT_BELOW(fabs(roll(s)), 1e-12);
    ASSERT_OK(s, dem_system_step(s, 1));
  }
  assert_true(books(s).rolling[0] > 0);
  dem_system_destroy(s);
}

/* ---- objectivity ---- */

/* A turntable carries a sphere on its axis, and a drum's wall one that goes round with it: nothing resists. */
static void nothing_resists_a_common_rotation(void **state) {
  (void)state;
  const double turn[3] = {0, 0, 5}, overlap = 1e-4;
  for (int drum = 0; drum < 2; drum++)
    for (int scheme = 0; scheme < 2; scheme++)
      for (int resisted = 0; resisted < 2; resisted++) {
        dem_law_options law = plain_law();
        law.rolling = DEM_ROLLING_SPRING;
        law.twisting = DEM_TWISTING_SPRING;
        law.rolling_stiffness = law.twisting_stiffness = 1e4;
        dem_system *s = create(&law, verlets[scheme], 1e-5, NULL);
        dem_wall wall;
        dem_wall_init(&wall, sizeof wall);
        wall.shape = drum ? DEM_WALL_CYLINDER : DEM_WALL_PLANE;
        wall.axis[2] = 1;
        wall.radius = drum ? 3 : 0;
        wall.motion = DEM_WALL_PRESCRIBED;
        for (int a = 0; a < 3; a++) wall.spin[a] = turn[a];
        ASSERT_OK(s, dem_system_add_wall(s, &wall, NULL));
        rows r;
        assert_int_equal(rows_create(&r, 1), 0);
        const double x = drum ? 3 - RADIUS + overlap : 0;
        rows_put(&r, x, 0, drum ? 0 : RADIUS - overlap, RADIUS);
        rows_velocity(&r, 0, 0, x * turn[2], 0);
        if (!resisted) rows_spin(&r, 0, 0, 0, turn[2]);
        ASSERT_OK(s, rows_add(&r, s, NULL));
        ASSERT_OK(s, dem_system_step(s, 10));
        const dem_energy e = books(s);
        const double used = e.potential_rolling[1] + e.potential_twisting[1] + e.rolling[1] + e.twisting[1];
        if (resisted)
          assert_true(used > 1e-6);
        else
          ASSERT_BELOW(used, 1e-18);
        dem_system_destroy(s);
        rows_destroy(&r);
      }
}

/* ---- history ---- */

/* A sphere that rolls and spins over a large frozen one, on springs alone. */
static void over_the_top(const char *integrator, double dt, double out[6]) {
  dem_law_options law = plain_law();
  law.tangential_damping = DEM_DAMPING_NONE;
  law.friction = 1e4;
  law.rolling = DEM_ROLLING_SPRING;
  law.twisting = DEM_TWISTING_SPRING;
  law.rolling_stiffness = law.twisting_stiffness = 4e3;
  law.rolling_friction = law.twisting_friction = 1e4;
  const double g[3] = {0, 0, -GRAVITY};
  dem_system *s = create(&law, integrator, dt, g);
  rows r;
  dem_id ids[2];
  assert_int_equal(rows_create(&r, 2), 0);
  r.frozen[rows_put(&r, 0, 0, 0, 2)] = 1;
  rows_put(&r, 0, 0, 2 + RADIUS - MASS * GRAVITY / law.normal_stiffness, RADIUS);
  rows_velocity(&r, 1, 2, 0.3, 0);
  rows_spin(&r, 1, -0.6, 4, 2);
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
  ASSERT_OK(s, dem_system_step(s, (int64_t)(0.1 / dt + 0.5)));
  ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, 1, &ids[1], out, 0));
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 1, &ids[1], out + 3, 0));
  books(s);
  dem_system_destroy(s);
}

static double distance_from(const double *exact, const char *integrator, double dt) {
  double now[6], worst = 0;
  over_the_top(integrator, dt, now);
  for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(now[k] - exact[k]) * (k < 3 ? 10 : 1));
  return worst;
}

/* Springs of every kind turn with the contact as the scheme says: half the step, a quarter of the error. */
static void springs_turn_with_the_contact(void **state) {
  (void)state;
  double exact[6], plain = 0;
  over_the_top(verlets[1], 1e-4 / 32, exact);
  for (int scheme = 0; scheme < 2; scheme++) {
    const double e[3] = {distance_from(exact, verlets[scheme], 1e-4), distance_from(exact, verlets[scheme], 5e-5),
                         distance_from(exact, verlets[scheme], 2.5e-5)};
    print_message("# %s: errors %.2e %.2e %.2e, orders %.2f %.2f\n", verlets[scheme], e[0], e[1], e[2], log2(e[0] / e[1]),
                  log2(e[1] / e[2]));
    if (scheme)
      assert_true(log2(e[1] / e[2]) > 1.95 && e[2] < 0.5 * plain);
    else
      assert_true(log2(e[1] / e[2]) < 1.5);
    plain = e[2];
  }
}

/* A pressed pair along x about `centre`, rolling about y and twisting; after a while both are put, with their motion, where a
 * half turn about z brings them, which leaves displacements along z and twisting angles as they are. Far-off spheres make the grid
 * wide. Rows are sorted by place: for some centres the two change places in the list, and for some they do not. */
static void turned_over(double centre, int turn, double spins[6]) {
  dem_law_options law = plain_law();
  law.rolling = DEM_ROLLING_SPRING;
  law.twisting = DEM_TWISTING_SPRING;
  law.rolling_stiffness = law.twisting_stiffness = 4e3;
  law.rolling_friction = law.twisting_friction = law.friction = 1e3;
  dem_system *s = create(&law, verlets[0], 1e-5, NULL);
  const double half = RADIUS - 0.5 * pair_overlap(&law), push[6] = {-FORCE, 0, 0, FORCE, 0, 0};
  const double back[6] = {FORCE, 0, 0, -FORCE, 0, 0};
  double x[6], v[6];
  dem_id ids[4];
  rows r;
  assert_int_equal(rows_create(&r, 4), 0);
  for (int side = 0; side < 2; side++) {
    const double sign = side ? -1 : 1;
    rows_spin(&r, rows_put(&r, centre + sign * half, 0, 0, RADIUS), sign * 2, sign * 3, 0);
  }
  rows_put(&r, 40, 0, 0, RADIUS);
  rows_put(&r, -40, 0, 0, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
  ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_FORCE, 2, ids, push, 0));
  ASSERT_OK(s, dem_system_step(s, 700));
  if (turn) {
    ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, 2, ids, x, 0));
    ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 2, ids, v, 0));
    ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 2, ids, spins, 0));
    for (int k = 0; k < 6; k++) {
      if (k % 3 == 0) x[k] = 2 * centre - x[k];
      if (k % 3 == 1) x[k] = -x[k];
      if (k % 3 < 2) v[k] = -v[k], spins[k] = -spins[k];
    }
    ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, 2, ids, x, 0));
    ASSERT_OK(s, dem_system_set_field(s, DEM_VELOCITY, 2, ids, v, 0));
    ASSERT_OK(s, dem_system_set_field(s, DEM_SPIN, 2, ids, spins, 0));
    ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_FORCE, 2, ids, back, 0));
  }
  ASSERT_OK(s, dem_system_step(s, 700));
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 2, ids, spins, 0));
  for (int k = 0; turn && k < 6; k++)
    if (k % 3 < 2) spins[k] = -spins[k];
  dem_system_destroy(s);
}

/* Springs of rolling and twisting do not turn sign when the rows of a pair change places. The evaluation that takes up the change
 * sees full-step velocities: without dashpots it does not matter. */
static void history_survives_a_change_of_places(void **state) {
  (void)state;
  for (int k = 0; k < 24; k++) {
    double plain[6], turned[6];
    turned_over(0.37 * k, 0, plain);
    turned_over(0.37 * k, 1, turned);
    assert_true(fabs(plain[0]) > 0.1 && fabs(plain[1]) > 0.1);
    for (int a = 0; a < 6; a++) ASSERT_ABS(plain[a], turned[a], 1e-9);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(rolling_decays),
      TEST(rolling_stops),
      TEST(incline),
      TEST(constant_torque_creeps),
      TEST(rolling_spring_oscillates),
      TEST(twisting_decays),
      TEST(twisting_spring_oscillates),
      TEST(pairs_roll),
      TEST(constant_torque_rests),
      TEST(nothing_resists_a_common_rotation),
      TEST(springs_turn_with_the_contact),
      TEST(history_survives_a_change_of_places),
  };
  return cmocka_run_group_tests_name("rolling", tests, NULL, NULL);
}
