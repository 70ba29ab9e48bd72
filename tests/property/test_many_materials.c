/* Many materials and bond types: a system that uses the last of 300 materials and of 200 bond types moves, books and writes, to the
 * bit, as one that has these alone. The other materials have laws too, set in another order. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "unit/test_io_bytes.h"

/* The used ones: three of particles, the last of the floor. */
enum { USED = 3, MANY = 300, TYPES = 200, EDGE = 4, COUNT = EDGE * EDGE * EDGE, STEPS = 1500 };

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_law *hertz, *soft, *none; /* of most pairs; of the middle one with itself; of no force */
  int32_t first, type;          /* numbers of the used ones */
  int32_t wall;
  dem_id id[COUNT];
} world;

static double young(int32_t used) { return 1e5 * (1 + 0.5 * used); }

static void add_materials(world *w, int32_t unused) {
  dem_material m;
  dem_material_init(&m, sizeof m);
  for (int32_t k = 0; k < unused; k++) {
    m.young = 3e5 + 1e3 * k; /* each pair of them binds to parameters of its own, no pair to those of the used ones */
    ASSERT_OK(w->system, dem_system_add_material(w->system, &m, NULL));
  }
  for (int32_t k = 0; k < USED; k++) {
    int32_t index;
    m.young = young(k);
    ASSERT_OK(w->system, dem_system_add_material(w->system, &m, &index));
    assert_int_equal(index, unused + k);
  }
  w->first = unused;
}

static void create_laws(world *w) {
  dem_law_options o;
  scene_hertz(&o);
  assert_int_equal(dem_law_create(w->context, &o, &w->hertz), DEM_OK);
  o.friction = 0.1;
  assert_int_equal(dem_law_create(w->context, &o, &w->soft), DEM_OK);
  dem_law_options_init(&o, sizeof o);
  o.normal = DEM_NORMAL_NONE, o.tangential = DEM_TANGENTIAL_NONE;
  assert_int_equal(dem_law_create(w->context, &o, &w->none), DEM_OK);
}

/* From the last pair to the first; materials 0 and 2 of the used ones do not see each other. */
static void set_laws(world *w) {
  for (int32_t k = USED - 1; k >= 0; k--)
    for (int32_t m = USED - 1; m >= k; m--) {
      const dem_law *law = k == 0 && m == 2 ? w->none : k == 1 && m == 1 ? w->soft : w->hertz;
      ASSERT_OK(w->system, dem_system_set_law(w->system, w->first + m, w->first + k, law));
    }
  for (int32_t k = 0; k < w->first; k += 7)
    for (int32_t m = k; m < w->first + USED; m += 11) ASSERT_OK(w->system, dem_system_set_law(w->system, m, k, w->hertz));
}

/* A crystal of grains that almost touch, its lowest layer on the floor. */
static void add_grains(world *w) {
  rows r;
  dice d = {5};
  assert_int_equal(rows_create(&r, COUNT), 0);
  for (int k = 0; k < COUNT; k++) {
    const int64_t row = rows_put(&r, k % EDGE, k / EDGE % EDGE, 0.5 + k / EDGE / EDGE, 0.5 - 0.01 * dice_uniform(&d, 0, 1));
    r.material[row] = w->first + (int32_t)dice_uniform(&d, 0, USED);
    rows_velocity(&r, row, dice_uniform(&d, -0.5, 0.5), dice_uniform(&d, -0.5, 0.5), dice_uniform(&d, -1, 0));
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, w->id));
  rows_destroy(&r);
}

static void add_bonds(world *w, int32_t unused) {
  dem_bond_type t;
  int32_t index = -1;
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1;
  for (int32_t k = 0; k < unused; k++) ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &t, NULL));
  t.normal_stiffness = 1e4, t.tangential_stiffness = 5e3, t.bending_stiffness = 1e3, t.twisting_stiffness = 1e3;
  t.normal_damping = 5, t.relaxation_time = 2, t.break_strain = 0.004;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &t, &index));
  assert_int_equal(index, unused);
  int64_t made = 0;
  ASSERT_OK(w->system, dem_system_bond_neighbours(w->system, index, w->first + 1, w->first + 2, 0.1, &made));
  assert_true(made > 5 && made < COUNT);
  w->type = index;
}

static void add_floor(world *w) {
  dem_wall f;
  dem_wall_init(&f, sizeof f);
  f.shape = DEM_WALL_PLANE, f.axis[2] = 1, f.material = w->first + 1;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, &f, &w->wall));
}

static void open_world(world *w, int32_t unused_materials, int32_t unused_types) {
  dem_system_options o;
  memset(w, 0, sizeof *w);
  dem_system_options_init(&o, sizeof o);
  o.dt = 2e-4, o.ledger = 2, o.gravity[2] = -10;
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  add_materials(w, unused_materials);
  create_laws(w);
  set_laws(w);
  add_grains(w);
  add_bonds(w, unused_types);
  add_floor(w);
}

static void close_world(world *w) {
  dem_law_release(w->hertz);
  dem_law_release(w->soft);
  dem_law_release(w->none);
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* ---- what is the same ---- */

static void same_motion(const world *a, const world *b) {
  static const int32_t field[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_FORCE};
  double x[3 * COUNT], y[3 * COUNT];
  for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
    ASSERT_OK(a->system, dem_system_get_field(a->system, field[k], COUNT, a->id, x, 0));
    ASSERT_OK(b->system, dem_system_get_field(b->system, field[k], COUNT, b->id, y, 0));
    ASSERT_BITS(x, y, sizeof x);
  }
}

static dem_energy energy_of(const world *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

static dem_energy_share share_of(const world *w, int32_t a, int32_t b) {
  dem_energy_share e;
  dem_energy_share_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy_of_materials(w->system, w->first + a, w->first + b, &e));
  return e;
}

static void same_books(const world *a, const world *b) {
  const dem_energy p = energy_of(a), q = energy_of(b);
  double sliding[2] = {0, 0};
  ASSERT_BITS(&p, &q, sizeof p);
  ASSERT_BELOW(p.residual_relative, 1e-12);
  assert_true(p.damping_bond > 0 && p.breakage > 0);
  for (int32_t m = 0; m < USED; m++)
    for (int32_t k = 0; k < USED; k++) {
      const dem_energy_share s = share_of(a, m, k), t = share_of(b, m, k), turned = share_of(a, k, m);
      ASSERT_BITS(&s, &t, sizeof s);
      ASSERT_BITS(&s, &turned, sizeof s);
      for (int n = 0; n < 2 && k <= m; n++) sliding[n] += s.sliding[n];
      assert_true((s.damping_normal[0] > 0) == (m + k != 2 || m == 1));
    }
  for (int n = 0; n < 2; n++) ASSERT_REL(sliding[n], p.sliding[n], 1e-12);
  assert_true(sliding[0] > 0 && sliding[1] > 0);
}

static dem_contact *contacts_of(const world *w, int64_t *count) {
  ASSERT_OK(w->system, dem_system_contact_count(w->system, count));
  dem_contact *list = calloc((size_t)*count + 1, sizeof *list);
  assert_non_null(list);
  ASSERT_OK(w->system, dem_system_contacts(w->system, *count, list, sizeof *list));
  return list;
}

static int law_number(const world *w, const dem_law *law) { return law == w->hertz ? 1 : law == w->soft ? 2 : 0; }

static void same_contacts(const world *a, const world *b) {
  int64_t n, m;
  int with_wall = 0, soft = 0;
  dem_contact *p = contacts_of(a, &n), *q = contacts_of(b, &m);
  print_message("# %d contacts\n", (int)n);
  assert_true(n == m && n > 20);
  for (int64_t k = 0; k < n; k++) {
    assert_true(law_number(a, p[k].law) == law_number(b, q[k].law) && law_number(a, p[k].law) > 0);
    assert_true(p[k].i == q[k].i && p[k].j == q[k].j);
    ASSERT_BITS(p[k].force, q[k].force, sizeof p[k].force);
    assert_int_equal(p[k].sliding, q[k].sliding);
    with_wall += p[k].wall >= 0;
    soft += law_number(a, p[k].law) == 2;
  }
  assert_true(with_wall > 0 && soft > 0);
  free(p), free(q);
}

static void same_bonds(const world *a, const world *b) {
  int64_t n, m, taken, others;
  dem_bond p[2 * COUNT], q[2 * COUNT];
  dem_bond_break r[COUNT], t[COUNT];
  ASSERT_OK(a->system, dem_system_bond_count(a->system, &n));
  ASSERT_OK(b->system, dem_system_bond_count(b->system, &m));
  assert_true(n == m && n > 0);
  ASSERT_OK(a->system, dem_system_bonds(a->system, 2 * COUNT, p, sizeof *p));
  ASSERT_OK(b->system, dem_system_bonds(b->system, 2 * COUNT, q, sizeof *q));
  for (int64_t k = 0; k < n; k++) {
    assert_true(p[k].type == a->type && q[k].type == b->type);
    ASSERT_BITS(p[k].force, q[k].force, sizeof p[k].force);
  }
  ASSERT_OK(a->system, dem_system_take_bond_breaks(a->system, COUNT, r, sizeof *r, &taken));
  ASSERT_OK(b->system, dem_system_take_bond_breaks(b->system, COUNT, t, sizeof *t, &others));
  assert_true(taken == others && taken > 0);
  for (int64_t k = 0; k < taken; k++) assert_true(r[k].type == a->type && r[k].id == t[k].id && r[k].step == t[k].step);
}

static void same_limits(const world *a, const world *b) {
  double p, q;
  dem_advice v, u;
  ASSERT_OK(a->system, dem_system_stable_dt(a->system, &p));
  ASSERT_OK(b->system, dem_system_stable_dt(b->system, &q));
  assert_true(p > 0 && p < q); /* it counts pairs that are possible, and the idle materials are stiffer */
  dem_advice_init(&v, sizeof v), dem_advice_init(&u, sizeof u);
  ASSERT_OK(a->system, dem_system_advise(a->system, &v));
  ASSERT_OK(b->system, dem_system_advise(b->system, &u));
  ASSERT_BITS(&v.contact_time, &u.contact_time, sizeof v.contact_time);
  ASSERT_BITS(&v.stable_dt, &u.stable_dt, sizeof v.stable_dt);
}

static void the_last_ones_act_as_if_alone(void **state) {
  (void)state;
  world many, few;
  open_world(&many, MANY - USED, TYPES - 1);
  open_world(&few, 0, 0);
  same_limits(&many, &few);
  ASSERT_OK(many.system, dem_system_step(many.system, STEPS));
  ASSERT_OK(few.system, dem_system_step(few.system, STEPS));
  same_motion(&many, &few);
  same_contacts(&many, &few);
  same_bonds(&many, &few);
  same_books(&many, &few);
  same_limits(&many, &few);
  ASSERT_OK(many.system, dem_system_check(many.system));
  close_world(&many);
  close_world(&few);
}

/* ---- files ---- */

static bytes written_by(const world *w, dem_status (*write)(const dem_system *, const dem_sink *)) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  ASSERT_OK(w->system, write(w->system, &sink));
  return b;
}

/* The data file names all types, and gives the materials back. */
static void files_know_the_last_material(void **state) {
  (void)state;
  world w;
  dem_data *data;
  dem_particles p;
  int32_t types;
  open_world(&w, MANY - USED, TYPES - 1);
  bytes text = written_by(&w, dem_system_write_data), walls = written_by(&w, dem_system_write_walls_vtp);
  const dem_source source = bytes_source(&text);
  assert_int_equal(dem_data_read(w.context, &source, &data), DEM_OK);
  assert_int_equal(dem_data_types(data, &types), DEM_OK);
  assert_int_equal(types, MANY);
  dem_particles_init(&p, sizeof p);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, COUNT);
  int32_t material[COUNT], last = 0;
  ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_MATERIAL, COUNT, w.id, material, 0));
  ASSERT_BITS(p.material, material, sizeof material);
  for (int k = 0; k < COUNT; k++) last = last > material[k] ? last : material[k];
  assert_int_equal(last, MANY - 1);
  const int32_t floor_material = MANY - USED + 1;
  int found = 0;
  for (int64_t k = 0; k + (int64_t)sizeof floor_material <= walls.size; k++)
    found = found || memcmp(walls.text + k, &floor_material, sizeof floor_material) == 0;
  assert_true(found);
  dem_data_destroy(data);
  bytes_clear(&text);
  bytes_clear(&walls);
  close_world(&w);
}

/* ---- what is missing is named, beyond the first walk over the particles too ---- */

static void a_missing_law_of_late_materials_is_named(void **state) {
  (void)state;
  world w;
  memset(&w, 0, sizeof w);
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  add_materials(&w, MANY - USED);
  create_laws(&w);
  rows r;
  assert_int_equal(rows_create(&r, 2), 0);
  r.material[rows_put(&r, 0, 0, 5, 0.5)] = 70;
  r.material[rows_put(&r, 9, 0, 5, 0.5)] = 280;
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  for (int m = 70; m <= 280; m += 210) ASSERT_OK(w.system, dem_system_set_law(w.system, m, m, w.hertz));
  ASSERT_STATUS(w.system, dem_system_step(w.system, 1), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(w.system), "(70, 280)"));
  ASSERT_OK(w.system, dem_system_set_law(w.system, 280, 70, w.hertz));
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  add_floor(&w);
  ASSERT_OK(w.system, dem_system_set_law(w.system, 70, w.first + 1, w.hertz));
  ASSERT_STATUS(w.system, dem_system_step(w.system, 1), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(w.system), "(280, 298)"));
  ASSERT_OK(w.system, dem_system_set_law(w.system, w.first + 1, 280, w.hertz));
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  close_world(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_ones_act_as_if_alone),
      cmocka_unit_test(files_know_the_last_material),
      cmocka_unit_test(a_missing_law_of_late_materials_is_named),
  };
  return cmocka_run_group_tests_name("many_materials", tests, NULL, NULL);
}
