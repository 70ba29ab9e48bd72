/* Every allocation of every scene fails in turn, once and from then on: the answer is DEM_NO_MEMORY (refused, may be tried
 * again) or DEM_FAILED_MEMORY (poisoned), never a crash, never a leak, never a wrong result. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"
#include "state.h"

/* ---- an allocator that counts, checks what it is told, and fails when asked to ---- */

typedef struct failing {
  int64_t calls;   /* allocations and resizes so far */
  int64_t fail_at; /* which of them fails; 0: none */
  int sticky;      /* 1: and all after it */
  int64_t blocks, bytes;
  int failed;
} failing;

/* In front of every block, so that the sizes the library hands back can be checked. */
typedef struct header {
  void *base;
  size_t size;
} header;

static header *header_of(void *pointer) { return (header *)pointer - 1; }

static void *fresh(failing *f, size_t size, size_t alignment) {
  const size_t room = sizeof(header) + alignment;
  char *base = malloc(size + room);
  if (!base) abort();
  const uintptr_t start = ((uintptr_t)base + room - 1) / alignment * alignment;
  void *pointer = (void *)start;
  *header_of(pointer) = (header){base, size};
  memset(pointer, 0xA5, size); /* nothing may rely on zeros */
  f->blocks++;
  f->bytes += (int64_t)size;
  return pointer;
}

static void gone(failing *f, void *pointer, size_t size) {
  if (!pointer) return;
  if (header_of(pointer)->size != size)
    fail_msg("the library gives back %zu bytes of a block of %zu", size, header_of(pointer)->size);
  f->blocks--;
  f->bytes -= (int64_t)size;
  memset(pointer, 0x5A, size);
  free(header_of(pointer)->base);
}

static void *hook(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  failing *f = user;
  if ((pointer == NULL) != (old_size == 0)) fail_msg("old size %zu of %s", old_size, pointer ? "a block" : "NULL");
  if (alignment == 0 || alignment > 64 || (alignment & (alignment - 1))) fail_msg("alignment %zu", alignment);
  if (new_size == 0) {
    gone(f, pointer, old_size);
    return NULL;
  }
  f->calls++;
  if (f->fail_at && (f->calls == f->fail_at || (f->sticky && f->calls > f->fail_at))) {
    f->failed = 1;
    return NULL;
  }
  void *p = fresh(f, new_size, alignment);
  if (pointer) memcpy(p, pointer, old_size < new_size ? old_size : new_size);
  gone(f, pointer, old_size);
  return p;
}

static dem_status open_context(failing *f, dem_context **context) {
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = f;
  return dem_context_create(&o, context);
}

static void assert_nothing_left(const failing *f) {
  if (f->blocks || f->bytes)
    fail_msg("%d blocks, %d bytes left after allocation %d failed", (int)f->blocks, (int)f->bytes, (int)f->fail_at);
}

/* ---- a scene of its own: all that the energy books cover ---- */

enum { GRAINS = 48, LIMB = 4 };

static void bodies_law(dem_law_options *o) {
  scene_hertz(o);
  o->tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  o->viscosity = 0.1;
  o->lubrication_outer = 0.2;
}

static dem_status add_body(dem_system *system, int32_t shape, int32_t motion) {
  dem_wall w;
  dem_status status = dem_wall_init(&w, sizeof w);
  if (status) return status;
  w.shape = shape, w.motion = motion;
  w.position[0] = w.position[1] = 0.5 * LIMB, w.position[2] = 0.5 * LIMB;
  if (shape == DEM_WALL_BOX) w.size[0] = w.size[1] = 1.1 * LIMB, w.size[2] = 2 * LIMB;
  if (shape == DEM_WALL_PLANE) w.axis[2] = -1, w.position[2] = 0.75 * LIMB;
  if (shape == DEM_WALL_CYLINDER) w.side = DEM_WALL_OUTSIDE, w.axis[1] = 1, w.radius = 0.6, w.position[2] = -1;
  if (motion == DEM_WALL_PRESCRIBED) w.spin[1] = 10;
  if (motion == DEM_WALL_SERVO) w.direction[2] = -1, w.target = 50, w.gain = 0.1, w.velocity_limit = 2;
  if (motion == DEM_WALL_FREE) w.mass = 5, w.free_axis[2] = 1;
  return dem_system_add_wall(system, &w, NULL);
}

/* Grains in a box under a lid that presses, over a drum that turns, beside a free wall; those nearest are bonded, and break. */
static dem_status add_bodies(dem_system *system) {
  dem_status status = add_body(system, DEM_WALL_BOX, DEM_WALL_FIXED);
  if (!status) status = add_body(system, DEM_WALL_CYLINDER, DEM_WALL_PRESCRIBED);
  if (!status) status = add_body(system, DEM_WALL_PLANE, DEM_WALL_SERVO);
  return status ? status : add_body(system, DEM_WALL_PLANE, DEM_WALL_FREE);
}

/* Materials and bond types that nothing uses, until their tables have grown and are full. */
static dem_status add_idle_material(dem_system *system) {
  dem_material m;
  dem_status status = dem_material_init(&m, sizeof m);
  m.young = 1e5 + 1e3 * system->materials.count;
  return status ? status : dem_system_add_material(system, &m, NULL);
}

static dem_status add_idle_type(dem_system *system) {
  dem_bond_type t;
  dem_status status = dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1;
  return status ? status : dem_system_add_bond_type(system, &t, NULL);
}

static dem_status fill_tables(dem_system *system) {
  dem_status status = DEM_OK;
  while (!status && (system->materials.count < 5 || system->materials.count < system->materials.capacity))
    status = add_idle_material(system);
  while (!status && (system->bonds.type_count < 5 || system->bonds.type_count < system->bonds.type_capacity))
    status = add_idle_type(system);
  return status;
}

/* The last material gets the law of the first, bound to its own Young's modulus. */
static dem_status set_idle_law(dem_system *system) {
  return dem_system_set_law(system, system->materials.count - 1, 0, system->materials.law[0]);
}

static dem_status bond_grains(dem_system *system) {
  dem_bond_type t;
  dem_status status = dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1e4, t.tangential_stiffness = 5e3, t.bending_stiffness = 1e3, t.twisting_stiffness = 1e3;
  t.normal_damping = 5, t.tangential_damping = 5, t.relaxation_time = 1, t.break_strain = 0.006;
  if (!status) status = dem_system_add_bond_type(system, &t, NULL);
  return status ? status : dem_system_bond_neighbours(system, 0, 0, 0, 0.1, NULL);
}

static dem_status add_grains(dem_system *system) {
  rows r;
  if (rows_create(&r, GRAINS)) return DEM_NO_MEMORY;
  for (int k = 0; k < GRAINS; k++)
    rows_velocity(&r, rows_put(&r, k % LIMB + 0.5, k / LIMB % LIMB + 0.5, k / LIMB / LIMB, 0.48), 0.1 * (k % 7), 0.1 * (k % 5),
                  -0.2 * (k % 3));
  const dem_status status = rows_add(&r, system, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status build_bodies(dem_context *context, const scene_setup *setup, dem_system **system) {
  (void)setup;
  dem_system_options o;
  dem_material m;
  dem_law_options law;
  dem_system_options_init(&o, sizeof o);
  dem_material_init(&m, sizeof m);
  bodies_law(&law);
  o.dt = 2e-4, o.ledger = 2, o.threads = 1;
  o.gravity[0] = 1, o.gravity[2] = -10;
  m.young = 1e5;
  dem_status status = dem_system_create(context, &o, system);
  if (!status) status = dem_system_add_material(*system, &m, NULL);
  if (!status) status = scene_set_law(context, *system, 0, 0, &law);
  if (!status) status = add_grains(*system);
  if (!status) status = add_bodies(*system);
  if (!status) status = bond_grains(*system);
  if (!status) status = fill_tables(*system);
  if (!status) status = set_idle_law(*system);
  if (!status) return DEM_OK;
  dem_system_destroy(*system);
  *system = NULL;
  return status;
}

/* Of a pair that had none. */
static dem_status set_first_law(dem_system *system) { return dem_system_set_law(system, 1, 2, system->materials.law[0]); }

static dem_status remove_first_bond(dem_system *system) {
  dem_bond bonds[4 * GRAINS];
  int64_t n = 0;
  dem_status status = dem_system_bond_count(system, &n);
  if (!status) status = dem_system_bonds(system, 4 * GRAINS, bonds, sizeof *bonds);
  return status || n == 0 ? status : dem_system_remove_bonds(system, 1, &bonds[0].id);
}

static dem_status release_lid(dem_system *system) {
  dem_wall w;
  dem_status status = dem_wall_init(&w, sizeof w);
  w.motion = DEM_WALL_FREE, w.mass = 3, w.free_axis[2] = 1;
  return status ? status : dem_system_set_wall_motion(system, 2, &w);
}

static dem_status read_books(dem_system *system) {
  dem_energy e;
  const dem_status status = dem_energy_init(&e, sizeof e);
  return status ? status : dem_system_energy(system, &e);
}

static dem_status run_bodies(dem_system *system, int64_t steps) {
  dem_status status = dem_system_step(system, steps / 6);
  if (!status) status = remove_first_bond(system);
  if (!status) status = read_books(system);
  if (!status) status = release_lid(system);
  if (!status) status = dem_system_step(system, steps / 6);
  return status ? status : dem_system_remove_wall(system, 3);
}

static const scene bodies = {"bodies", build_bodies, run_bodies, 100};

/* ---- another: levels of sizes, necks, rolling and twisting ---- */

enum { FINES = 150, COARSE = 4 };

/* Fines that touch in rows, and coarse ones on them; masses are alike. */
static dem_status add_dust(dem_system *system) {
  rows r;
  if (rows_create(&r, FINES + COARSE)) return DEM_NO_MEMORY;
  for (int k = 0; k < FINES; k++) {
    const int64_t row = rows_put(&r, 0.0999 * (k % 15), 0.0999 * (k / 15), 0, 0.05);
    r.density[row] *= 1000;
    rows_velocity(&r, row, 0.5 * (k % 3 - 1), 0.5 * (k % 5 - 2), 0.5 * (k % 7 - 3));
    rows_spin(&r, row, k % 4 - 2, k % 5 - 2, 3 * (k % 3 - 1));
  }
  for (int k = 0; k < COARSE; k++) rows_put(&r, 1.05 * (k % 2), 1.05 * (k / 2), 0.545, 0.5);
  const dem_status status = rows_add(&r, system, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status build_dust(dem_context *context, const scene_setup *setup, dem_system **system) {
  dem_system_options o;
  dem_material m;
  dem_law_options law;
  dem_system_options_init(&o, sizeof o);
  dem_material_init(&m, sizeof m);
  scene_joint(0, &law);
  o.dt = 2e-4, o.ledger = 2, o.threads = setup->threads, o.skin = 2e-3;
  o.periodic[0] = 1, o.box_high[0] = 5;
  m.young = 1e5;
  dem_status status = dem_system_create(context, &o, system);
  if (!status) status = dem_system_set_integrator_name(*system, "improved-velocity-verlet");
  if (!status) status = dem_system_add_material(*system, &m, NULL);
  if (!status) status = scene_set_law(context, *system, 0, 0, &law);
  if (!status) status = add_dust(*system);
  if (!status) status = scene_add_plane(*system, 0, (double[3]){0, 0, -0.0499}, (double[3]){0, 0, 1});
  if (!status) return DEM_OK;
  dem_system_destroy(*system);
  *system = NULL;
  return status;
}

/* The coarsest level goes, and a coarser one comes. */
static dem_status exchange_coarse(dem_system *system) {
  dem_id ids[FINES + COARSE];
  rows r;
  dem_status status = dem_system_ids(system, FINES + COARSE, ids);
  if (!status) status = dem_system_remove_particles(system, COARSE, ids + FINES);
  if (!status) status = dem_system_step(system, 10);
  if (status) return status;
  if (rows_create(&r, 1)) return DEM_NO_MEMORY;
  rows_put(&r, 0.5, 0.5, 1.045, 1);
  status = rows_add(&r, system, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status run_dust(dem_system *system, int64_t steps) {
  dem_status status = dem_system_step(system, steps / 3);
  if (!status) status = read_books(system);
  if (!status) status = exchange_coarse(system);
  return status ? status : dem_system_step(system, steps / 3);
}

static const scene dust = {"dust", build_dust, run_dust, 100};

/* ---- every allocation in turn ---- */

/* Small and short: each scene is run once for each of its allocations. */
static const scene_setup small = {.particles = 30, .ledger = 1, .threads = 2};

static int64_t steps_of(const scene *s) { return s == &dust ? 60 : s->run ? 300 : 100; }

/* Builds and runs; the first status that is not DEM_OK. */
static dem_status whole(const scene *s, dem_context *context, dem_system **system) {
  dem_status status = scene_build(s, context, &small, system);
  if (!status) status = scene_run(s, *system, steps_of(s));
  return status;
}

static int64_t reported_bytes(const dem_context *context) {
  int64_t bytes;
  assert_int_equal(dem_context_memory(context, &bytes), DEM_OK);
  return bytes;
}

static int64_t count_allocations(const scene *s, snapshot *end) {
  failing f = {0};
  dem_context *context;
  dem_system *system;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  assert_true(reported_bytes(context) == f.bytes);
  assert_int_equal(whole(s, context, &system), DEM_OK);
  snapshot_take(end, system);
  assert_true(reported_bytes(context) == f.bytes);
  dem_system_destroy(system);
  assert_true(reported_bytes(context) == f.bytes);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_nothing_left(&f);
  return f.calls;
}

/* With allocation k failing. Returns 1 when the run went wrong, as it should. */
static void fail_allocation(const scene *s, int64_t k, int sticky, const snapshot *right) {
  failing f = {.fail_at = k, .sticky = sticky};
  dem_context *context = NULL;
  dem_system *system = NULL;
  dem_status status = open_context(&f, &context);
  if (status) {
    assert_null(context);
  } else {
    status = whole(s, context, &system);
    /* The scene may have survived, where the library could do without; then its result is right. */
    if (status == DEM_OK) {
      snapshot end;
      snapshot_take(&end, system);
      snapshot_assert_same_bits(right, &end);
      snapshot_free(&end);
    }
    dem_system_destroy(system);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  assert_true(f.failed);
  if (status != DEM_NO_MEMORY && status != DEM_FAILED_MEMORY && status != DEM_OK)
    fail_msg("%s, allocation %d, %s: %s", s->name, (int)k, sticky ? "and after" : "once", dem_status_name(status));
  assert_nothing_left(&f);
}

static void every_allocation_of(const scene *s) {
  snapshot right;
  const int64_t n = count_allocations(s, &right);
  for (int sticky = 0; sticky < 2; sticky++)
    for (int64_t k = 1; k <= n; k++) fail_allocation(s, k, sticky, &right);
  print_message("# %s: %d allocations\n", s->name, (int)n);
  assert_true(n > 10);
  snapshot_free(&right);
}

static void every_allocation_fails(void **state) {
  (void)state;
  for (int i = 0; i < scene_count; i++) every_allocation_of(&scenes[i]);
  every_allocation_of(&bodies);
  every_allocation_of(&dust);
}

/* ---- a refused call may be tried again ---- */

/* Runs `act` on a fresh system with one of its allocations after the other failing: each refusal leaves the system as it was, a
 * second try succeeds. */
typedef dem_status (*action)(dem_system *system);

static dem_status add_many(dem_system *system) {
  rows r;
  if (rows_create(&r, 700)) return DEM_NO_MEMORY;
  for (int i = 0; i < 700; i++) rows_put(&r, 2 * i, 0, 40, 0.5);
  const dem_status status = rows_add(&r, system, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status add_one_plane(dem_system *system) {
  return scene_add_plane(system, 0, (double[3]){0, 0, -20}, (double[3]){0, 0, 1});
}

static dem_status step_once(dem_system *system) { return dem_system_step(system, 1); }

static int32_t ignore(void *user, int64_t step, double time, const dem_energy *energy) {
  (void)user, (void)step, (void)time, (void)energy;
  return 0;
}

/* Reading the books after each step builds the lists anew in between. */
static dem_status step_sampled(dem_system *system) {
  dem_status status = dem_system_set_integrator_name(system, "euler"); /* ends a step with a drift */
  if (!status) status = dem_system_set_energy_sampling(system, 1, ignore, NULL);
  if (!status) status = dem_system_step(system, 300);
  if (status > 0) dem_system_set_integrator_name(system, "velocity-verlet");
  return status;
}

static dem_status push(dem_system *system) {
  dem_id id;
  const double force[3] = {1, 2, 3};
  dem_id *ids = malloc(2000 * sizeof *ids);
  if (!ids) return DEM_NO_MEMORY;
  dem_status status = dem_system_ids(system, 2000, ids);
  id = ids[0];
  free(ids);
  return status ? status : dem_system_set_field(system, DEM_HOST_FORCE, 1, &id, force, 0);
}

static dem_status add_servo(dem_system *system) { return add_body(system, DEM_WALL_PLANE, DEM_WALL_SERVO); }

static dem_status bond_more(dem_system *system) { return dem_system_bond_neighbours(system, 0, 0, 0, 0.6, NULL); }

static dem_status bond_two(dem_system *system) {
  dem_id ids[GRAINS];
  dem_bond b[2] = {{0}};
  const dem_status status = dem_system_ids(system, GRAINS, ids);
  for (int k = 0; k < 2; k++) b[k].i = ids[k], b[k].j = ids[k + LIMB + 1];
  return status ? status : dem_system_add_bonds(system, 2, b, sizeof *b, NULL);
}

static uint64_t hash_of_fresh_system(const scene *s) {
  dem_context *context;
  dem_system *system;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(scene_build(s, context, &small, &system), DEM_OK);
  const uint64_t hash = system_hash(system);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return hash;
}

static void retries(const scene *s, const char *what, action act) {
  /* Of a twin: reading energies may itself allocate. */
  const uint64_t before = hash_of_fresh_system(s);
  int64_t refusals = 0, poisoned = 0, k;
  for (k = 1;; k++) {
    failing f = {0};
    dem_context *context;
    dem_system *system;
    assert_int_equal(open_context(&f, &context), DEM_OK);
    assert_int_equal(scene_build(s, context, &small, &system), DEM_OK);
    f.fail_at = f.calls + k;
    const dem_status status = act(system);
    const int reached = f.failed;
    f.fail_at = 0;
    if (status > 0) {
      refusals++;
      assert_int_equal(status, DEM_NO_MEMORY);
      assert_true(strstr(dem_system_message(system), "memory") != NULL);
      assert_true(system_hash(system) == before);
      ASSERT_OK(system, dem_system_check(system));
      ASSERT_OK(system, act(system));
      ASSERT_OK(system, dem_system_step(system, 20));
    } else if (status < 0) {
      poisoned++;
      assert_int_equal(status, DEM_FAILED_MEMORY);
      ASSERT_STATUS(system, dem_system_step(system, 1), DEM_POISONED);
    }
    dem_system_destroy(system);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
    assert_nothing_left(&f);
    if (!reached) break;
  }
  print_message("# %s: %d allocations, %d refused and tried again, %d poisoned\n", what, (int)k - 1, (int)refusals,
                (int)poisoned);
}

static void a_refused_call_may_be_tried_again(void **state) {
  (void)state;
  const scene *settling = scene_find("settling");
  retries(settling, "add", add_many);
  retries(settling, "plane", add_one_plane);
  retries(settling, "first step", step_once);
  retries(settling, "host force", push);
  retries(settling, "sampled steps", step_sampled);
  retries(&bodies, "add to bodies", add_many);
  retries(&bodies, "servo", add_servo);
  retries(&bodies, "wall motion", release_lid);
  retries(&bodies, "bond neighbours", bond_more);
  retries(&bodies, "bonds", bond_two);
  retries(&bodies, "remove bond", remove_first_bond);
  retries(&bodies, "material", add_idle_material);
  retries(&bodies, "bond type", add_idle_type);
  retries(&bodies, "law", set_first_law);
  retries(&bodies, "energies", read_books);
  retries(&bodies, "first step of bodies", step_once);
}

/* ---- after warm-up a step allocates nothing ---- */

static void steps_allocate_nothing_after_warm_up(void **state) {
  (void)state;
  failing f = {0};
  dem_context *context;
  dem_system *system;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  assert_int_equal(scene_build(scene_find("settling"), context, &small, &system), DEM_OK);
  ASSERT_OK(system, dem_system_step(system, 20000)); /* the bed has come to rest */
  const int64_t before = f.calls;
  ASSERT_OK(system, dem_system_step(system, 5000));
  assert_int_equal(f.calls, before);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* Bonds break after the warm-up, the lid and the drum go on. */
static void steps_of_bodies_allocate_nothing(void **state) {
  (void)state;
  failing f = {0};
  dem_context *context;
  dem_system *system;
  int64_t bonds, left;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  assert_int_equal(scene_build(&bodies, context, &small, &system), DEM_OK);
  ASSERT_OK(system, dem_system_step(system, 2500));
  const int64_t before = f.calls;
  ASSERT_OK(system, dem_system_bond_count(system, &bonds));
  for (int k = 0; k < 4; k++) {
    ASSERT_OK(system, dem_system_step(system, 1000));
    ASSERT_OK(system, read_books(system));
  }
  ASSERT_OK(system, dem_system_bond_count(system, &left));
  print_message("# %d bonds, %d left\n", (int)bonds, (int)left);
  assert_int_equal(f.calls, before);
  assert_true(left < bonds);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* There are levels of sizes, and necks; and a scene in which they come and go allocates nothing in the end. */
static void steps_of_dust_allocate_nothing(void **state) {
  (void)state;
  failing f = {0};
  dem_context *context;
  dem_system *system;
  dem_energy e;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  assert_int_equal(scene_build(&dust, context, &small, &system), DEM_OK);
  ASSERT_OK(system, dem_system_step(system, 3000));
  dem_statistics t;
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(system, dem_system_statistics(system, &t));
  const int64_t before = f.calls, lists = t.rebuilds;
  ASSERT_OK(system, dem_system_step(system, 2000));
  ASSERT_OK(system, dem_system_statistics(system, &t));
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(system, dem_system_energy(system, &e));
  print_message("# dust: %d levels, %d lists since the warm-up, rolling %g, twisting %g, torn %g\n", system->list.levels,
                (int)(t.rebuilds - lists), e.rolling[0], e.twisting[0], e.hysteresis[0]);
  assert_true(system->list.levels > 1 && t.rebuilds > lists && e.rolling[0] > 0 && e.twisting[0] > 0);
  energy_assert_closed(&e, 1e-12, "dust");
  assert_int_equal(f.calls, before);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* A context is not destroyed under living objects. */
static void a_context_outlives_its_objects(void **state) {
  (void)state;
  failing f = {0};
  dem_context *context;
  dem_system *system;
  dem_law_options o;
  dem_law *law;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  scene_hooke(&o);
  assert_int_equal(dem_law_create(context, &o, &law), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_BUSY);
  assert_int_equal(scene_build(scene_find("impact"), context, NULL, &system), DEM_OK);
  ASSERT_OK(system, dem_system_set_law(system, 0, 0, law));
  dem_law_release(law); /* the system has its own reference */
  ASSERT_OK(system, dem_system_step(system, 50));
  assert_int_equal(dem_context_destroy(context), DEM_BUSY);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_nothing_left(&f);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_fails),
      cmocka_unit_test(a_refused_call_may_be_tried_again),
      cmocka_unit_test(steps_allocate_nothing_after_warm_up),
      cmocka_unit_test(steps_of_bodies_allocate_nothing),
      cmocka_unit_test(steps_of_dust_allocate_nothing),
      cmocka_unit_test(a_context_outlives_its_objects),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
