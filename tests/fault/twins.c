/* Twins: how they are opened and closed; see twins.h. */
#include "assertions.h"

#include "fault/twins.h"

const twin_kind twin_kinds[TWINS] = {{2, 1, 0, 0}, {0, 3, 0, 1}, {1, 2, 1, 0}, {2, 3, 0, 0}};

int host_pick(host *h, int n) { return (int)dice_uniform(&h->dice, 0, n); }

double host_uniform(host *h, double low, double high) { return dice_uniform(&h->dice, low, high); }

/* JKR, DMT and SJKR beside friction, rolling and twisting; JKR alone. */
static void adhesive(dem_law_options *o, int k) {
  scene_joint(k % 3, o);
  if (o->normal == DEM_NORMAL_HOOKE) o->normal_stiffness = 3e3, o->tangential_stiffness = 1e3;
  if (o->surface_energy > 0) o->surface_energy = 2;
  if (o->cohesion_energy_density > 0) o->cohesion_energy_density = 500;
  if (k == 3) o->rolling = o->twisting = o->tangential = 0;
  o->rolling_stiffness = o->twisting_stiffness = 1e3;
  o->rolling_damping = o->twisting_damping = 1;
}

/* The last one is "no force". */
static void open_laws(const host *h, twin *t) {
  dem_law_options o;
  for (int k = 0; k < LAWS; k++) {
    const int hertz = k == 2 || k == 3 || k == 5;
    if (hertz)
      scene_hertz(&o);
    else
      scene_hooke(&o), o.normal_stiffness = 3e3;
    if (k == 1) o.tangential = DEM_TANGENTIAL_VISCOUS, o.tangential_damping = DEM_DAMPING_RATE, o.shear_damping = 3;
    if (k == 3) o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
    if (k == 4) o.tangential = DEM_TANGENTIAL_NONE;
    if (k == 5) o.tangential = DEM_TANGENTIAL_LINEAR;
    if (k == 1 || k == 3) o.attraction = 0;
    if (k == 3 || k == 4) o.viscosity = 0.5, o.lubrication_inner = 0.01, o.lubrication_outer = 0.3;
    if (k != 4) scene_add_rolling(&o, k == 1 || k == 2 ? DEM_ROLLING_CONSTANT : DEM_ROLLING_SPRING, k % 3);
    o.rolling_stiffness = o.twisting_stiffness = 1e3;
    o.rolling_damping = o.twisting_damping = 1;
    if (k >= 6 && k < LAWS - 1) adhesive(&o, k - 6);
    if (k == LAWS - 1) dem_law_options_init(&o, sizeof o), o.normal = DEM_NORMAL_NONE, o.tangential = DEM_TANGENTIAL_NONE;
    assert_int_equal(scene_create_law(t->context, &o, &t->law[k]), DEM_OK);
  }
  (void)h;
}

static void choose_options(host *h) {
  h->wide = host_pick(h, 2);
  dem_system_options *o = &h->options;
  dem_system_options_init(o, sizeof *o);
  o->dt = 5e-4;
  o->dimension = host_pick(h, 3) ? 3 : 2;
  if (o->dimension == 2 && host_pick(h, 2)) o->shape = DEM_SHAPE_DISC;
  o->arms = host_pick(h, 3), o->transport = host_pick(h, 2);
  const double sides[] = {4, 6, 9, 30};
  for (int a = 0; a < 3; a++) {
    o->periodic[a] = a < o->dimension && host_pick(h, 3) == 0;
    if (o->periodic[a] || host_pick(h, 2)) o->box_high[a] = sides[h->wide ? 2 + host_pick(h, 2) : host_pick(h, 4)];
    o->gravity[a] = a < o->dimension && host_pick(h, 2) ? host_uniform(h, -10, 10) : 0;
  }
  const double skins[] = {0, 0, 1e-12, 0.01, 0.3};
  o->skin = skins[host_pick(h, h->wide ? 4 : 5)];
  if (host_pick(h, 3) == 0) o->drag = 0.5;
}

static void open_twin(host *h, int k) {
  twin *t = &h->twin[k];
  dem_context_options c;
  dem_context_options_init(&c, sizeof c);
  c.allocate = hook_allocate, c.allocate_user = &h->memory;
  if (twin_kinds[k].backwards) c.parallel = hook_backwards;
  if (twin_kinds[k].plain) c.instructions = DEM_INSTRUCTIONS_PLAIN;
  assert_int_equal(dem_context_create(&c, &t->context), DEM_OK);
  dem_system_options o = h->options;
  o.ledger = twin_kinds[k].ledger, o.threads = twin_kinds[k].threads;
  assert_int_equal(dem_system_create(t->context, &o, &t->system), DEM_OK);
  dem_material m;
  dem_material_init(&m, sizeof m);
  m.young = 1e4;
  for (int n = 0; n < MATERIALS; n++) ASSERT_OK(t->system, dem_system_add_material(t->system, &m, NULL));
  open_laws(h, t);
  for (int a = 0; a < MATERIALS; a++)
    for (int b = a; b < MATERIALS; b++)
      ASSERT_OK(t->system, dem_system_set_law(t->system, a, b, t->law[(2 * a + 3 * b) % LAWS]));
}

void host_open(host *h, uint64_t seed, int count, int fail) {
  memset(h, 0, sizeof *h);
  h->dice.state = seed * 0x9E3779B97F4A7C15u;
  h->memory.dice = &h->dice;
  h->count = count;
  h->gentle = host_pick(h, 4) > 0;
  h->plain_walls = host_pick(h, 2);
  choose_options(h);
  for (int k = 0; k < count; k++) open_twin(h, k);
  for (int w = 0; w < WALLS; w++) h->wall[w] = -1;
  h->memory.one_in = fail;
}

dem_system *host_first(const host *h) { return h->twin[0].system; }

int64_t host_count(const host *h) {
  int64_t n;
  ASSERT_OK(host_first(h), dem_system_particle_count(host_first(h), &n));
  return n;
}

void host_close(host *h) {
  h->memory.one_in = 0;
  for (int k = 0; k < h->count; k++) {
    for (int n = 0; n < LAWS; n++) dem_law_release(h->twin[k].law[n]);
    dem_system_destroy(h->twin[k].system);
    assert_int_equal(dem_context_destroy(h->twin[k].context), DEM_OK);
  }
  assert_int_equal(h->memory.blocks, 0);
}
