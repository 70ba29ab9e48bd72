/* A wall or a sphere that nothing drives cannot give energy: impacts of spheres with every combination of law parts, damping, friction,
 * angle, spin, step and phase of the step at first touch.
 *
 *   - kinetic energy never grows, but for the error of the step, (dt/t_c)^2;
 *   - no sink is negative, and none takes more than there was;
 *   - laws with a potential take nothing themselves (hysteresis = 0 but where a dashpot keeps the cap up until the contact opens), the
 *     others take and do not make; the spring beside Hertz, whose stiffness grows under it, may make some (doc/laws/tangential-linear.md);
 *   - the rebound does not depend on how deep the first overlap is.
 *
 * LAMMPS's form of the capped spring (DEM_SLIDER_RESET) breaks the second rule; that it does is checked too. */
#include "assertions.h"

#include "scenes/context.h"
#include "scenes/scenes.h"
#include "series.h"

static const double PI = 3.14159265358979323846, RADIUS = 0.1, DENSITY = 2700, YOUNG = 70e9, POISSON = 0.3, SPEED = 0.2;

typedef struct impact {
  dem_law_options law;
  int pair;
  const char *scheme;
  double ratio;   /* v_t/v_n */
  double eps;     /* first overlap over v_n dt */
  double steps;   /* of a contact time without damping */
  double spin[3]; /* times v_n/R */
  int onset, arms;
} impact;

/* Shares of the energy before, but for the speeds. */
typedef struct outcome {
  double kinetic, least, most, hysteresis, numerical, residual;
  double restitution;
  double rebound[3]; /* of a sphere on the wall: v_x, v_z, R w_y, over the speed of approach */
} outcome;

static double mass_of(void) { return 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS * DENSITY; }

/* Largest overlap of a Hertz impact, and its time. */
static double hertz_time(int pair, double *overlap) {
  const double m = pair ? mass_of() / 2 : mass_of(), r = pair ? RADIUS / 2 : RADIUS;
  const double k = 4.0 / 3.0 * YOUNG / (2 * (1 - POISSON * POISSON)) * sqrt(r);
  *overlap = pow(5 * m * SPEED * SPEED / (4 * k), 0.4);
  return 2.943 * *overlap / SPEED;
}

/* Hooke as stiff as to reach the same overlap. */
static double contact_time(impact *i) {
  double overlap;
  const double time = hertz_time(i->pair, &overlap), m = i->pair ? mass_of() / 2 : mass_of();
  if (i->law.normal != DEM_NORMAL_HOOKE) return time;
  i->law.normal_stiffness = m * SPEED * SPEED / (overlap * overlap);
  return PI * sqrt(m / i->law.normal_stiffness);
}

static void place(dem_system *s, const impact *i, double dt) {
  const double away = SPEED * dt * (3 - i->eps), share = i->pair ? 0.5 : 1, origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  const double v[3] = {share * SPEED * i->ratio, 0, -share * SPEED}, back = away / SPEED;
  double x[6], velocity[6], spin[6] = {0}, radius[2] = {RADIUS, RADIUS}, density[2] = {DENSITY, DENSITY};
  for (int a = 0; a < 3; a++) {
    x[a] = (a == 2 ? RADIUS : 0) - v[a] * back, velocity[a] = v[a], spin[a] = i->spin[a] * SPEED / RADIUS;
    x[3 + a] = -x[a], velocity[3 + a] = -v[a];
  }
  if (!i->pair) ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = 1 + i->pair, p.position = x, p.velocity = velocity, p.spin = spin, p.radius = radius, p.density = density;
  ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
}

static void run_through(dem_system *s, double steps) {
  int64_t touching = 0;
  for (int k = 0, touched = 0; k < 60 * steps && !(touched && !touching); k++) {
    ASSERT_OK(s, dem_system_step(s, 1));
    ASSERT_OK(s, dem_system_contact_count(s, &touching));
    touched = touched || touching;
  }
  assert_int_equal(touching, 0);
  ASSERT_OK(s, dem_system_step(s, 1));
}

static double kinetic(dem_system *s, dem_energy *e) {
  dem_energy_init(e, sizeof *e);
  ASSERT_OK(s, dem_system_energy(s, e));
  return e->kinetic_linear + e->kinetic_angular;
}

static outcome sum_up(dem_system *s, const impact *i, double before) {
  dem_energy e;
  outcome o = {.kinetic = kinetic(s, &e) / before, .least = INFINITY, .most = -INFINITY};
  const int k = !i->pair;
  const double sink[] = {e.damping_normal[k], e.damping_tangential[k], e.sliding[k], e.rolling[k], e.twisting[k]};
  for (int n = 0; n < 5; n++) o.least = fmin(o.least, sink[n] / before), o.most = fmax(o.most, sink[n] / before);
  o.hysteresis = e.hysteresis[k] / before;
  o.numerical = e.numerical[k] / before;
  o.residual = e.residual_relative;
  double v[6] = {0};
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 1 + i->pair, NULL, v, 0));
  o.restitution = (v[2] - v[5]) / SPEED;
  double w[6] = {0};
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 1 + i->pair, NULL, w, 0));
  o.rebound[0] = v[0] / SPEED, o.rebound[1] = v[2] / SPEED, o.rebound[2] = RADIUS * w[1] / SPEED;
  return o;
}

/* 0: the law is one that means nothing. */
static int run(impact *i, outcome *o) {
  dem_law *law = NULL;
  const double dt = contact_time(i) / i->steps;
  if (scene_create_law(context, &i->law, &law)) return 0;
  dem_system_options so;
  dem_system *s;
  dem_material m;
  dem_energy e;
  dem_system_options_init(&so, sizeof so);
  dem_material_init(&m, sizeof m);
  so.dt = dt, so.ledger = 1, so.onset = i->onset, so.arms = i->arms;
  m.young = YOUNG, m.poisson = POISSON;
  assert_int_equal(dem_system_create(context, &so, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, law));
  dem_law_release(law);
  ASSERT_OK(s, dem_system_set_integrator_name(s, i->scheme));
  place(s, i, dt);
  const double before = kinetic(s, &e);
  run_through(s, i->steps);
  *o = sum_up(s, i, before);
  dem_system_destroy(s);
  return 1;
}

static impact plain(int normal, int tangential) {
  impact i = {.scheme = "velocity-verlet", .ratio = 1, .eps = 0.5, .steps = 50};
  dem_law_options_init(&i.law, sizeof i.law);
  i.law.normal = normal;
  i.law.tangential = tangential;
  return i;
}

/* ---- every combination, at random ---- */

static double choose(dice *d, const double *from, int count) { return from[(int)dice_uniform(d, 0, count)]; }

static void choose_damping(dice *d, dem_law_options *l) {
  static const double restitution[] = {0.9, 0.5, 0.1};
  const int kind = (int)dice_uniform(d, 0, 4);
  if (kind == 0) return;
  l->damping = kind == 2 ? DEM_DAMPING_RESTITUTION_EXACT : DEM_DAMPING_RESTITUTION;
  l->attraction = kind == 1;
  l->restitution = choose(d, restitution, 3);
  if (dice_uniform(d, 0, 1) < 0.5 && l->tangential) l->tangential_damping = DEM_DAMPING_RESTITUTION;
}

static void choose_turning(dice *d, dem_law_options *l, impact *i) {
  if (dice_uniform(d, 0, 1) < 0.5) return;
  const double k = mass_of() * 1e5;
  l->rolling = (int)dice_uniform(d, 0, 3);
  l->twisting = (int)dice_uniform(d, 0, 3);
  if (l->rolling == DEM_ROLLING_SPRING)
    l->rolling_stiffness = k, l->rolling_damping = dice_uniform(d, 0, 0.2) * sqrt(k * mass_of());
  if (l->twisting == DEM_TWISTING_SPRING)
    l->twisting_stiffness = k, l->twisting_damping = dice_uniform(d, 0, 0.2) * sqrt(k * mass_of());
  for (int a = 0; a < 3; a++) i->spin[a] = dice_uniform(d, -5, 5);
}

static impact draw(dice *d, const char *scheme) {
  static const double friction[] = {0.1, 0.5, 1, 2}, ratio[] = {0, 0.1, 1, 5, 10}, eps[] = {1, 0.3, 1e-2, 1e-4, 1e-8, 1e-12};
  static const double steps[] = {20, 50, 200};
  impact i = plain(1 + (int)dice_uniform(d, 0, 4), (int)dice_uniform(d, 0, 5));
  i.scheme = scheme;
  if (i.law.normal >= DEM_NORMAL_DMT) i.law.surface_energy = 0.5;
  choose_damping(d, &i.law);
  choose_turning(d, &i.law, &i);
  i.law.friction = choose(d, friction, 4);
  i.ratio = choose(d, ratio, 5), i.eps = choose(d, eps, 6), i.steps = choose(d, steps, 3);
  i.pair = dice_uniform(d, 0, 1) < 0.5;
  return i;
}

/* Stiffness that grows with the overlap under a stretched spring. */
static int may_make(const dem_law_options *l) {
  return (l->tangential == DEM_TANGENTIAL_LINEAR && l->normal != DEM_NORMAL_HOOKE) || l->twisting == DEM_TWISTING_MARSHALL;
}

static int is_adhesive(const dem_law_options *l) { return l->normal >= DEM_NORMAL_DMT; }

static void say(const impact *i, const outcome *o) {
  const dem_law_options *l = &i->law;
  print_message(
      "# normal %d tangential %d damping %d %d e %g attraction %d mu %g rolling %d twisting %d %s %s v_t/v_n %g eps %g t_c/%g: "
      "energy %.6f sinks %.3g to %.3g hysteresis %.3g numerical %.3g residual %.1e\n",
      l->normal, l->tangential, l->damping, l->tangential_damping, l->restitution, l->attraction, l->friction, l->rolling,
      l->twisting, i->pair ? "pair" : "wall", i->scheme, i->ratio, i->eps, i->steps, o->kinetic, o->least, o->most,
      o->hysteresis, o->numerical, o->residual);
}

static int is_passive(const impact *i, const outcome *o, double error) {
  const double made = may_make(&i->law) ? 0.2 : 0;
  return o->kinetic <= 1 + error && o->least >= -1e-12 && o->most <= 1 + error && o->hysteresis >= -made - 1e-12 &&
         o->residual <= 1e-13;
}

/* Worst of all impacts of a pair of parts: energy after, largest sink, least hysteresis. */
typedef struct worst {
  double kinetic, most, hysteresis;
} worst;

static void note(worst table[5][5], const impact *i, const outcome *o) {
  worst *w = &table[i->law.normal][i->law.tangential];
  if (w->kinetic == 0) *w = (worst){o->kinetic, o->most, o->hysteresis};
  *w = (worst){fmax(w->kinetic, o->kinetic), fmax(w->most, o->most), fmin(w->hysteresis, o->hysteresis)};
}

static void show(const char *form, worst table[5][5]) {
  static const char *const normal[] = {"none", "Hooke", "Hertz", "DMT", "JKR"};
  static const char *const tangential[] = {"none", "viscous", "linear", "Mindlin", "conserving"};
  for (int n = 1; n < 5; n++)
    for (int t = 0; t < 5; t++)
      if (table[n][t].kinetic > 0)
        print_message("# %s, %s, %s: energy at most %.4f, sink at most %.3g, hysteresis at least %.2g\n", form, normal[n],
                      tangential[t], table[n][t].kinetic, table[n][t].most, table[n][t].hysteresis);
}

static void check_scheme(const char *scheme, int64_t draws, int gains) {
  dice d = {20261122};
  worst table[5][5] = {{{0, 0, 0}}};
  int done = 0;
  for (int k = 0; k < draws; k++) {
    impact i = draw(&d, scheme);
    outcome o;
    if (!run(&i, &o)) continue;
    done++;
    note(table, &i, &o);
    /* a scheme that gains energy: all of it is in `numerical`. An attraction that jumps at first touch: first order */
    const double error = gains ? fmax(0, -o.numerical) + fmax(0, -o.hysteresis) + 1e-12
                               : 0.5 / (i.steps * i.steps) + (is_adhesive(&i.law) ? fmax(0, -o.numerical) : 0);
    const int passive = is_passive(&i, &o, error);
    if (!passive) say(&i, &o);
    assert_true(passive);
  }
  print_message("# %s: %d impacts\n", scheme, done);
  show(scheme, table);
  assert_true(done > draws / 2);
}

static void velocity_verlet_gives_nothing(void **state) {
  (void)state;
  check_scheme("velocity-verlet", series_count(8000), 0);
}

static void improved_velocity_verlet_gives_nothing(void **state) {
  (void)state;
  check_scheme("improved-velocity-verlet", series_count(8000), 0);
}

static void euler_gains_by_its_error_alone(void **state) {
  (void)state;
  check_scheme("euler", series_count(4000), 1);
}

/* ---- the first overlap ---- */

/* e = 0.9, mu = 0.5, v_t = 5 v_n, 64 steps in a contact: what comes back may differ by the phase of the step, not more. */
static void check_first_overlap(int normal, int tangential, int damping, int pair, const char *scheme) {
  static const double eps[] = {1, 0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
  double low = INFINITY, high = -INFINITY, kinetic_low = INFINITY, kinetic_high = -INFINITY;
  for (int k = 0; k < 10; k++) {
    impact i = plain(normal, tangential);
    outcome o;
    if (damping) i.law.damping = DEM_DAMPING_RESTITUTION_EXACT, i.law.attraction = 0, i.law.restitution = 0.9;
    i.ratio = 5, i.steps = 64, i.pair = pair, i.scheme = scheme, i.eps = eps[k];
    assert_true(run(&i, &o));
    low = fmin(low, o.restitution), high = fmax(high, o.restitution);
    kinetic_low = fmin(kinetic_low, o.kinetic), kinetic_high = fmax(kinetic_high, o.kinetic);
    if (tangential == DEM_TANGENTIAL_MINDLIN_CONSERVING && damping)
      print_message("# conserving, %s, %s: first overlap %.0e v_n dt, restitution %.4f, energy %.4f\n", pair ? "pair" : "wall",
                    scheme, eps[k], o.restitution, o.kinetic);
  }
  /* a dashpot acts for a whole step at first, however young the contact: up to c dt/m = 2 z pi dt/t_c of the speed, z = 0.05;
   * undamped, the kink of the spring costs (pi dt/t_c)^2/8 */
  const double phase = damping ? 2 * 0.05 * PI / 64 : PI * PI / (8 * 64 * 64);
  ASSERT_BELOW(high - low, phase);
  ASSERT_BELOW(kinetic_high - kinetic_low, phase);
  const double expected = damping ? 0.9 : 1, push = tangential == DEM_TANGENTIAL_MINDLIN_CONSERVING ? 0.012 : 1e-3;
  /* the line of centres of a pair turns on the way */
  if (!pair) ASSERT_ABS(0.5 * (low + high), expected, push + (damping ? 2e-3 : 0));
}

static void first_overlap_does_not_matter(void **state) {
  (void)state;
  static const char *const schemes[] = {"velocity-verlet", "improved-velocity-verlet"};
  for (int pair = 0; pair < 2; pair++)
    for (int scheme = 0; scheme < 2; scheme++)
      for (int damping = 0; damping < 2; damping++) {
        check_first_overlap(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR, damping, pair, schemes[scheme]);
        for (int t = DEM_TANGENTIAL_LINEAR; t <= DEM_TANGENTIAL_MINDLIN_CONSERVING; t++)
          check_first_overlap(DEM_NORMAL_HERTZ, t, damping, pair, schemes[scheme]);
      }
}

/* ---- order ---- */

/* An elastic impact that sticks (mu = 100), v_t = 1.5 v_n, constant arms. */
static outcome stick(int tangential, int onset, double steps, double phase) {
  impact i = plain(DEM_NORMAL_HERTZ, tangential);
  outcome o;
  i.law.friction = 100, i.ratio = 1.5, i.steps = steps, i.eps = phase, i.onset = onset, i.arms = DEM_ARMS_RADIUS;
  assert_true(run(&i, &o));
  return o;
}

/* Root mean square error of the rebound over the phases of the step at first touch. */
static double stick_error(int tangential, int onset, double steps) {
  enum { PHASES = 32 };
  const outcome exact = stick(tangential, onset, 50000, 0.5);
  double sum = 0;
  for (int k = 0; k < PHASES; k++) {
    const outcome o = stick(tangential, onset, steps * (1 + 0.003 * k), (k + 0.5) / PHASES);
    for (int a = 0; a < 3; a++) sum += pow(o.rebound[a] - exact.rebound[a], 2);
  }
  return sqrt(sum / (3 * PHASES));
}

static double stick_order(int tangential, int onset) {
  const double coarse = stick_error(tangential, onset, 50), fine = stick_error(tangential, onset, 400);
  print_message("# Hertz, tangential %d, onset %d: error %.1e at t_c/50, %.1e at t_c/400, order %.2f\n", tangential, onset,
                coarse, fine, log2(coarse / fine) / 3);
  return log2(coarse / fine) / 3;
}

static void the_age_gains_an_order(void **state) {
  (void)state;
  for (int t = DEM_TANGENTIAL_LINEAR; t <= DEM_TANGENTIAL_MINDLIN_CONSERVING; t += 2) {
    ASSERT_BELOW(stick_order(t, DEM_ONSET_STEP), 1.25);
    assert_true(stick_order(t, DEM_ONSET_TOUCH) > 1.5);
  }
}

/* ---- the forms of other codes ---- */

/* A history that begins with the step lets the rebound of the conserving law depend on the first overlap. */
static void a_whole_first_step_does(void **state) {
  (void)state;
  static const double eps[] = {1, 0.5, 1e-2, 1e-4, 1e-6, 1e-8};
  outcome o;
  for (int k = 0; k < 6; k++) {
    impact i = plain(DEM_NORMAL_HERTZ, DEM_TANGENTIAL_MINDLIN_CONSERVING);
    i.law.damping = DEM_DAMPING_RESTITUTION_EXACT, i.law.attraction = 0, i.law.restitution = 0.9;
    i.ratio = 5, i.steps = 64, i.eps = eps[k], i.onset = DEM_ONSET_STEP;
    assert_true(run(&i, &o));
    print_message("# a whole first step, first overlap %.0e v_n dt: restitution %.3g, energy %.3g\n", eps[k], o.restitution,
                  o.kinetic);
  }
  assert_true(o.kinetic > 10);
}

/* Reset, the spring is wound backwards by the first slip: slip and hysteresis of several times the energy there was. */
static void a_reset_spring_makes_energy(void **state) {
  (void)state;
  for (int slider = DEM_SLIDER_SERIES; slider <= DEM_SLIDER_RESET; slider++) {
    impact i = plain(DEM_NORMAL_HERTZ, DEM_TANGENTIAL_LINEAR);
    outcome o;
    i.law.damping = i.law.tangential_damping = DEM_DAMPING_RESTITUTION;
    i.law.restitution = 0.1, i.law.friction = 2, i.law.slider = slider;
    i.ratio = 5;
    assert_true(run(&i, &o));
    print_message("# slider %d: energy %.4f, sinks %.3f to %.3f, hysteresis %.3f\n", slider, o.kinetic, o.least, o.most,
                  o.hysteresis);
    if (slider == DEM_SLIDER_RESET)
      assert_true(o.hysteresis < -1 && o.most > 1);
    else
      assert_true(o.kinetic < 1 && o.most < 1 && o.hysteresis > -0.1);
  }
}

/* The same impacts in the form of other codes: a whole first step, springs reset at the cap. */
static void other_codes_make_energy(void **state) {
  (void)state;
  dice d = {20261122};
  worst table[5][5] = {{{0, 0, 0}}};
  for (int k = 0; k < 8000; k++) {
    impact i = draw(&d, "velocity-verlet");
    outcome o;
    i.onset = DEM_ONSET_STEP, i.law.slider = DEM_SLIDER_RESET;
    if (run(&i, &o)) note(table, &i, &o);
  }
  show("forms of other codes", table);
  assert_true(table[DEM_NORMAL_HERTZ][DEM_TANGENTIAL_LINEAR].kinetic > 1.05);
  assert_true(table[DEM_NORMAL_HERTZ][DEM_TANGENTIAL_LINEAR].most > 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(velocity_verlet_gives_nothing),  cmocka_unit_test(improved_velocity_verlet_gives_nothing),
      cmocka_unit_test(euler_gains_by_its_error_alone), cmocka_unit_test(first_overlap_does_not_matter),
      cmocka_unit_test(the_age_gains_an_order),         cmocka_unit_test(a_whole_first_step_does),
      cmocka_unit_test(a_reset_spring_makes_energy),    cmocka_unit_test(other_codes_make_energy),
  };
  return cmocka_run_group_tests_name("passivity", tests, context_open, context_close);
}
