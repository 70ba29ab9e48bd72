/* Tilted boxes and changes of the box between steps.
 *
 * The lattice of images decides, not the edges that describe it: boxes of one lattice give the same forces, energies and motion. Affine
 * changes move particles by the map that dem/box.h gives; a crystal of linear springs has an energy in closed form. The books close
 * through all of it, with friction and bonds. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static const double SIDE = 6;

typedef struct world {
  dem_context *context;
  dem_system *system;
  int64_t count;
} world;

typedef struct setup {
  double tilt[3]; /* over the length that limits each */
  int32_t dimension, ledger, threads;
  int32_t bonds, frictionless;
  int32_t open; /* 1: z open */
} setup;

static void lengths_of(const setup *is, double length[3]) {
  for (int a = 0; a < 3; a++) length[a] = SIDE * (1 + 0.1 * a);
  if (is->dimension == 2) length[2] = 0;
}

static void world_open(world *w, const setup *is) {
  dem_system_options o;
  dem_law_options law;
  double length[3];
  lengths_of(is, length);
  *w = (world){0};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.dimension = is->dimension;
  o.ledger = is->ledger;
  o.threads = is->threads;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = a < 2 || (is->dimension == 3 && !is->open);
    o.box_low[a] = o.periodic[a] ? -1.0 - a : 0;
    o.box_high[a] = o.box_low[a] + (o.periodic[a] ? length[a] : 0);
    o.box_tilt[a] = is->tilt[a] * length[a == 2];
  }
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  scene_hooke(&law);
  if (is->frictionless) {
    law.tangential = DEM_TANGENTIAL_NONE;
    law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  }
  assert_int_equal(scene_set_law(w->context, w->system, 0, 0, &law), DEM_OK);
}

static void world_close(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* Spheres on a disturbed grid, some of them touching, with random velocities; positions are any of their images. */
static void fill(world *w, const setup *is, uint64_t seed) {
  rows r;
  dice d = {seed};
  double length[3];
  lengths_of(is, length);
  const int n = 7, layers = is->dimension == 2 ? 1 : n;
  assert_int_equal(rows_create(&r, n * n * layers), 0);
  for (int k = 0; k < n * n * layers; k++) {
    double x[3] = {(k % n + 0.5) / n, (k / n % n + 0.5) / n, is->dimension == 2 ? 0 : (k / n / n + 0.5) / n};
    for (int a = 0; a < is->dimension; a++) x[a] = (x[a] + dice_uniform(&d, -0.02, 0.02)) * length[a] - 1.0 - a;
    const int64_t row = rows_put(&r, x[0], x[1], x[2], 0.45);
    const double v[4] = {dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1)};
    rows_velocity(&r, row, v[0], v[1], is->dimension == 2 ? 0 : v[2]);
    rows_spin(&r, row, 0, 0, v[3]);
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  w->count = r.count;
  rows_destroy(&r);
  if (!is->bonds) return;
  dem_bond_type type;
  int64_t bonds;
  dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = 5e4;
  type.tangential_stiffness = 2e4;
  type.bending_stiffness = 1e4;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &type, NULL));
  ASSERT_OK(w->system, dem_system_bond_neighbours(w->system, 0, 0, 0, -0.02, &bonds));
  assert_true(bonds > 10);
}

static dem_box box_of(const world *w) {
  dem_box b;
  assert_int_equal(dem_box_init(&b, sizeof b), DEM_OK);
  ASSERT_OK(w->system, dem_system_get_box(w->system, &b));
  return b;
}

static void set_tilt(world *w, int tilt, double value, int32_t affine) {
  dem_box b = box_of(w);
  b.tilt[tilt] = value;
  ASSERT_OK(w->system, dem_system_set_box(w->system, &b, affine));
}

static dem_energy energy_of(const world *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

static double stored(const dem_energy *e) {
  return e->potential_normal[0] + e->potential_tangential[0] + e->potential_rolling[0] + e->potential_twisting[0] +
         e->potential_bond;
}

/* Positions plus the edges that DEM_IMAGE counts: 3 per particle, to be freed. */
static double *unwrapped(const world *w) {
  const dem_box b = box_of(w);
  double *x = test_malloc((size_t)w->count * 3 * sizeof *x);
  int32_t *image = test_malloc((size_t)w->count * 3 * sizeof *image);
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_POSITION, w->count, NULL, x, 0));
  ASSERT_OK(w->system, dem_system_get_field_int(w->system, DEM_IMAGE, w->count, NULL, image, 0));
  for (int64_t k = 0; k < w->count; k++) {
    const int32_t *n = image + 3 * k;
    x[3 * k] += n[0] * (b.high[0] - b.low[0]) + n[1] * b.tilt[0] + n[2] * b.tilt[1];
    x[3 * k + 1] += n[1] * (b.high[1] - b.low[1]) + n[2] * b.tilt[2];
    x[3 * k + 2] += n[2] * (b.high[2] - b.low[2]);
  }
  test_free(image);
  return x;
}

/* ---- one lattice, different edges ---- */

static double largest_of(const double *values, int64_t count) {
  double largest = 0;
  for (int64_t k = 0; k < count; k++) largest = fmax(largest, fabs(values[k]));
  return largest;
}

/* Forces and torques to round-off; round-off grows with time as collisions do, so that few steps are compared. */
static void compare(const world *a, const world *b, double tolerance) {
  snapshot s, t;
  snapshot_take(&s, a->system);
  snapshot_take(&t, b->system);
  const double force = largest_of(s.f, 3 * s.count);
  assert_true(force > 100);
  for (int64_t k = 0; k < 3 * s.count; k++) {
    ASSERT_ABS(s.f[k], t.f[k], tolerance * force);
    ASSERT_ABS(s.t[k], t.t[k], tolerance * force);
    ASSERT_ABS(s.v[k], t.v[k], tolerance);
  }
  const dem_energy e = energy_of(a), f = energy_of(b);
  ASSERT_REL(stored(&e), stored(&f), tolerance);
  ASSERT_REL(e.kinetic_linear, f.kinetic_linear, tolerance);
  ASSERT_ABS(e.sliding[0], f.sliding[0], tolerance * e.largest);
  snapshot_free(&s);
  snapshot_free(&t);
}

typedef struct twins {
  int32_t dimension;
  double one[3], other[3];
} twins;

/* b' = b + a; c' = c + b, c' = c + a; all of them: c' = c + b' + a. Tilts over lx, lx, ly; lx/ly = 1/1.1. */
static const twins same_lattices[] = {
    {2, {-0.5, 0, 0}, {0.5, 0, 0}},
    {3, {-0.5, 0.2, 0.3}, {0.5, 0.2, 0.3}},
    {3, {0.1, -0.5, -0.2}, {0.1, 0.5, -0.2}},
    {3, {0.4, -0.2, -0.5}, {0.4, 0.2, 0.5}},
    {3, {-0.5, -0.25, -0.5}, {0.5, 0.25, 0.5}},
};

static void boxes_of_one_lattice_act_alike(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof same_lattices / sizeof *same_lattices; k++) {
    const twins *t = &same_lattices[k];
    setup one = {.dimension = t->dimension, .ledger = 1, .threads = 1, .bonds = 1}, other = one;
    memcpy(one.tilt, t->one, sizeof one.tilt);
    memcpy(other.tilt, t->other, sizeof other.tilt);
    world a, b;
    world_open(&a, &one);
    world_open(&b, &other);
    fill(&a, &one, 5 + k);
    fill(&b, &other, 5 + k);
    ASSERT_OK(a.system, dem_system_step(a.system, 1));
    ASSERT_OK(b.system, dem_system_step(b.system, 1));
    compare(&a, &b, 1e-12);
    ASSERT_OK(a.system, dem_system_step(a.system, 300));
    ASSERT_OK(b.system, dem_system_step(b.system, 300));
    compare(&a, &b, 1e-9);
    world_close(&a);
    world_close(&b);
  }
}

/* The same change in the middle of a run: no trace in forces, energies, histories, bonds, unwrapped positions. The other run gets its
 * own box again: after any change forces are evaluated anew, with other velocities in the dashpots. */
static void other_edges_in_a_run_leave_no_trace(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof same_lattices / sizeof *same_lattices; k++) {
    const twins *t = &same_lattices[k];
    setup is = {.dimension = t->dimension, .ledger = 1, .threads = 1, .bonds = 1};
    memcpy(is.tilt, t->one, sizeof is.tilt);
    world a, b;
    world_open(&a, &is);
    world_open(&b, &is);
    fill(&a, &is, 15 + k);
    fill(&b, &is, 15 + k);
    for (int n = 0; n < 6; n++) {
      ASSERT_OK(a.system, dem_system_step(a.system, 50));
      ASSERT_OK(b.system, dem_system_step(b.system, 50));
      const double brought = energy_of(&b).potential_host[0];
      double *before = unwrapped(&b);
      dem_box box = box_of(&b);
      double length[3];
      lengths_of(&is, length);
      for (int c = 0; c < 3; c++) box.tilt[c] = (n % 2 ? t->one : t->other)[c] * length[c == 2];
      ASSERT_OK(b.system, dem_system_set_box(b.system, &box, 0));
      box = box_of(&a);
      ASSERT_OK(a.system, dem_system_set_box(a.system, &box, 0));
      double *after = unwrapped(&b);
      for (int64_t x = 0; x < 3 * b.count; x++) ASSERT_ABS(after[x], before[x], 1e-12);
      test_free(before);
      test_free(after);
      ASSERT_REL(energy_of(&b).potential_host[0], brought, 1e-12);
    }
    ASSERT_OK(a.system, dem_system_step(a.system, 1));
    ASSERT_OK(b.system, dem_system_step(b.system, 1));
    compare(&a, &b, 1e-9);
    world_close(&a);
    world_close(&b);
  }
}

/* ---- affine changes ---- */

/* x' = low' + H' H^-1 (x - low), written out with the inverse of the old edges; for particles and for their unwrapped positions. */
static void affine_changes_move_particles_by_the_map_of_the_box(void **state) {
  (void)state;
  const setup is = {.dimension = 3, .threads = 1, .tilt = {0.3, -0.2, 0.4}};
  dice d = {21};
  world w;
  world_open(&w, &is);
  fill(&w, &is, 31);
  for (int n = 0; n < 20; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 100));
    snapshot then, now;
    snapshot_take(&then, w.system);
    double *before = unwrapped(&w);
    const dem_box old = box_of(&w);
    dem_box new = old;
    for (int a = 0; a < 3; a++) {
      new.low[a] = dice_uniform(&d, -3, 3);
      new.high[a] = new.low[a] + SIDE *dice_uniform(&d, 0.95, 1.2);
      new.tilt[a] = SIDE *dice_uniform(&d, -0.4, 0.4);
    }
    ASSERT_OK(w.system, dem_system_set_box(w.system, &new, 1));
    double *after = unwrapped(&w);
    for (int64_t k = 0; k < w.count; k++) {
      const double *x = before + 3 * k, *y = after + 3 * k, lx = old.high[0] - old.low[0], ly = old.high[1] - old.low[1];
      const double sz = (x[2] - old.low[2]) / (old.high[2] - old.low[2]);
      const double sy = (x[1] - old.low[1] - sz * old.tilt[2]) / ly,
                   sx = (x[0] - old.low[0] - sy * old.tilt[0] - sz * old.tilt[1]) / lx;
      ASSERT_ABS(y[2], new.low[2] + sz *(new.high[2] - new.low[2]), 1e-12);
      ASSERT_ABS(y[1], new.low[1] + sy *(new.high[1] - new.low[1]) + sz *new.tilt[2], 1e-12);
      ASSERT_ABS(y[0], new.low[0] + sx *(new.high[0] - new.low[0]) + sy *new.tilt[0] + sz *new.tilt[1], 1e-12);
    }
    snapshot_take(&now, w.system);
    ASSERT_BITS(now.v, then.v, (size_t)w.count * 3 * sizeof(double));
    ASSERT_BITS(now.w, then.w, (size_t)w.count * 3 * sizeof(double));
    snapshot_free(&then);
    snapshot_free(&now);
    test_free(before);
    test_free(after);
    ASSERT_OK(w.system, dem_system_check(w.system));
  }
  world_close(&w);
}

static void the_same_box_again_changes_no_bit(void **state) {
  (void)state;
  for (int32_t affine = 0; affine < 2; affine++) {
    const setup is = {.dimension = 3, .threads = 1, .tilt = {0.3, -0.2, 0.4}};
    world w;
    world_open(&w, &is);
    fill(&w, &is, 33);
    const dem_box b = box_of(&w);
    snapshot then, now;
    snapshot_take(&then, w.system);
    ASSERT_OK(w.system, dem_system_set_box(w.system, &b, affine));
    snapshot_take(&now, w.system);
    ASSERT_BITS(now.x, then.x, (size_t)w.count * 3 * sizeof(double));
    snapshot_free(&then);
    snapshot_free(&now);
    world_close(&w);
  }
}

/* Without the map particles stay, as read by the host, but for whole edges. */
static void other_changes_leave_particles_where_they_are(void **state) {
  (void)state;
  const setup is = {.dimension = 3, .threads = 1, .tilt = {0.3, -0.2, 0.4}};
  world w;
  snapshot then, now;
  world_open(&w, &is);
  fill(&w, &is, 34);
  ASSERT_OK(w.system, dem_system_step(w.system, 300));
  snapshot_take(&then, w.system);
  dem_box b = box_of(&w);
  for (int a = 0; a < 3; a++) b.low[a] -= 0.3, b.high[a] += 0.2;
  b.tilt[0] -= 0.4;
  ASSERT_OK(w.system, dem_system_set_box(w.system, &b, 0));
  snapshot_take(&now, w.system);
  int64_t same = 0;
  for (int64_t k = 0; k < w.count; k++) same += memcmp(now.x + 3 * k, then.x + 3 * k, 3 * sizeof(double)) == 0;
  assert_true(same > 3 * w.count / 4 && same < w.count);
  for (int64_t k = 0; k < w.count; k++) {
    const double *x = now.x + 3 * k;
    double d[3] = {x[0] - then.x[3 * k], x[1] - then.x[3 * k + 1], x[2] - then.x[3 * k + 2]};
    const double nz = round(d[2] / (b.high[2] - b.low[2])), ny = round((d[1] - nz * b.tilt[2]) / (b.high[1] - b.low[1]));
    const double nx = round((d[0] - ny * b.tilt[0] - nz * b.tilt[1]) / (b.high[0] - b.low[0]));
    ASSERT_ABS(d[0], nx * (b.high[0] - b.low[0]) + ny * b.tilt[0] + nz * b.tilt[1], 1e-12);
    ASSERT_ABS(d[1], ny * (b.high[1] - b.low[1]) + nz * b.tilt[2], 1e-12);
    ASSERT_ABS(d[2], nz * (b.high[2] - b.low[2]), 1e-12);
  }
  snapshot_free(&then);
  snapshot_free(&now);
  world_close(&w);
}

/* ---- a crystal ---- */

/* Discs in rows: at the positions (i d, j d), with contacts along x and y. */
static void crystal(world *w, int n, double spacing) {
  dem_system_options o;
  dem_law_options law;
  rows r;
  *w = (world){.count = (int64_t)n * n};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.dimension = 2;
  o.ledger = 1;
  o.periodic[0] = o.periodic[1] = 1;
  o.box_high[0] = o.box_high[1] = n * spacing;
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  scene_hooke(&law);
  law.tangential = DEM_TANGENTIAL_NONE;
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  assert_int_equal(scene_set_law(w->context, w->system, 0, 0, &law), DEM_OK);
  assert_int_equal(rows_create(&r, w->count), 0);
  for (int k = 0; k < n * n; k++) rows_put(&r, (k % n + 0.25) * spacing, (k / n + 0.25) * spacing, 0, 0.5);
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
}

/* sum of k delta^2/2 of all pairs of lattice points, per particle: half of that over the neighbours, of the sheared lattice
 * (i + gamma j, j) d. */
static double lattice_energy(double stiffness, double spacing, double gamma) {
  double sum = 0;
  for (int j = -3; j <= 3; j++)
    for (int i = -6; i <= 6; i++) {
      const double x = (i + gamma * j) * spacing, y = j * spacing, overlap = 1 - sqrt(x * x + y * y);
      if ((i || j) && overlap > 0) sum += 0.5 * 0.5 * stiffness * overlap * overlap;
    }
  return sum;
}

/* Shear of the box by a whole length, the box flipped where the tilt reaches half of it: the energy follows the closed form on the
 * way, and in the end everything is as in the beginning. */
static void a_crystal_sheared_by_a_whole_period_is_the_same(void **state) {
  (void)state;
  const int n = 8, steps = 64; /* in each half */
  const double spacing = 0.97, length = n * spacing;
  world w;
  crystal(&w, n, spacing);
  double before = 0;
  for (int k = 0; k <= 2 * steps; k++) {
    const double gamma = (double)k / (2 * steps), tilt = k <= steps ? gamma * length : (gamma - 1) * length;
    set_tilt(&w, 0, tilt, 1);
    const double expected = lattice_energy(1e5, spacing, gamma) * (double)w.count;
    const dem_energy e = energy_of(&w);
    ASSERT_ABS(stored(&e), expected, 1e-9 * lattice_energy(1e5, spacing, 0) * (double)w.count);
    if (k == 0) before = stored(&e);
    ASSERT_ABS(e.potential_host[0], stored(&e), 1e-9 * before); /* particles were added as host work, too */
    if (k == steps) set_tilt(&w, 0, -tilt, 0);                  /* at half the length: the same images */
  }
  const dem_box b = box_of(&w);
  ASSERT_ABS(b.tilt[0], 0, 0);
  snapshot s;
  snapshot_take(&s, w.system);
  for (int64_t k = 0; k < w.count; k++)
    for (int a = 0; a < 2; a++) {
      const double sites = (s.x[3 * k + a] - s.x[a]) / spacing;
      ASSERT_ABS(sites, round(sites), 1e-12);
    }
  snapshot_free(&s);
  world_close(&w);
}

/* Isotropic compression: spacing d (1 - e). */
static void a_crystal_is_compressed_in_closed_form(void **state) {
  (void)state;
  world w;
  crystal(&w, 6, 0.98);
  for (int k = 0; k < 30; k++) {
    dem_box b = box_of(&w);
    const double spacing = 0.98 * (1 - 0.002 * k);
    b.high[0] = b.high[1] = 6 * spacing;
    b.low[0] = b.low[1] = 0;
    ASSERT_OK(w.system, dem_system_set_box(w.system, &b, 1));
    const dem_energy e = energy_of(&w);
    ASSERT_REL(stored(&e), 36 * lattice_energy(1e5, spacing, 0), 1e-11);
    ASSERT_REL(e.potential_host[0], stored(&e), 1e-11);
  }
  world_close(&w);
}

/* ---- books ---- */

/* Changes of all kinds between steps: residual to round-off; what they change in stored energy is the host's. */
static void books_close_while_the_box_changes(void **state) {
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    const setup is = {
        .dimension = dimension, .ledger = 1, .threads = 2, .bonds = 1, .tilt = {0.2, dimension == 3 ? 0.1 : 0, 0}};
    dice d = {41};
    world w;
    double moved = 0;
    world_open(&w, &is);
    fill(&w, &is, 51);
    for (int n = 0; n < 120; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 20));
      const dem_energy before = energy_of(&w);
      dem_box b = box_of(&w);
      for (int a = 0; a < dimension; a++) b.high[a] += dice_uniform(&d, -0.004, 0.004);
      for (int a = 0; a < (dimension == 3 ? 3 : 1); a++) {
        const double half = 0.5 * (b.high[a == 2] - b.low[a == 2]);
        b.tilt[a] = fmin(fmax(b.tilt[a] + dice_uniform(&d, -0.01, 0.01), -half), half);
      }
      ASSERT_OK(w.system, dem_system_set_box(w.system, &b, n % 3 != 0));
      const dem_energy after = energy_of(&w);
      const double change = stored(&after) - stored(&before);
      ASSERT_ABS(after.potential_host[0] - before.potential_host[0], change, 1e-12 * after.largest);
      ASSERT_ABS(after.kinetic_linear, before.kinetic_linear, 1e-13 * after.largest);
      moved += fabs(change);
    }
    const dem_energy e = energy_of(&w);
    print_message("# %d-D: residual %.2g of %.3g, changed by the box %.3g, sliding %.3g, bonds %.3g\n", dimension,
                  e.residual_relative, e.largest, moved, e.sliding[0], e.potential_bond);
    ASSERT_BELOW(e.residual_relative, 1e-12);
    assert_true(moved > 0.1 && e.sliding[0] > 0 && e.potential_bond > 0 && e.potential_tangential[0] > 0);
    world_close(&w);
  }
}

/* One contact, through the upper face of y, with a stretched tangential spring. */
static void histories_stay(void **state) {
  (void)state;
  const setup is = {.dimension = 3, .ledger = 1, .threads = 1, .tilt = {0.5, 0, 0}};
  world w;
  rows r;
  world_open(&w, &is);
  const dem_box b = box_of(&w);
  assert_int_equal(rows_create(&r, 2), 0);
  rows_put(&r, b.low[0] + 1, b.low[1] + 0.1, 0, 0.5); /* its image above is at + b */
  rows_put(&r, b.low[0] + 1 + b.tilt[0] + 0.3, b.high[1] - 0.8, 0, 0.5);
  rows_velocity(&r, 0, 0.8, -0.1, 0.3);
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  w.count = 2;
  rows_destroy(&r);
  ASSERT_OK(w.system, dem_system_step(w.system, 30));
  const double before = energy_of(&w).potential_tangential[0];
  assert_true(before > 0);
  set_tilt(&w, 0, -b.tilt[0], 0); /* the same images */
  ASSERT_REL(energy_of(&w).potential_tangential[0], before, 1e-12);
  set_tilt(&w, 0, -b.tilt[0] * (1 - 1e-9), 1); /* hardly any motion */
  ASSERT_REL(energy_of(&w).potential_tangential[0], before, 1e-6);
  dem_box longer = box_of(&w);
  longer.high[1] += 0.3 * (b.high[1] - b.low[1]);
  ASSERT_OK(w.system, dem_system_set_box(w.system, &longer, 1)); /* the contact ends */
  ASSERT_ABS(energy_of(&w).potential_tangential[0], 0, 0);
  ASSERT_BELOW(energy_of(&w).residual_relative, 1e-12);
  world_close(&w);
}

/* Elastic collisions in a tilted box: energy and momentum stay. */
static void momentum_and_energy_stay(void **state) {
  (void)state;
  const setup is = {.dimension = 3, .ledger = 1, .threads = 1, .frictionless = 1, .tilt = {0.5, -0.4, 0.5}};
  world w;
  world_open(&w, &is);
  fill(&w, &is, 61);
  const dem_energy before = energy_of(&w);
  double momentum[2][3] = {{0}};
  for (int n = 0; n < 2; n++) {
    snapshot s;
    snapshot_take(&s, w.system);
    for (int64_t k = 0; k < s.count; k++)
      for (int a = 0; a < 3; a++) momentum[n][a] += s.v[3 * k + a]; /* all of one mass */
    snapshot_free(&s);
    if (n == 0) ASSERT_OK(w.system, dem_system_step(w.system, 5000));
  }
  const dem_energy after = energy_of(&w);
  for (int a = 0; a < 3; a++) ASSERT_ABS(momentum[1][a], momentum[0][a], 1e-10);
  /* velocity-Verlet keeps the energy but for a part (w dt)^2/4 of what is stored, w^2 = 2k/m */
  const double part = 2 * 1e5 / (0.9 * 0.9 * 0.9) * 1e-8 / 4;
  ASSERT_REL(after.kinetic_linear + stored(&after), before.kinetic_linear + stored(&before), part);
  assert_true(after.elastic_normal[0] != 0);
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_one_lattice_act_alike),
      cmocka_unit_test(other_edges_in_a_run_leave_no_trace),
      cmocka_unit_test(affine_changes_move_particles_by_the_map_of_the_box),
      cmocka_unit_test(the_same_box_again_changes_no_bit),
      cmocka_unit_test(other_changes_leave_particles_where_they_are),
      cmocka_unit_test(a_crystal_sheared_by_a_whole_period_is_the_same),
      cmocka_unit_test(a_crystal_is_compressed_in_closed_form),
      cmocka_unit_test(books_close_while_the_box_changes),
      cmocka_unit_test(histories_stay),
      cmocka_unit_test(momentum_and_energy_stay),
  };
  return cmocka_run_group_tests_name("tilted box", tests, NULL, NULL);
}
