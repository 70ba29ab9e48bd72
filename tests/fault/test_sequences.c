/* Random sequences of calls, as a host that couples, edits and restarts would make them. After every call: the status is one
 * that is documented and has a message, a refusal changed nothing, the invariants hold, the books close, and after a step the
 * contacts and forces are those found by brute force. Seeds are fixed. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/hooks.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* More of them, for a longer hunt: -DSEQUENCES=1000 -DFIRST_SEED=100. */
#ifndef SEQUENCES
#define SEQUENCES 6
#endif
#ifndef FIRST_SEED
#define FIRST_SEED 1
#endif

enum { CALLS = 60, MOST = 160, MATERIALS = 3, WALLS = 4, LAWS = 8, NECKS = 5, NO_FORCE = LAWS - 1 };

/* ---- the host ---- */

typedef struct host {
  dice dice;
  dem_context *context;
  dem_system *system;
  dem_law *law[LAWS];
  int32_t law_of[MATERIALS][MATERIALS]; /* index into law; the last one is "no force", NECKS is JKR */
  dem_system_options options;
  dem_wall plane[WALLS];
  int32_t wall[WALLS]; /* ids, -1: none */
  dem_id stale;
  int wide;                     /* radii from 0.01 to 1.5, of like masses */
  int cancel, euler, evaluated; /* evaluated: the present contacts belong to the present positions */
  hook_memory memory;
} host;

static int pick(host *h, int n) { return (int)dice_uniform(&h->dice, 0, n); }
static double uniform(host *h, double low, double high) { return dice_uniform(&h->dice, low, high); }

static void open_laws(host *h) {
  dem_law_options o;
  for (int k = 0; k < LAWS; k++) {
    if (k < 2) scene_hooke(&o), o.normal_stiffness = 3e3;
    if (k == 2 || k == 3) scene_hertz(&o);
    if (k == 1) o.tangential = DEM_TANGENTIAL_VISCOUS, o.tangential_damping = DEM_DAMPING_RATE, o.shear_damping = 3;
    if (k == 3) o.tangential = DEM_TANGENTIAL_LINEAR;
    if (k == 4) scene_joint(1, &o), o.surface_energy = 2;
    if (k == NECKS) scene_joint(0, &o), o.surface_energy = 2;
    if (k == 6) scene_joint(2, &o), o.normal_stiffness = 3e3, o.cohesion_energy_density = 500;
    if (k >= 4) o.rolling_stiffness = o.twisting_stiffness = 1e3, o.rolling_damping = o.twisting_damping = 1;
    if (k == NO_FORCE) dem_law_options_init(&o, sizeof o), o.normal = DEM_NORMAL_NONE, o.tangential = DEM_TANGENTIAL_NONE;
    assert_int_equal(scene_create_law(h->context, &o, &h->law[k]), DEM_OK);
  }
}

static void choose_law(host *h, int a, int b) {
  const int k = pick(h, LAWS);
  const dem_status status = dem_system_set_law(h->system, a, b, h->law[k]);
  if (status == DEM_OK) h->law_of[a][b] = h->law_of[b][a] = k;
  if (status == DEM_NO_MEMORY && h->memory.one_in) return;
  ASSERT_OK(h->system, status);
}

static void choose_options(host *h) {
  h->wide = pick(h, 2);
  dem_system_options *o = &h->options;
  dem_system_options_init(o, sizeof *o);
  o->dt = 1e-3;
  o->dimension = pick(h, 3) ? 3 : 2;
  if (o->dimension == 2 && pick(h, 2)) o->shape = DEM_SHAPE_DISC;
  o->arms = pick(h, 3), o->transport = pick(h, 2), o->ledger = pick(h, 3) > 0, o->threads = 1 + pick(h, 3);
  const double sides[] = {4, 6, 9, 30};
  for (int a = 0; a < 3; a++) {
    o->periodic[a] = a < o->dimension && pick(h, 2);
    if (o->periodic[a] || pick(h, 2)) o->box_high[a] = sides[h->wide ? 2 + pick(h, 2) : pick(h, 4)];
    o->gravity[a] = a < o->dimension && pick(h, 2) ? dice_uniform(&h->dice, -10, 10) : 0;
  }
  const double skins[] = {0, 0, 1e-12, 0.01, 0.3};
  o->skin = skins[pick(h, h->wide ? 4 : 5)];
  if (pick(h, 3) == 0) o->drag = 0.5;
}

static void open_host(host *h, uint64_t seed, int fail) {
  memset(h, 0, sizeof *h);
  h->dice.state = seed * 0x9E3779B97F4A7C15u;
  h->memory.dice = &h->dice;
  dem_context_options c;
  dem_context_options_init(&c, sizeof c);
  c.allocate = hook_allocate, c.allocate_user = &h->memory;
  if (pick(h, 2)) c.parallel = hook_backwards;
  if (pick(h, 2)) c.instructions = DEM_INSTRUCTIONS_PLAIN;
  assert_int_equal(dem_context_create(&c, &h->context), DEM_OK);
  choose_options(h);
  assert_int_equal(dem_system_create(h->context, &h->options, &h->system), DEM_OK);
  dem_material m;
  dem_material_init(&m, sizeof m);
  m.young = 1e4;
  for (int k = 0; k < MATERIALS; k++) ASSERT_OK(h->system, dem_system_add_material(h->system, &m, NULL));
  open_laws(h);
  for (int a = 0; a < MATERIALS; a++)
    for (int b = a; b < MATERIALS; b++) choose_law(h, a, b);
  for (int w = 0; w < WALLS; w++) h->wall[w] = -1;
  h->memory.one_in = fail;
}

static void close_host(host *h) {
  h->memory.one_in = 0;
  for (int k = 0; k < LAWS; k++) dem_law_release(h->law[k]);
  dem_system_destroy(h->system);
  int64_t bytes;
  assert_int_equal(dem_context_memory(h->context, &bytes), DEM_OK);
  assert_int_equal(dem_context_destroy(h->context), DEM_OK);
  assert_int_equal(h->memory.blocks, 0);
}

/* ---- what must hold ---- */

static int64_t count_of(host *h) {
  int64_t n;
  ASSERT_OK(h->system, dem_system_particle_count(h->system, &n));
  return n;
}

static uint64_t hash_of(host *h) {
  const int fail = h->memory.one_in;
  dem_energy e;
  h->memory.one_in = 0;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(h->system, dem_system_energy(h->system, &e)); /* may rebuild the list */
  const uint64_t hash = system_hash(h->system);
  h->memory.one_in = fail;
  return hash;
}

static void check_books(host *h) {
  dem_energy e;
  const int fail = h->memory.one_in;
  h->memory.one_in = 0;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(h->system, dem_system_energy(h->system, &e));
  h->memory.one_in = fail;
  if (h->options.ledger && !(e.residual_relative <= 1e-10)) fail_msg("residual %g of %g", e.residual, e.largest);
  ASSERT_BELOW(-e.sliding[0], 1e-12 * e.largest);
  ASSERT_BELOW(-e.sliding[1], 1e-12 * e.largest);
}

typedef struct state {
  dem_box box;
  int64_t n;
  dem_id id[MOST];
  double x[3 * MOST], r[MOST], f[3 * MOST], host[3 * MOST], half[3 * MOST], mass[MOST];
  double rate[MOST], u[3 * MOST], v[3 * MOST];
  int32_t material[MOST], frozen[MOST];
  uint8_t touch[MOST][MOST + WALLS]; /* 1: by the library */
} state;

static void read_state(host *h, state *s) {
  s->n = count_of(h);
  s->box.struct_size = sizeof s->box;
  ASSERT_OK(h->system, dem_system_get_box(h->system, &s->box));
  ASSERT_OK(h->system, dem_system_ids(h->system, MOST, s->id));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_POSITION, s->n, NULL, s->x, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_RADIUS, s->n, NULL, s->r, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_FORCE, s->n, NULL, s->f, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_HOST_FORCE, s->n, NULL, s->host, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_HALF_VELOCITY, s->n, NULL, s->half, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_MASS, s->n, NULL, s->mass, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_DRAG_RATE, s->n, NULL, s->rate, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_FLUID_VELOCITY, s->n, NULL, s->u, 0));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_VELOCITY, s->n, NULL, s->v, 0));
  ASSERT_OK(h->system, dem_system_get_field_int(h->system, DEM_MATERIAL, s->n, NULL, s->material, 0));
  ASSERT_OK(h->system, dem_system_get_field_int(h->system, DEM_FROZEN, s->n, NULL, s->frozen, 0));
}

static int index_of(const state *s, dem_id id) {
  for (int64_t k = 0; k < s->n; k++)
    if (s->id[k] == id) return (int)k;
  return -1;
}

/* Of all images two turns away; positions are wrapped. */
static double gap_of(const state *s, int64_t i, int64_t j) {
  const dem_box *b = &s->box;
  const double *p = s->x + 3 * i, *q = s->x + 3 * j;
  double least = INFINITY;
  for (int z = -2 * b->periodic[2]; z <= 2 * b->periodic[2]; z++)
    for (int y = -2 * b->periodic[1]; y <= 2 * b->periodic[1]; y++)
      for (int x = -2 * b->periodic[0]; x <= 2 * b->periodic[0]; x++) {
        const double dx = p[0] - q[0] - x * (b->high[0] - b->low[0]) - y * b->tilt[0] - z * b->tilt[1];
        const double dy = p[1] - q[1] - y * (b->high[1] - b->low[1]) - z * b->tilt[2];
        const double dz = p[2] - q[2] - z * (b->high[2] - b->low[2]);
        least = fmin(least, dx * dx + dy * dy + dz * dz);
      }
  return sqrt(least) - s->r[i] - s->r[j];
}

static double wall_gap(const host *h, const state *s, int64_t i, int w) {
  double d = 0;
  for (int a = 0; a < 3; a++) d += h->plane[w].axis[a] * (s->x[3 * i + a] - h->plane[w].position[a]);
  return d - s->r[i];
}

/* A neck may hold up to `neck`; whether it does, its past decides. */
static void expect(int touching, int possible, double gap, double neck, int64_t i, int64_t j) {
  if (fabs(gap) < 1e-11) return; /* round-off decides */
  if (possible && gap > 0 && gap < neck && touching == 1) return;
  if (touching != (possible && gap < 0)) fail_msg("rows %d, %d: touching %d, gap %g", (int)i, (int)j, touching, gap);
}

/* A contact of R* tears at 3 l, l = t^4/R*, t^3 = c/4 R*, c = 2 sqrt(pi gamma/Y*). */
static double tears_at(int law, double radius) {
  const double c = 2 * sqrt(3.14159265358979323846 * 2 / 5e3), t = cbrt(0.25 * c * radius);
  return law == NECKS ? 3 * t * t * t * t / radius * (1 + 1e-9) : 0;
}

static void check_touching(host *h, const state *s) {
  for (int64_t i = 0; i < s->n; i++) {
    for (int64_t j = i + 1; j < s->n; j++) {
      const int law = h->law_of[s->material[i]][s->material[j]];
      expect(s->touch[i][j] + s->touch[j][i], law != NO_FORCE && !(s->frozen[i] && s->frozen[j]), gap_of(s, i, j),
             tears_at(law, s->r[i] * s->r[j] / (s->r[i] + s->r[j])), i, j);
    }
    for (int w = 0; w < WALLS; w++) {
      if (h->wall[w] < 0) continue;
      const int law = h->law_of[s->material[i]][h->plane[w].material];
      expect(s->touch[i][MOST + w], law != NO_FORCE && !s->frozen[i], wall_gap(h, s, i, w), tears_at(law, s->r[i]), i, -1 - w);
    }
  }
}

/* Contacts against brute force; forces against the sum over contacts. */
static void check_contacts(host *h) {
  state *s = calloc(1, sizeof *s);
  int64_t n;
  assert_non_null(s);
  read_state(h, s);
  ASSERT_OK(h->system, dem_system_contact_count(h->system, &n));
  dem_contact *c = calloc((size_t)n + 1, sizeof *c);
  assert_non_null(c);
  ASSERT_OK(h->system, dem_system_contacts(h->system, n, c, sizeof *c));
  double largest = 1, wall[WALLS][3] = {{0}};
  for (int64_t k = 0; k < n; k++) {
    const int i = index_of(s, c[k].i), j = c[k].wall < 0 ? index_of(s, c[k].j) : -1;
    assert_true(i >= 0 && (c[k].wall >= 0 || j >= 0));
    for (int w = 0; w < WALLS; w++)
      if (c[k].wall >= 0 && c[k].wall == h->wall[w]) {
        s->touch[i][MOST + w]++;
        for (int a = 0; a < 3; a++) wall[w][a] -= c[k].force[a];
      }
    if (j >= 0) s->touch[i][j]++;
    for (int a = 0; a < 3; a++) {
      s->f[3 * i + a] -= c[k].force[a];
      if (j >= 0) s->f[3 * j + a] += c[k].force[a];
      largest = fmax(largest, fabs(c[k].force[a]));
    }
  }
  check_touching(h, s);
  for (int64_t k = 0; k < 3 * s->n; k++) {
    const double fluid = s->rate[k / 3] * s->mass[k / 3] * (s->u[k] - s->v[k]);
    ASSERT_ABS(s->f[k] - s->host[k], fluid - h->options.drag * s->mass[k / 3] * s->half[k], 1e-9 * fmax(largest, fabs(fluid)));
  }
  for (int w = 0; w < WALLS; w++) {
    double force[3];
    if (h->wall[w] < 0) continue;
    ASSERT_OK(h->system, scene_wall_force(h->system, h->wall[w], force));
    for (int a = 0; a < 3; a++) ASSERT_ABS(force[a], wall[w][a], 1e-9 * largest);
  }
  free(c);
  free(s);
}

/* ---- calls: each returns the status, and in *may what else but DEM_OK is right ---- */

static double coordinate(host *h, int axis) {
  const double side = h->options.box_high[axis] > 0 ? h->options.box_high[axis] : 5;
  if (axis == 2 && h->options.dimension == 2) return 0;
  return dice_uniform(&h->dice, -0.2 * side, 1.2 * side);
}

static double component(host *h, int axis, double size) {
  return axis < h->options.dimension ? dice_uniform(&h->dice, -size, size) : 0;
}

static double size_of(host *h) {
  static const double low[] = {0.01, 0.01, 0.01, 0.03, 0.1, 0.2, 0.4, 1.0};
  const int k = pick(h, 8);
  return h->wide ? uniform(h, low[k], 1.5 * low[k]) : uniform(h, 0.2, 0.45);
}

static dem_status call_add(host *h, dem_status *may) {
  rows r;
  const int64_t room = MOST - count_of(h);
  int64_t n = pick(h, 6) ? pick(h, 40) : 1;
  if (n > room) n = room;
  assert_int_equal(rows_create(&r, n + 1), 0);
  for (int64_t k = 0; k < n; k++) {
    rows_put(&r, coordinate(h, 0), coordinate(h, 1), coordinate(h, 2), size_of(h));
    if (h->wide) r.density[k] = 0.3 / (r.radius[k] * r.radius[k] * r.radius[k]);
    r.material[k] = pick(h, MATERIALS);
    r.frozen[k] = pick(h, 5) == 0;
    if (!r.frozen[k]) {
      rows_velocity(&r, k, component(h, 0, 3), component(h, 1, 3), component(h, 2, 3));
      if (h->options.dimension == 2)
        rows_spin(&r, k, 0, 0, dice_uniform(&h->dice, -5, 5));
      else
        rows_spin(&r, k, component(h, 0, 5), component(h, 1, 5), component(h, 2, 5));
    }
  }
  if (n > 0 && pick(h, 8) == 0) r.density[n - 1] = pick(h, 2) ? NAN : 0, *may = DEM_BAD_ARGUMENT;
  const dem_status status = rows_add(&r, h->system, NULL);
  rows_destroy(&r);
  return status;
}

/* Some of the ids, without repeats. */
static int64_t some(host *h, dem_id *ids) {
  const int64_t n = count_of(h), step = 1 + pick(h, 5);
  int64_t kept = 0;
  ASSERT_OK(h->system, dem_system_ids(h->system, MOST, ids));
  for (int64_t k = pick(h, 3); k < n; k += step) ids[kept++] = ids[k];
  return kept;
}

static dem_status call_remove(host *h, dem_status *may) {
  dem_id ids[MOST + 1];
  int64_t n = pick(h, 6) ? some(h, ids) : count_of(h);
  if (n == count_of(h)) ASSERT_OK(h->system, dem_system_ids(h->system, MOST, ids));
  if (n > 0 && pick(h, 8) == 0)
    ids[n] = ids[0], n++, *may = DEM_BAD_ARGUMENT;
  else if (h->stale && n < MOST && pick(h, 8) == 0)
    ids[n++] = h->stale, *may = DEM_NOT_FOUND;
  const dem_status status = dem_system_remove_particles(h->system, n, ids);
  if (status == DEM_OK && n > 0) h->stale = ids[0];
  return status;
}

static void fill(host *h, int32_t field, double *v, int64_t count) {
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 3; a++) {
      double *x = v + 5 * k + a;
      if (field == DEM_POSITION) *x = coordinate(h, a);
      if (field == DEM_VELOCITY || field == DEM_HOST_FORCE || field == DEM_FLUID_VELOCITY || field == DEM_DRAG_IMPULSE)
        *x = component(h, a, 2);
      if (field == DEM_DRAG_RATE || field == DEM_SPIN_DRAG_RATE) *x = pick(h, 3) ? exp(dice_uniform(&h->dice, -5, 12)) : 0;
      if (field == DEM_SPIN || field == DEM_HOST_TORQUE || field == DEM_FLUID_SPIN)
        *x = h->options.dimension == 3 || a == 2 ? dice_uniform(&h->dice, -1, 1) : 0;
      if (field == DEM_RADIUS) *x = h->wide ? fmax(size_of(h), 0.1) : uniform(h, 0.2, 0.45);
      if (field == DEM_DENSITY) *x = uniform(h, 1, 3) * (h->wide ? 1e3 : 1);
    }
}

/* All of one kind of size: a level of sizes goes. */
static dem_status call_thin(host *h, dem_status *may) {
  dem_id ids[MOST], out[MOST];
  double radius[MOST];
  const int64_t n = count_of(h);
  int64_t kept = 0;
  const double limit = pick(h, 2) ? 0.1 : 0.35;
  const int fine = pick(h, 2);
  (void)may;
  ASSERT_OK(h->system, dem_system_ids(h->system, MOST, ids));
  ASSERT_OK(h->system, dem_system_get_field(h->system, DEM_RADIUS, n, ids, radius, 0));
  for (int64_t k = 0; k < n; k++)
    if ((radius[k] < limit) == fine) out[kept++] = ids[k];
  return dem_system_remove_particles(h->system, kept, out);
}

static int any_frozen(host *h, int64_t n, const dem_id *ids) {
  int32_t frozen[MOST];
  ASSERT_OK(h->system, dem_system_get_field_int(h->system, DEM_FROZEN, n, ids, frozen, 0));
  for (int64_t k = 0; k < n; k++)
    if (frozen[k]) return 1;
  return 0;
}

static dem_status call_set(host *h, dem_status *may) {
  static const int32_t fields[] = {DEM_POSITION,       DEM_VELOCITY,    DEM_SPIN,        DEM_RADIUS,    DEM_DENSITY,
                                   DEM_HOST_FORCE,     DEM_HOST_TORQUE, DEM_MASS,        DEM_DRAG_RATE, DEM_FLUID_VELOCITY,
                                   DEM_SPIN_DRAG_RATE, DEM_FLUID_SPIN,  DEM_DRAG_IMPULSE};
  const int32_t field = fields[pick(h, 13)];
  dem_id ids[MOST];
  double v[5 * MOST];
  const int64_t n = some(h, ids);
  fill(h, field, v, n);
  if ((field == DEM_VELOCITY || field == DEM_SPIN) && any_frozen(h, n, ids)) *may = DEM_BAD_ARGUMENT;
  if (n > 0 && pick(h, 8) == 0) v[5 * (n - 1)] = NAN, *may = DEM_BAD_ARGUMENT;
  if (field == DEM_MASS) *may = DEM_NOT_FOUND;
  return dem_system_set_field(h->system, field, n, ids, v, 5);
}

static dem_status call_material(host *h, dem_status *may) {
  dem_id ids[MOST];
  int32_t m[MOST];
  const int64_t n = some(h, ids);
  for (int64_t k = 0; k < n; k++) m[k] = pick(h, MATERIALS);
  if (n > 0 && pick(h, 6) == 0) m[n - 1] = MATERIALS, *may = DEM_NOT_FOUND;
  return dem_system_set_field_int(h->system, DEM_MATERIAL, n, ids, m, 0);
}

static dem_status call_freeze(host *h, dem_status *may) {
  dem_id ids[MOST];
  const int64_t n = pick(h, 5) ? some(h, ids) : count_of(h);
  if (n == count_of(h)) ASSERT_OK(h->system, dem_system_ids(h->system, MOST, ids));
  (void)may;
  return dem_system_set_frozen(h->system, n, ids, pick(h, 2));
}

/* Frozen ones that move; of those that are not frozen it is refused. */
static dem_status call_drive(host *h, dem_status *may) {
  dem_id ids[MOST];
  double v[3 * MOST], spin[3 * MOST];
  const int64_t n = some(h, ids);
  const int flat = h->options.dimension == 2;
  for (int64_t k = 0; k < 3 * n; k++) {
    v[k] = flat && k % 3 == 2 ? 0 : uniform(h, -3, 3);
    spin[k] = flat && k % 3 != 2 ? 0 : uniform(h, -3, 3);
  }
  if (pick(h, 3)) ASSERT_OK(h->system, dem_system_set_frozen(h->system, n, ids, 1));
  *may = DEM_BAD_ARGUMENT;
  return dem_system_set_frozen_motion(h->system, n, ids, pick(h, 4) ? v : NULL, pick(h, 2) ? spin : NULL);
}

static dem_status call_law(host *h, dem_status *may) {
  (void)may;
  choose_law(h, pick(h, MATERIALS), pick(h, MATERIALS));
  return DEM_OK;
}

static dem_status call_wall(host *h, dem_status *may) {
  const int w = pick(h, WALLS);
  if (h->wall[w] >= 0) {
    const dem_status status = dem_system_remove_wall(h->system, h->wall[w]);
    if (status == DEM_OK) h->wall[w] = -1;
    return status;
  }
  dem_wall p;
  dem_wall_init(&p, sizeof p);
  const int axis = pick(h, h->options.dimension);
  p.axis[axis] = pick(h, 2) ? 1 : -1;
  p.position[axis] = p.axis[axis] > 0 ? 0 : (h->options.box_high[axis] > 0 ? h->options.box_high[axis] : 5);
  p.material = pick(h, MATERIALS);
  if (h->options.periodic[axis]) *may = DEM_BAD_ARGUMENT;
  int32_t id = -1;
  const dem_status status = dem_system_add_wall(h->system, &p, &id);
  if (status == DEM_OK) h->plane[w] = p, h->wall[w] = id;
  return status;
}

static dem_status call_view(host *h, dem_status *may) {
  static const int32_t fields[] = {DEM_POSITION,    DEM_VELOCITY,  DEM_SPIN,           DEM_HOST_FORCE,
                                   DEM_HOST_TORQUE, DEM_DRAG_RATE, DEM_FLUID_VELOCITY, DEM_FLUID_SPIN};
  const int32_t field = fields[pick(h, 8)], mode = pick(h, 2) ? DEM_READ : DEM_WRITE;
  dem_view view = {.struct_size = sizeof view}, second = {.struct_size = sizeof second};
  dem_status status = dem_view_acquire(h->system, field, mode, &view);
  (void)may;
  if (status) return status;
  assert_int_equal(dem_system_step(h->system, 1), DEM_BUSY);
  assert_int_equal(dem_view_acquire(h->system, field, DEM_WRITE, &second), DEM_BUSY);
  double v[5];
  for (int64_t k = 0; mode == DEM_WRITE && k < view.count; k += 2) {
    int32_t frozen;
    ASSERT_OK(h->system, dem_system_get_field_int(h->system, DEM_FROZEN, 1, view.ids + k, &frozen, 0));
    if (frozen) continue;
    fill(h, field, v, 1);
    memcpy(view.data + k * view.stride, v, (size_t)view.components * sizeof *v);
  }
  return dem_view_release(h->system, &view);
}

/* A callback may read and may not change. */
static int32_t progress(void *user, const dem_progress *p) {
  host *h = user;
  const double g[3] = {0};
  dem_particles none;
  dem_energy e;
  dem_view view = {.struct_size = sizeof view};
  const int fail = h->memory.one_in;
  h->memory.one_in = 0;
  dem_particles_init(&none, sizeof none);
  dem_energy_init(&e, sizeof e);
  assert_int_equal(p->particles, count_of(h));
  assert_int_equal(dem_system_step(h->system, 1), DEM_BUSY);
  assert_int_equal(dem_system_add_particles(h->system, &none, NULL), DEM_BUSY);
  assert_int_equal(dem_system_set_gravity(h->system, g), DEM_BUSY);
  assert_int_equal(dem_view_acquire(h->system, DEM_POSITION, DEM_READ, &view), DEM_BUSY);
  assert_true(strlen(dem_system_message(h->system)) > 0);
  assert_int_equal(dem_context_destroy(h->context), DEM_BUSY);
  ASSERT_OK(h->system, dem_system_energy(h->system, &e));
  h->memory.one_in = fail;
  return h->cancel;
}

static dem_status call_step(host *h, dem_status *may) {
  const int64_t steps = pick(h, 20);
  h->cancel = pick(h, 6) == 0;
  const int64_t every = 1 + pick(h, 7);
  ASSERT_OK(h->system, dem_system_set_progress(h->system, every, pick(h, 2) ? progress : NULL, h));
  *may = h->cancel ? DEM_CANCELLED : DEM_OK;
  h->evaluated = steps > 0 && !h->euler;
  if (pick(h, 3)) return dem_system_step(h->system, steps);
  double time;
  ASSERT_OK(h->system, dem_system_time(h->system, &time));
  h->evaluated = 0;
  return dem_system_run_until(h->system, time + dice_uniform(&h->dice, 0, 0.01));
}

static dem_status call_setting(host *h, dem_status *may) {
  const double g[3] = {component(h, 0, 10), component(h, 1, 10), component(h, 2, 10)};
  const int kind = pick(h, 3);
  if (kind == 0) return dem_system_set_dt(h->system, dice_uniform(&h->dice, 5e-4, 1.5e-3));
  if (kind == 1) return dem_system_set_gravity(h->system, g);
  static const char *const names[] = {"velocity-verlet", "euler", "improved-velocity-verlet"};
  const int which = pick(h, 3);
  if (which == 2 && h->options.transport != DEM_TRANSPORT_ROTATE) *may = DEM_BAD_ARGUMENT; /* which it does not read */
  const dem_status status = dem_system_set_integrator_name(h->system, names[which]);
  if (status == DEM_OK) h->euler = which == 1;
  return status;
}

/* Longer than the box of the options by so much that a tilt of a quarter leaves its heights. */
static dem_status call_box(host *h, dem_status *may) {
  const dem_system_options *o = &h->options;
  dem_box b;
  (void)may;
  dem_box_init(&b, sizeof b);
  ASSERT_OK(h->system, dem_system_get_box(h->system, &b));
  for (int a = 0; a < 3; a++)
    if (o->periodic[a]) b.high[a] = b.low[a] + uniform(h, 1.1, 1.2) * (o->box_high[a] - o->box_low[a]);
  const int both[3] = {b.periodic[0] && b.periodic[1], b.periodic[0] && b.periodic[2], b.periodic[1] && b.periodic[2]};
  for (int k = 0; k < 3; k++)
    b.tilt[k] = both[k] && pick(h, 2) ? uniform(h, -0.25, 0.25) * (b.high[k == 2] - b.low[k == 2]) : 0;
  return dem_system_set_box(h->system, &b, pick(h, 2));
}

typedef dem_status call(host *h, dem_status *may);
static call *const calls[] = {call_add,    call_thin,  call_remove, call_set,     call_set,  call_material,
                              call_freeze, call_drive, call_law,    call_wall,    call_view, call_step,
                              call_step,   call_step,  call_step,   call_setting, call_box};

/* One call and what must hold after it; 0: the system is spent. */
static int one_call(host *h) {
  dem_status may = DEM_OK;
  const uint64_t before = hash_of(h);
  const int which = pick(h, (int)(sizeof calls / sizeof *calls));
  h->evaluated = h->memory.failed = 0;
  const dem_status status = calls[which](h, &may);
  if (status == DEM_FAILED_MEMORY && h->memory.failed) return 0;
  /* particles put into each other may be shot out of what doubles resolve */
  if (status == DEM_FAILED_NOT_FINITE && strstr(dem_system_message(h->system), "rounding blurs contacts")) return 0;
  if (status && status != may && !(status == DEM_NO_MEMORY && h->memory.failed))
    fail_msg("call %d: %s, message: %s", which, dem_status_name(status), dem_system_message(h->system));
  if (status) assert_true(strlen(dem_system_message(h->system)) > 0);
  if (h->evaluated && status != DEM_NO_MEMORY) check_contacts(h);
  if (status && status != DEM_CANCELLED) assert_true(before == hash_of(h));
  ASSERT_OK(h->system, dem_system_check(h->system));
  check_books(h);
  return 1;
}

static void run(uint64_t seed, int fail) {
  host h;
  open_host(&h, seed, fail);
  for (int k = 0; k < CALLS; k++)
    if (!one_call(&h)) break;
  close_host(&h);
}

static void sequences_hold(void **unused) {
  (void)unused;
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed++) run(seed, 0);
}

static void sequences_hold_when_memory_fails(void **unused) {
  (void)unused;
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed++) run(1000000 + seed, 20);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences_hold),
      cmocka_unit_test(sequences_hold_when_memory_fails),
  };
  return cmocka_run_group_tests_name("sequences", tests, NULL, NULL);
}
