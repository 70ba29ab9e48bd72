/* Kicks and drifts against a plain loop over the rows that computes the formulas of pass.h one number at a time: the same bits of
 * velocities, positions and boxes of displacements, for any number of chunks, in 2D and 3D, in every instruction set. The drag of a
 * fluid is compared with dv/dt = a - gamma (v - u) solved with the exponentials of the C library, and the works with F.(v + v')/2 h. */
#include "assertions.h"

#include "context.h"
#include "pass.h"
#include "scenes/scenes.h"

enum { ROWS = 240, TILES = 48, BLOCKS = 12, COARSE_BLOCK = 9, PER_TILE = ROWS / TILES, PER_BLOCK = ROWS / BLOCKS };

/* Forces beside those of contacts and gravity, or-ed. */
enum { HOST = 1, DRAG = 2, FLUID = 4, KINDS = 8 };

typedef struct world {
  dem_context *context;
  demi_store store;
  demi_motion motion;
  demi_loads loads;
  int32_t tile_start[TILES + 1], block_tile[BLOCKS + 1], reach[BLOCKS];
  double *boxes; /* 8 per tile twice, 8 per block, works: aligned */
  demi_chunks fine, coarse;
  demi_pass pass;
} world;

static _Alignas(64) double boxes[8 * (2 * TILES + BLOCKS) + DEMI_WORK_ENTRIES * BLOCKS];

static void run_backwards(void *user, int32_t count, dem_task_fn task, void *argument) {
  (void)user;
  while (count > 0) task(argument, --count);
}

/* ---- the world ---- */

static void random_row(dice *d, double *row, double size) {
  for (int k = 0; k < 8; k++)
    if (k % 4 < 3) row[k] = dice_uniform(d, -size, size);
}

/* Every seventh row is frozen, and still has a velocity. Loads have rubbish in their fourth lanes. */
static void add_rows(world *w, int others) {
  demi_store *s = &w->store;
  dice d = {31};
  assert_int_equal(demi_store_reserve(s, ROWS), DEM_OK);
  if (others & DRAG) assert_int_equal(demi_store_keep(s, DEMI_KEEP_SEEN), DEM_OK);
  if (others & FLUID) assert_int_equal(demi_store_keep(s, DEMI_KEEP_FLUID), DEM_OK);
  s->count = ROWS;
  s->host_used = (others & HOST) != 0;
  for (int r = 0; r < ROWS; r++) {
    demi_columns *c = &s->columns;
    const double mass = dice_uniform(&d, 0.5, 3), inertia = dice_uniform(&d, 0.1, 1);
    memset(c->host + 8 * r, 0, 8 * sizeof(double));
    random_row(&d, c->velocity + 8 * r, 2);
    for (int a = 0; a < 3; a++) c->position[4 * r + a] = dice_uniform(&d, 0, 10);
    for (int k = 0; k < 8; k++) c->load[8 * r + k] = dice_uniform(&d, -5, 5);
    c->position[4 * r + 3] = 0.5;
    c->mass[r] = mass;
    c->inertia[r] = inertia;
    c->velocity[8 * r + 3] = r % 7 == 3 ? 0 : 1 / mass;
    c->velocity[8 * r + 7] = r % 7 == 3 ? 0 : 1 / inertia;
    if (others & HOST) random_row(&d, c->host + 8 * r, 3);
    if (others & DRAG) random_row(&d, c->seen + 8 * r, 2);
    if (!(others & FLUID)) continue;
    random_row(&d, c->fluid + 8 * r, 2);
    c->fluid[8 * r + 3] = r % 5 == 0 ? 0 : dice_uniform(&d, 0, 300);
    c->fluid[8 * r + 7] = dice_uniform(&d, 0, 3);
  }
}

static void cut(demi_chunks *chunks, int32_t first, int32_t end, int32_t count) {
  chunks->count = count;
  for (int32_t k = 0; k <= count; k++) {
    chunks->block[k] = first + (end - first) * k / count;
    chunks->row[k] = PER_BLOCK * chunks->block[k];
  }
}

/* Of 3D, x, y, z both of velocity and of spin; of 2D, x, y and the spin about z. k: 0 ... 7 of a row. */
static int may_move(int32_t dimension, int k) { return k % 4 < 3 && (dimension == 3 || (k < 4 ? k < 2 : k == 6)); }

/* With several chunks the last blocks are of a coarser level. In a plane nothing leaves it, though forces of the loads point out of it. */
static world *make(dem_context *context, int32_t dimension, int others, int32_t chunks, int32_t ledger) {
  world *w = test_calloc(1, sizeof *w);
  const int32_t fine_end = chunks > 1 ? COARSE_BLOCK : BLOCKS;
  w->context = context;
  demi_store_init(&w->store, context);
  add_rows(w, others);
  for (int k = 0; k < 8 * ROWS; k++)
    if (k % 4 < 3 && !may_move(dimension, k % 8)) w->store.columns.velocity[k] = 0;
  memset(boxes, 0, sizeof boxes);
  for (int32_t t = 0; t <= TILES; t++) w->tile_start[t] = PER_TILE * t;
  for (int32_t b = 0; b <= BLOCKS; b++) w->block_tile[b] = TILES / BLOCKS * b;
  w->motion = (demi_motion){.tiles = TILES, .blocks = BLOCKS, .tile_start = w->tile_start, .block_tile = w->block_tile};
  w->motion.bounds[0].moved = boxes;
  w->motion.bounds[1].moved = boxes + 8 * TILES;
  w->motion.recent = boxes + 16 * TILES;
  w->loads.reach = w->loads.fine_reach = w->reach;
  cut(&w->fine, 0, fine_end, chunks);
  cut(&w->coarse, fine_end, BLOCKS, chunks > 2 ? 2 : 1);
  w->pass = (demi_pass){.store = &w->store,
                        .motion = &w->motion,
                        .loads = &w->loads,
                        .chunks = &w->fine,
                        .coarse = fine_end < BLOCKS ? &w->coarse : NULL,
                        .coarse_row = fine_end < BLOCKS ? PER_BLOCK * fine_end : ROWS,
                        .gravity = {0.3, -9.81, 0.7},
                        .drag = others & DRAG ? 0.4 : 0,
                        .dimension = dimension,
                        .ledger = ledger,
                        .work = w->motion.recent + 8 * BLOCKS};
  return w;
}

static void destroy(world *w) {
  demi_store_free(&w->store);
  test_free(w);
}

/* ---- the plain loop ---- */

typedef struct plain {
  double velocity[8 * ROWS], position[4 * ROWS], impulse[8 * ROWS];
  double moved[8 * TILES], recent[8 * BLOCKS];           /* boxes */
  double work[DEMI_WORK_ENTRIES * BLOCKS], size[BLOCKS]; /* size: of the works, what rounding goes with */
} plain;

static double force_on(const demi_pass *p, int r, int k) {
  const demi_columns *c = &p->store->columns;
  double f = c->load[8 * r + k];
  if (p->store->host_used) f += c->host[8 * r + k];
  if (p->drag > 0) f += -p->drag * (k < 4 ? c->mass[r] : c->inertia[r]) * c->seen[8 * r + k];
  return f;
}

static double acceleration_of(const demi_pass *p, int r, int k) {
  const double mobility = p->store->columns.velocity[8 * r + (k < 4 ? 3 : 7)];
  return force_on(p, r, k) * mobility + (k < 3 && mobility > 0 ? p->gravity[k] : 0);
}

/* Component k of row r is kicked for h. Returns the impulse of the fluid's drag. */
static double kick(const demi_pass *p, plain *o, int r, int k, double h) {
  const demi_columns *c = &p->store->columns;
  const double v = o->velocity[8 * r + k], a = acceleration_of(p, r, k);
  if (!may_move(p->dimension, k)) return 0;
  o->velocity[8 * r + k] = v + h * a;
  if (!c->fluid || c->velocity[8 * r + 3] == 0) return 0;
  const double x = c->fluid[8 * r + (k < 4 ? 3 : 7)] * h, left = exp(-x), phi = x > 0 ? -expm1(-x) / x : 1;
  o->velocity[8 * r + k] = left * v - expm1(-x) * c->fluid[8 * r + k] + h * phi * a;
  const double impulse = (k < 4 ? c->mass[r] : c->inertia[r]) * (o->velocity[8 * r + k] - v - h * a);
  o->impulse[8 * r + k] += impulse;
  return impulse;
}

/* Books kicks that follow each other as one: `before` is the velocity before them, h their length, `impulse` that of the fluid. */
static void book(const demi_pass *p, plain *o, int r, int k, double h, double before, double impulse) {
  const demi_columns *c = &p->store->columns;
  const double m = k < 4 ? c->mass[r] : c->inertia[r], now = o->velocity[8 * r + k], mean = 0.5 * (before + now);
  double *work = o->work + DEMI_WORK_ENTRIES * (r / PER_BLOCK);
  if (!may_move(p->dimension, k) || c->velocity[8 * r + 3] == 0) return;
  if (k < 3) work[DEMI_WORK_GRAVITY] += h * m * p->gravity[k] * mean;
  if (p->store->host_used) work[k < 4 ? DEMI_WORK_HOST : DEMI_WORK_HOST_TORQUE] += h * c->host[8 * r + k] * mean;
  if (p->drag > 0) impulse -= h * p->drag * m * c->seen[8 * r + k];
  work[k < 4 ? DEMI_WORK_DRAG : DEMI_WORK_DRAG_TORQUE] += impulse * mean;
  o->size[r / PER_BLOCK] += fabs(mean) * (m * (fabs(before) + fabs(now)) + h * fabs(force_on(p, r, k)));
}

static void drift(plain *o, int r, double h) {
  double *moved = o->moved + 8 * (r / PER_TILE), *recent = o->recent + 8 * (r / PER_BLOCK);
  for (int a = 0; a < 3; a++) {
    const double step = h * o->velocity[8 * r + a];
    o->position[4 * r + a] += step;
    moved[a] = r % PER_TILE ? fmin(moved[a], step) : step;
    moved[4 + a] = r % PER_TILE ? fmax(moved[4 + a], step) : step;
    recent[a] = fmin(recent[a], step);
    recent[4 + a] = fmax(recent[4 + a], step);
  }
}

/* Operations n ... end - 1, which are kicks. */
static void kick_and_book(const demi_pass *p, plain *o, int32_t n, int32_t end) {
  for (int r = 0; r < ROWS; r++)
    for (int k = 0; k < 8; k++) {
      const double before = o->velocity[8 * r + k];
      double h = 0, impulse = 0;
      for (int32_t q = n; q < end; q++) {
        impulse += kick(p, o, r, k, p->op[q].duration);
        h += p->op[q].duration;
      }
      book(p, o, r, k, h, before, impulse);
    }
}

static void run_plainly(const demi_pass *p, plain *o) {
  memset(o, 0, sizeof *o);
  memcpy(o->velocity, p->store->columns.velocity, sizeof o->velocity);
  memcpy(o->position, p->store->columns.position, sizeof o->position);
  for (int32_t n = 0; n < p->count; n++) {
    int32_t end = n;
    while (end < p->count && p->op[end].kind == DEMI_OP_KICK) end++;
    if (end > n) kick_and_book(p, o, n, end);
    for (int r = 0; r < ROWS && end < p->count; r++) drift(o, r, p->op[end].duration);
    n = end;
  }
}

/* ---- comparison ---- */

static void compare_boxes(const world *w, const plain *o) {
  for (int t = 0; t < TILES; t++)
    for (int k = 0; k < 2; k++)
      for (int side = 0; side < 8; side += 4)
        ASSERT_BITS(w->motion.bounds[k].moved + 8 * t + side, o->moved + 8 * t + side, 3 * sizeof(double));
  for (int b = 0; b < BLOCKS; b++) {
    ASSERT_BITS(w->motion.recent + 8 * b, o->recent + 8 * b, 3 * sizeof(double));
    ASSERT_BITS(w->motion.recent + 8 * b + 4, o->recent + 8 * b + 4, 3 * sizeof(double));
    assert_true(w->motion.recent[8 * b + 3] == 0); /* all displacements are finite */
  }
}

static void compare_fluid(const world *w, const plain *o) {
  const demi_columns *c = &w->store.columns;
  for (int k = 0; k < 8 * ROWS; k++) {
    ASSERT_ABS(c->velocity[k], o->velocity[k], 1e-13);
    if (k % 4 < 3) ASSERT_ABS(c->impulse[k], o->impulse[k], 1e-13);
  }
  for (int k = 0; k < 4 * ROWS; k++) ASSERT_ABS(c->position[k], o->position[k], 1e-13);
}

/* What a row keeps of its latest kick, because rows change places later. */
static void compare_lag(const world *w, double h) {
  const demi_columns *c = &w->store.columns;
  for (int r = 0; r < ROWS; r++) {
    const double *lag = c->lag + 8 * r;
    if (c->velocity[8 * r + 3] == 0) continue;
    assert_true(lag[0] == h);
    for (int k = 0; k < 2; k++) {
      const double rate = c->fluid[8 * r + 3 + 4 * k];
      ASSERT_REL(lag[1 + 2 * k], rate > 0 ? -expm1(-rate * h) / rate : h, 1e-14);
      ASSERT_REL(lag[2 + 2 * k], -expm1(-rate * h), 1e-14);
    }
  }
}

static void compare(const world *w, const plain *o) {
  const demi_columns *c = &w->store.columns;
  if (c->fluid) {
    compare_fluid(w, o);
  } else {
    ASSERT_BITS(c->velocity, o->velocity, sizeof o->velocity);
    ASSERT_BITS(c->position, o->position, sizeof o->position);
    compare_boxes(w, o);
  }
  for (int k = 0; w->pass.ledger && k < DEMI_WORK_ENTRIES * BLOCKS; k++)
    ASSERT_ABS(w->pass.work[k], o->work[k], 1e-13 * o->size[k / DEMI_WORK_ENTRIES]);
}

/* ---- tests ---- */

/* For tables, whose elements must be constant expressions. */
#define KICK \
  { DEMI_OP_KICK, 0.011 }
#define LONGER_KICK \
  { DEMI_OP_KICK, 0.013 }
#define DRIFT \
  { DEMI_OP_DRIFT, 0.017 }
static const demi_op K = KICK, D = DRIFT;

static void run_all(dem_context *context, int32_t count, const demi_op *ops) {
  static plain expected;
  for (int others = 0; others < KINDS; others++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int32_t ledger = 0; ledger < 2; ledger++)
        for (int32_t chunks = 1; chunks <= 5; chunks += 2) {
          world *w = make(context, dimension, others, chunks, ledger);
          memcpy(w->pass.op, ops, (size_t)count * sizeof *ops);
          w->pass.count = count;
          run_plainly(&w->pass, &expected);
          demi_pass_run(&w->pass);
          compare(w, &expected);
          if (others & FLUID && ops[count - 1].kind == DEMI_OP_KICK) compare_lag(w, ops[count - 1].duration);
          destroy(w);
        }
}

static void each_row_moves_as_in_a_plain_loop(void **state) {
  (void)state;
  static const struct {
    int32_t count;
    demi_op op[4];
  } queues[] = {{1, {KICK}},
                {1, {DRIFT}},
                {2, {KICK, DRIFT}},
                {3, {KICK, LONGER_KICK, DRIFT}},
                {4, {KICK, LONGER_KICK, KICK, DRIFT}},
                {3, {LONGER_KICK, DRIFT, KICK}},
                {2, {DRIFT, KICK}}};
  dem_context_options o;
  assert_int_equal(dem_context_options_init(&o, sizeof o), DEM_OK);
  o.parallel = run_backwards; /* the order of the chunks must not matter */
  for (o.instructions = DEM_INSTRUCTIONS_PLAIN; o.instructions <= DEM_INSTRUCTIONS_AVX512; o.instructions++) {
    dem_context *context;
    if (dem_context_create(&o, &context) != DEM_OK) continue; /* this CPU lacks them */
    for (size_t k = 0; k < sizeof queues / sizeof *queues; k++) run_all(context, queues[k].count, queues[k].op);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

/* A displacement that is no number makes the mark of its block NaN, and no other. */
static void a_displacement_that_is_not_finite_marks_its_block(void **state) {
  (void)state;
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  for (int form = 0; form < 3; form++)
    for (int axis = 0; axis < 3; axis++) {
      world *w = make(context, 3, form == 2 ? DRAG : 0, 1, 0);
      w->pass.op[0] = form ? K : D;
      w->pass.op[1] = D;
      w->pass.count = form ? 2 : 1;
      w->store.columns.velocity[8 * (PER_BLOCK * 4 + 7) + axis] = INFINITY;
      demi_pass_run(&w->pass);
      for (int b = 0; b < BLOCKS; b++) assert_int_equal(isnan(w->motion.recent[8 * b + 3]) != 0, b == 4);
      destroy(w);
    }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* Load rows that are only of use inside the pass are left empty for the next sum. */
static void loads_are_cleared_on_request(void **state) {
  (void)state;
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  for (int others = 0; others < 3; others++)
    for (int form = 0; form < 2; form++) {
      world *w = make(context, 3, others, 1, 0);
      w->pass.clear_loads = 1;
      w->loads.window = ROWS;
      w->pass.op[0] = K;
      w->pass.op[1] = D;
      w->pass.count = 1 + form;
      demi_pass_run(&w->pass);
      for (int k = 0; k < 8 * ROWS; k++) assert_true(w->store.columns.load[k] == 0);
      destroy(w);
    }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_row_moves_as_in_a_plain_loop),
      cmocka_unit_test(a_displacement_that_is_not_finite_marks_its_block),
      cmocka_unit_test(loads_are_cleared_on_request),
  };
  return cmocka_run_group_tests_name("pass", tests, NULL, NULL);
}
