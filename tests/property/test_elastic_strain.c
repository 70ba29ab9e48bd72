/* The tangent of a trial against finite strains of frozen packings: random spheres without friction, at rest under pressure, whose
 * contacts stay the same.
 *
 * S = V sigma = sum over contacts r_a f_b (dem_system_statics, compression > 0) is measured at the strains +-h and +-h/2, which the system
 * takes by dem_trial_accept; central differences, extrapolated, give dS/de to order h^4.
 *
 * Box. With the strain of the box as unknowns of the trial, the gradient G = dE/de is -sum r_0a f_b, r_0 being the vectors before the
 * strain, and K p for a unit strain e_kl gives dG. As r = (1 + e) r_0, S = -G (1 + e)^t, and with the symmetric G of central forces
 *
 *   dS_ab/de_kl = -(K p)_ab - G_al if b = k, else -(K p)_ab.
 *
 * Walls. All particles and six smooth walls are displaced by p = e X. S_aa = sum over particles and walls x_a F_a, g = -F, so
 *
 *   dS_aa/de_kk = -sum x_a (K p)_a - sum x_a g_a if a = k, else -sum x_a (K p)_a. */
#include "assertions.h"

#include <dem/plugin/trial.h>
#include <stdlib.h>

#include "scenes/world.h"

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
static const double H = 2e-6; /* largest strain: far below the overlaps over the diameter */
static const int AXIS[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
/* Volume fraction 0.70 of spheres of the mean volume 0.53: above random close packing, so all are pressed together. */
static const double LENGTH = SIDE * 0.91;

/* ---- packings ---- */

static void add_walls(const world *w) {
  for (int k = 0; k < 6; k++) {
    dem_wall wall;
    dem_wall_init(&wall, sizeof wall);
    wall.axis[k / 2] = k % 2 ? -1 : 1;
    wall.position[k / 2] = k % 2 ? LENGTH : 0;
    world_add_wall(w, &wall);
  }
}

static void add_spheres(const world *w) {
  rows r;
  dice d = {7};
  assert_int_equal(rows_create(&r, COUNT), 0);
  for (int n = 0; n < COUNT; n++) {
    const int at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = (at[a] + 0.5 + dice_uniform(&d, -0.25, 0.25)) * LENGTH / SIDE;
    rows_put(&r, x[0], x[1], x[2], dice_uniform(&d, 0.42, 0.56));
  }
  world_add_rows(w, &r, NULL);
}

/* Largest force on a particle over the mean force of a contact. */
static double unrest(const world *w) {
  double force[3 * COUNT], most = 0;
  dem_statics t;
  dem_statics_options o;
  dem_statics_options_init(&o, sizeof o);
  dem_statics_init(&t, sizeof t);
  o.volume = 1;
  ASSERT_OK(w->system, dem_system_statics(w->system, &o, &t));
  world_read(w, DEM_CONTACT_FORCE, force);
  for (int k = 0; k < COUNT; k++)
    most = fmax(most,
                sqrt(force[3 * k] * force[3 * k] + force[3 * k + 1] * force[3 * k + 1] + force[3 * k + 2] * force[3 * k + 2]));
  return most / t.force_mean;
}

static void open_packing(world *w, int32_t normal, int walls) {
  world_options o = world_defaults();
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal = normal;
  o.law.tangential = DEM_TANGENTIAL_NONE;
  if (normal == DEM_NORMAL_HOOKE) o.law.normal_stiffness = 1e3;
  o.material.young = 1e4;
  o.system.dt = 2e-3;
  o.system.drag = 3;
  for (int a = 0; a < 3; a++) o.system.periodic[a] = !walls, o.system.box_high[a] = LENGTH;
  world_open(w, &o);
  add_spheres(w);
  if (walls) add_walls(w);
  for (int n = 0; n < 40 && (n == 0 || unrest(w) > 1e-6); n++) ASSERT_OK(w->system, dem_system_step(w->system, 1000));
  ASSERT_BELOW(unrest(w), 1e-6);
}

/* ---- trials ---- */

typedef struct probe {
  dem_trial *trial;
  dem_trial_rows rows;
  double *u, *gradient, *product;
} probe;

static void open_probe(const world *w, int box, probe *p) {
  dem_trial_options o;
  dem_trial_options_init(&o, sizeof o);
  o.rotations = 0;
  o.box = box;
  ASSERT_OK(w->system, dem_trial_open(w->system, &o, &p->trial));
  dem_trial_rows_init(&p->rows, sizeof p->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(p->trial, &p->rows));
  p->u = calloc((size_t)p->rows.unknowns * 3, sizeof *p->u);
  assert_non_null(p->u);
  p->gradient = p->u + p->rows.unknowns;
  p->product = p->gradient + p->rows.unknowns;
}

static void close_probe(probe *p) {
  assert_int_equal(dem_trial_close(p->trial), DEM_OK);
  free(p->u);
}

/* K u at the present state, and the gradient there. */
static void apply(const world *w, probe *p) {
  ASSERT_OK(w->system, dem_trial_evaluate(p->trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, p->gradient));
  ASSERT_OK(w->system, dem_trial_apply(p->trial, p->u, p->product));
}

/* ---- finite strain ---- */

typedef struct measured {
  double s[9]; /* sum r_a f_b */
  double contacts;
} measured;

static measured measure(const world *w) {
  measured m;
  dem_statics t;
  dem_statics_options o;
  dem_statics_options_init(&o, sizeof o);
  dem_statics_init(&t, sizeof t);
  o.volume = 1;
  ASSERT_OK(w->system, dem_system_statics(w->system, &o, &t));
  memcpy(m.s, t.stress, sizeof m.s);
  m.contacts = t.contacts;
  return m;
}

/* u of a strain: fills it, for a probe at the present state of the system. */
typedef void strain_fn(const world *w, probe *p, int component, double strain);

static void strain_box(const world *w, probe *p, int component, double strain) {
  (void)w;
  p->u[p->rows.unknowns - 6 + component] = strain;
}

/* Along one axis alone, about the origin. */
static void strain_all(const world *w, probe *p, int component, double strain) {
  double x[3];
  for (int64_t k = 0; k < p->rows.particles; k++) {
    world_read_one(w, p->rows.ids[k], DEM_POSITION, x);
    p->u[3 * k + component] = strain * x[component];
  }
  for (int k = 0; k < p->rows.walls; k++)
    p->u[3 * p->rows.particles + 6 * k + component] = strain * world_wall_state(w, p->rows.wall_ids[k]).position[component];
}

/* From the strain `from` of a component to `to`; normal components multiply, shear adds up. */
static measured move(const world *w, strain_fn *fill, int component, double from, double to) {
  probe p;
  open_probe(w, fill == strain_box, &p);
  fill(w, &p, component, component < 3 ? (to - from) / (1 + from) : to - from);
  ASSERT_OK(w->system, dem_trial_evaluate(p.trial, p.u, DEM_TRIAL_FORCE, NULL, p.gradient));
  ASSERT_OK(w->system, dem_trial_accept(p.trial, NULL));
  close_probe(&p);
  return measure(w);
}

/* dS/de by central differences; the system is back at the strain 0 then, and contacts are those of the start throughout. */
static void difference(const world *w, strain_fn *fill, int component, double slope[9]) {
  const measured start = measure(w), far = move(w, fill, component, 0, H), near = move(w, fill, component, H, 0.5 * H),
                 under = move(w, fill, component, 0.5 * H, -0.5 * H), below = move(w, fill, component, -0.5 * H, -H),
                 back = move(w, fill, component, -H, 0);
  for (int k = 0; k < 9; k++) {
    slope[k] = (4 * (near.s[k] - under.s[k]) / H - (far.s[k] - below.s[k]) / (2 * H)) / 3;
    ASSERT_ABS(back.s[k], start.s[k], 1e-12 * start.s[0]);
  }
  assert_true(far.contacts == start.contacts && below.contacts == start.contacts && near.contacts == start.contacts);
}

/* ---- the checks ---- */

/* Largest difference over the largest entry of a table of predictions and measurements. */
static double worst_of(const double (*expected)[9], const double (*found)[9], int count) {
  double most = 0, size = 0;
  for (int k = 0; k < count; k++)
    for (int a = 0; a < 9; a++) {
      most = fmax(most, fabs(expected[k][a] - found[k][a]));
      size = fmax(size, fabs(expected[k][a]));
    }
  return most / size;
}

/* dS for a unit strain, upper components. */
static void predict_box(const world *w, int component, double slope[9]) {
  probe p;
  open_probe(w, 1, &p);
  strain_box(w, &p, component, 1);
  apply(w, &p);
  const double *gradient = p.gradient + p.rows.unknowns - 6, *change = p.product + p.rows.unknowns - 6;
  double g[3][3];
  for (int n = 0; n < 6; n++) g[AXIS[n][0]][AXIS[n][1]] = g[AXIS[n][1]][AXIS[n][0]] = gradient[n];
  const int k = AXIS[component][0], l = AXIS[component][1];
  memset(slope, 0, 9 * sizeof *slope);
  for (int n = 0; n < 6; n++) {
    const int a = AXIS[n][0], b = AXIS[n][1];
    slope[3 * a + b] = -change[n] - (b == k ? g[a][l] : 0);
  }
  close_probe(&p);
}

static void box_of(int32_t normal) {
  world w;
  double expected[6][9], found[6][9];
  open_packing(&w, normal, 0);
  for (int k = 0; k < 6; k++) {
    predict_box(&w, k, expected[k]);
    difference(&w, strain_box, k, found[k]);
    found[k][3] = found[k][6] = found[k][7] = 0; /* S is symmetric */
  }
  const double worst = worst_of((const double(*)[9])expected, (const double(*)[9])found, 6);
  print_message("box, law %d: %.1e\n", normal, worst);
  ASSERT_BELOW(worst, 1e-6);
  world_close(&w);
}

static void box_strain(void **state) {
  (void)state;
  box_of(DEM_NORMAL_HOOKE);
  box_of(DEM_NORMAL_HERTZ);
}

static void predict_walls(const world *w, int component, double slope[9]) {
  probe p, place;
  open_probe(w, 0, &p);
  strain_all(w, &p, component, 1);
  apply(w, &p);
  memset(slope, 0, 9 * sizeof *slope);
  for (int a = 0; a < 3; a++) {
    open_probe(w, 0, &place);
    strain_all(w, &place, a, 1); /* x_a in its places */
    for (int64_t k = 0; k < p.rows.unknowns; k++)
      slope[4 * a] -= place.u[k] * (p.product[k] + (a == component ? p.gradient[k] : 0));
    close_probe(&place);
  }
  close_probe(&p);
}

static void walls_of(int32_t normal) {
  world w;
  double expected[3][9], found[3][9];
  open_packing(&w, normal, 1);
  for (int k = 0; k < 3; k++) {
    predict_walls(&w, k, expected[k]);
    difference(&w, strain_all, k, found[k]);
    for (int n = 0; n < 9; n++) found[k][n] = n % 4 ? 0 : found[k][n];
  }
  const double worst = worst_of((const double(*)[9])expected, (const double(*)[9])found, 3);
  print_message("walls, law %d: %.1e\n", normal, worst);
  ASSERT_BELOW(worst, 1e-6);
  world_close(&w);
}

static void wall_strain(void **state) {
  (void)state;
  walls_of(DEM_NORMAL_HOOKE);
  walls_of(DEM_NORMAL_HERTZ);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(box_strain), cmocka_unit_test(wall_strain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
