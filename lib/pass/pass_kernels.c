/* One chunk of a pass; see pass.h. Compiled once per instruction set, same bits from each.
 *
 * Drag in a fluid. During a kick of length h under constant forces, dv/dt = a - gamma (v - u) has the solution
 *
 *   v' = v + h phi a + e (u - v),    phi = (1 - exp(-x))/x,    e = 1 - exp(-x),    x = gamma h
 *
 * which the kick applies: right for any x, v' = u + a/gamma for a large one. The impulse of the drag is m (v' - v - h a), the change of
 * momentum less the impulse of the other forces. Spins follow the same formulas. h phi and e of the latest h are kept with each
 * particle. */
#include <math.h>
#include <string.h>

#include "exponential.h"
#include "pass.h"
#include "sum.h"
#include "variant.h"
#include "wide.h"

typedef struct masks {
  demi_wide_mask linear, angular; /* components that may move */
} masks;

static masks masks_of(const demi_pass *p) {
  if (p->dimension == 2) return (masks){{-1, -1, 0, 0}, {0, 0, -1, 0}};
  return (masks){{-1, -1, -1, 0}, {-1, -1, -1, 0}};
}

static demi_wide masked(demi_wide v, demi_wide_mask m) { return (demi_wide)((demi_wide_mask)v & m); }

/* The load rows of a chunk. Where they are only of use inside the pass, as many rows as a block can reach are used in turn. */
static demi_sum_window window_of(const demi_pass *p, int32_t chunk) {
  demi_sum_window w = demi_sum_window_of(p->store->columns.load, p->chunks, chunk, p->coarse_row);
  int32_t rows = 1;
  while (rows < p->loads->window && rows < (1 << 30)) rows *= 2;
  const int32_t end = w.last_row < w.coarse_row ? w.last_row : w.coarse_row;
  if (p->clear_loads && rows <= end - w.first_row) w.mask = rows - 1;
  return w;
}

static void note_seen(const demi_pass *p, int32_t first, int32_t last) {
  const demi_columns *s = &p->store->columns;
  memcpy(s->seen + 8 * (int64_t)first, s->velocity + 8 * (int64_t)first, (size_t)(last - first) * 8 * sizeof *s->seen);
}

static void evaluate(const demi_pass *p, const demi_sum_window *w, int32_t chunk, int32_t block, int32_t first, int32_t last) {
  if (!p->evaluated && (p->chunks->count == 1 || !demi_pass_reaches_out(p, chunk, block)))
    demi_contacts_block(p->evaluation, chunk, block);
  demi_sum_block(p->loads, w, block);
  if (p->store->columns.seen) note_seen(p, first, last);
}

/* ---- kick ---- */

/* Vectors of a particle's translation and rotation. */
typedef struct motion {
  demi_wide linear, angular;
} motion;

/* Forces on particles other than contacts and gravity: none, those of the host, or a drag (with or without host forces). */
enum { ALONE = 0, HOST = 1, DRAG = 2 };

static int others_of(const demi_pass *p) {
  if (p->drag > 0 || p->store->columns.fluid) return DRAG;
  return p->store->host_used ? HOST : ALONE;
}

/* Forces of contacts and host and the background drag -gamma m v, -gamma I w at the velocities that the contacts saw. */
static inline __attribute__((always_inline)) motion forces_on(const demi_pass *p, const double *load, int64_t r,
                                                              const int others) {
  const demi_columns *s = &p->store->columns;
  motion f = {demi_load4(load), demi_load4(load + 4)};
  if (others == HOST || (others && p->store->host_used)) {
    f.linear += demi_load4(s->host + 8 * r);
    f.angular += demi_load4(s->host + 8 * r + 4);
  }
  if (others == DRAG && p->drag > 0) {
    f.linear += demi_spread(-p->drag * s->mass[r]) * demi_load4(s->seen + 8 * r);
    f.angular += demi_spread(-p->drag * s->inertia[r]) * demi_load4(s->seen + 8 * r + 4);
  }
  return f;
}

/* Entries 3 of the rows of velocity and spin are taken as the mobilities (store.h). */
static inline demi_wide accelerate(demi_wide mobility, demi_wide force, demi_wide gravity) {
  const demi_wide_mask moves = mobility > (demi_wide){0};
  return force * mobility + (demi_wide)((demi_wide_mask)gravity & moves);
}

/* Consecutive kicks, such as the half kicks at the end of a step and at the start of the next one. */
typedef struct kicks {
  int32_t count;
  const demi_op *op;
} kicks;

static double length_of(const kicks *k) {
  double duration = 0;
  for (int32_t n = 0; n < k->count; n++) duration += k->op[n].duration;
  return duration;
}

static inline demi_wide kicked_by(const kicks *k, demi_wide velocity, demi_wide acceleration) {
  for (int32_t n = 0; n < k->count; n++) velocity += demi_spread(k->op[n].duration) * acceleration;
  return velocity;
}

static void fit_lag(double *lag, const double *fluid, double h) {
  lag[0] = h;
  for (int chunk = 0; chunk < 2; chunk++) {
    const double x = fluid[3 + 4 * chunk] * h, phi = demi_mean_decay(x);
    lag[1 + 2 * chunk] = h * phi;
    lag[2 + 2 * chunk] = x * phi;
  }
}

/* A kick in a fluid. Returns the impulse of its drag. */
static inline motion drag_along(const demi_pass *p, int64_t r, double duration, const motion *a, motion *v) {
  const demi_columns *s = &p->store->columns;
  const double *fluid = s->fluid + 8 * r;
  double *lag = s->lag + 8 * r;
  const masks allowed = masks_of(p);
  const motion old = *v;
  const demi_wide h = demi_spread(duration);
  if (lag[0] != duration) fit_lag(lag, fluid, duration);
  const demi_wide pull = demi_spread(lag[2]) * (demi_load4(fluid) - v->linear);
  const demi_wide turn = demi_spread(lag[4]) * (demi_load4(fluid + 4) - v->angular);
  v->linear += demi_spread(lag[1]) * a->linear + masked(pull, allowed.linear);
  v->angular += demi_spread(lag[3]) * a->angular + masked(turn, allowed.angular);
  return (motion){demi_spread(s->mass[r]) * masked((v->linear - old.linear) - h * a->linear, allowed.linear),
                  demi_spread(s->inertia[r]) * masked((v->angular - old.angular) - h * a->angular, allowed.angular)};
}

/* Kicks in a fluid one after the other. Returns the impulse of its drag in all, having added it to what the particle got. */
static motion drag_along_all(const demi_pass *p, int64_t r, const kicks *k, const motion *a, motion *v) {
  double *sum = p->store->columns.impulse + 8 * r;
  motion given = {{0}, {0}}, so_far = {demi_load4(sum), demi_load4(sum + 4)};
  for (int32_t n = 0; n < k->count; n++) {
    const motion now = drag_along(p, r, k->op[n].duration, a, v);
    given.linear += now.linear;
    given.angular += now.angular;
    so_far.linear += now.linear;
    so_far.angular += now.angular;
  }
  demi_store4(sum, so_far.linear);
  demi_store4(sum + 4, so_far.angular);
  return given;
}

/* Values common to all particles of a pass. */
typedef struct setting {
  masks allowed;
  demi_wide gravity;
} setting;

static setting setting_of(const demi_pass *p) {
  return (setting){masks_of(p), {p->gravity[0], p->gravity[1], p->gravity[2], 0}};
}

/* Any kicks of one particle; `f` out: forces on it, without gravity and the fluid's drag. Returns the impulse of that drag. `others`:
 * see others_of. */
static inline __attribute__((always_inline)) motion kick_row(const demi_pass *p, const setting *all, const double *load,
                                                             int64_t r, const kicks *k, motion *f, const int others) {
  double *velocity = p->store->columns.velocity + 8 * r;
  motion v = {demi_load4(velocity), demi_load4(velocity + 4)}, given = {{0}, {0}};
  *f = forces_on(p, load, r, others);
  const motion a = {masked(accelerate(demi_lane3(v.linear), f->linear, all->gravity), all->allowed.linear),
                    masked(f->angular * demi_lane3(v.angular), all->allowed.angular)};
  if (others == DRAG && p->store->columns.fluid && demi_store_mobility(p->store, r) > 0) {
    given = drag_along_all(p, r, k, &a, &v);
  } else {
    v.linear = kicked_by(k, v.linear, a.linear);
    v.angular = kicked_by(k, v.angular, a.angular);
  }
  demi_store4(velocity, v.linear);
  demi_store4(velocity + 4, v.angular);
  return given;
}

static inline __attribute__((always_inline)) void kick_of(const demi_pass *p, const demi_sum_window *loads, int32_t first,
                                                          int32_t last, const kicks *k, const int others) {
  const setting all = setting_of(p);
  motion unused;
  for (int64_t r = first; r < last; r++) kick_row(p, &all, demi_sum_row(loads, (int32_t)r), r, k, &unused, others);
}

static void kick(const demi_pass *p, const demi_sum_window *loads, int32_t first, int32_t last, const kicks *k) {
  switch (others_of(p)) {
    case ALONE: kick_of(p, loads, first, last, k, ALONE); break;
    case HOST: kick_of(p, loads, first, last, k, HOST); break;
    default: kick_of(p, loads, first, last, k, DRAG); break;
  }
}

static double dot(demi_wide a, demi_wide b) {
  const demi_wide c = a * b;
  return c[0] + c[1] + c[2];
}

typedef struct works {
  demi_wide gravity;
  double host, host_torque, drag, drag_torque;
} works;

/* Works of host forces and drag in kicks of length h. `both` and `turn` are the sums of velocities and of spins before and
 * after. */
static void add_others(const demi_pass *p, int64_t r, double h, demi_wide both, demi_wide turn, const motion *given, works *w) {
  const demi_columns *s = &p->store->columns;
  const masks allowed = masks_of(p);
  both = masked(both, allowed.linear);
  turn = masked(turn, allowed.angular);
  if (p->store->host_used) {
    w->host += h * dot(demi_load4(s->host + 8 * r), both);
    w->host_torque += h * dot(demi_load4(s->host + 8 * r + 4), turn);
  }
  if (p->drag > 0) {
    w->drag -= h * p->drag * s->mass[r] * dot(demi_load4(s->seen + 8 * r), both);
    w->drag_torque -= h * p->drag * s->inertia[r] * dot(demi_load4(s->seen + 8 * r + 4), turn);
  }
  if (s->fluid) {
    w->drag += dot(given->linear, both);
    w->drag_torque += dot(given->angular, turn);
  }
}

/* The same with the works of gravity, host and drag booked: F.(v + v')/2 h, however many kicks.
 *
 * Gravity is booked as it was applied, m (v' - v) less the share of the other forces: v + g h is rounded the same way step
 * after step in free flight, and that error would add up in the residual. In a fluid it is the drag that is what the others
 * leave. */
static inline __attribute__((always_inline)) void kick_and_book_of(const demi_pass *p, const demi_sum_window *loads,
                                                                   int32_t first, int32_t last, const kicks *k, double *work,
                                                                   const int others) {
  const demi_columns *s = &p->store->columns;
  const setting all = setting_of(p);
  const int fluid = others == DRAG && s->fluid;
  const double duration = length_of(k);
  const demi_wide h = demi_spread(duration);
  works w = {{0}, 0, 0, 0, 0};
  for (int64_t r = first; r < last; r++) {
    const double *velocity = s->velocity + 8 * r;
    const demi_wide v = demi_load4(velocity), spin = demi_load4(velocity + 4);
    motion f;
    const motion given = kick_row(p, &all, demi_sum_row(loads, (int32_t)r), r, k, &f, others);
    const demi_wide v1 = demi_load4(velocity), both = v + v1;
    if (v[3] == 0) continue; /* no kick changes its velocity */
    w.gravity += demi_spread(s->mass[r]) * both * (fluid ? h * all.gravity : (v1 - v) - h * (f.linear * demi_lane3(v)));
    if (others) add_others(p, r, duration, both, spin + demi_load4(velocity + 4), &given, &w);
  }
  w.gravity = masked(w.gravity, all.gravity != (demi_wide){0});
  work[DEMI_WORK_GRAVITY] += 0.5 * (w.gravity[0] + w.gravity[1] + w.gravity[2]);
  work[DEMI_WORK_HOST] += 0.5 * w.host;
  work[DEMI_WORK_HOST_TORQUE] += 0.5 * w.host_torque;
  work[DEMI_WORK_DRAG] += 0.5 * w.drag;
  work[DEMI_WORK_DRAG_TORQUE] += 0.5 * w.drag_torque;
}

static void kick_and_book(const demi_pass *p, const demi_sum_window *loads, int32_t first, int32_t last, const kicks *k,
                          double *work) {
  if (others_of(p) == ALONE)
    kick_and_book_of(p, loads, first, last, k, work, ALONE);
  else
    kick_and_book_of(p, loads, first, last, k, work, DRAG);
}

/* ---- drift ---- */

/* Box of the displacements of some rows; `finite` turns NaN when one is not. */
typedef struct reach {
  demi_wide low, high, finite;
} reach;

static const reach no_reach = {{INFINITY, INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {0}};

static inline void move(double *position, demi_wide step, reach *r) {
  const demi_wide moved = demi_load4(position) + step;
  demi_store4(position, moved);
  r->low = demi_min(r->low, step);
  r->high = demi_max(r->high, step);
  r->finite += moved - moved; /* NaN from a NaN or an infinity, else 0 */
}

static void note_tile(const demi_pass *p, int32_t tile, const reach *r) {
  for (int k = 0; k < 2; k++) {
    double *moved = p->motion->bounds[k].moved + 8 * (int64_t)tile;
    demi_store4(moved, demi_load4(moved) + r->low);
    demi_store4(moved + 4, demi_load4(moved + 4) + r->high);
  }
}

static void note_block(const demi_pass *p, int32_t block, const reach *r) {
  double *recent = p->motion->recent + 8 * (int64_t)block;
  const double finite = recent[3] + r->finite[0] + r->finite[1] + r->finite[2];
  demi_store4(recent, demi_load4(recent) + r->low);
  demi_store4(recent + 4, demi_load4(recent + 4) + r->high);
  recent[3] = recent[7] = finite;
}

static void join(reach *all, const reach *tile) {
  all->low = demi_min(all->low, tile->low);
  all->high = demi_max(all->high, tile->high);
  all->finite += tile->finite;
}

static void drift(const demi_pass *p, int32_t block, double duration) {
  const demi_columns *s = &p->store->columns;
  const demi_wide h = demi_spread(duration);
  reach all = no_reach;
  for (int32_t t = p->motion->block_tile[block]; t < p->motion->block_tile[block + 1]; t++) {
    reach r = no_reach;
    for (int64_t row = p->motion->tile_start[t]; row < p->motion->tile_start[t + 1]; row++)
      move(s->position + 4 * row, h * demi_xyz(demi_load4(s->velocity + 8 * row)), &r);
    note_tile(p, t, &r);
    join(&all, &r);
  }
  note_block(p, block, &all);
}

/* Kicks and the drift after them in one loop: nearly every step has this form. With `booked` the work of gravity is booked as
 * in kick_and_book; `others` is ALONE or HOST. */
static inline __attribute__((always_inline)) void kick_and_drift_of(const demi_pass *p, const demi_sum_window *loads,
                                                                    int32_t block, const kicks *k, double duration,
                                                                    const int booked, const int others) {
  const demi_columns *s = &p->store->columns;
  const masks allowed = masks_of(p);
  const demi_wide g = setting_of(p).gravity, h = demi_spread(duration), first = demi_spread(k->op[0].duration);
  const demi_wide second = demi_spread(k->count > 1 ? k->op[1].duration : 0.0);
  const demi_wide kicked = demi_spread(k->op[0].duration + (k->count > 1 ? k->op[1].duration : 0.0));
  demi_wide gravity = {0};
  reach all = no_reach;
  for (int32_t t = p->motion->block_tile[block]; t < p->motion->block_tile[block + 1]; t++) {
    reach r = no_reach;
    for (int32_t row = p->motion->tile_start[t]; row < p->motion->tile_start[t + 1]; row++) {
      double *velocity = s->velocity + 8 * (int64_t)row, *load = demi_sum_row(loads, row);
      demi_wide v = demi_load4(velocity), w = demi_load4(velocity + 4);
      const motion all_on = forces_on(p, load, row, others);
      const demi_wide before = v, f = all_on.linear, a = masked(accelerate(demi_lane3(v), f, g), allowed.linear);
      const demi_wide b = masked(all_on.angular * demi_lane3(w), allowed.angular);
      v += first * a;
      w += first * b;
      if (k->count > 1) {
        v += second * a;
        w += second * b;
      }
      demi_store4(velocity, v);
      demi_store4(velocity + 4, w);
      if (booked) gravity += demi_spread(s->mass[row]) * (before + v) * ((v - before) - kicked * (f * demi_lane3(v)));
      if (p->clear_loads) {
        demi_store4(load, (demi_wide){0});
        demi_store4(load + 4, (demi_wide){0});
      }
      move(s->position + 4 * (int64_t)row, h * demi_xyz(v), &r);
    }
    note_tile(p, t, &r);
    join(&all, &r);
  }
  note_block(p, block, &all);
  if (!booked) return;
  gravity = masked(gravity, g != (demi_wide){0});
  p->work[DEMI_WORK_ENTRIES * (int64_t)block + DEMI_WORK_GRAVITY] += 0.5 * (gravity[0] + gravity[1] + gravity[2]);
}

/* The same with drag; without books. */
static __attribute__((noinline)) void kick_drag_and_drift(const demi_pass *p, const demi_sum_window *loads, int32_t block,
                                                          const kicks *k, double duration) {
  const demi_columns *s = &p->store->columns;
  const demi_wide h = demi_spread(duration);
  const setting all_rows = setting_of(p);
  reach all = no_reach;
  motion unused;
  for (int32_t t = p->motion->block_tile[block]; t < p->motion->block_tile[block + 1]; t++) {
    reach r = no_reach;
    for (int32_t row = p->motion->tile_start[t]; row < p->motion->tile_start[t + 1]; row++) {
      double *load = demi_sum_row(loads, row);
      kick_row(p, &all_rows, load, row, k, &unused, DRAG);
      if (p->clear_loads) memset(load, 0, 8 * sizeof *load);
      move(s->position + 4 * (int64_t)row, h * demi_xyz(demi_load4(s->velocity + 8 * (int64_t)row)), &r);
    }
    note_tile(p, t, &r);
    join(&all, &r);
  }
  note_block(p, block, &all);
}

static __attribute__((noinline)) void kick_and_drift(const demi_pass *p, const demi_sum_window *loads, int32_t block,
                                                     const kicks *k, double duration) {
  if (p->ledger)
    kick_and_drift_of(p, loads, block, k, duration, 1, ALONE);
  else
    kick_and_drift_of(p, loads, block, k, duration, 0, ALONE);
}

static __attribute__((noinline)) void kick_host_and_drift(const demi_pass *p, const demi_sum_window *loads, int32_t block,
                                                          const kicks *k, double duration) {
  kick_and_drift_of(p, loads, block, k, duration, 0, HOST);
}

/* ---- block ---- */

static kicks kicks_from(const demi_pass *p, int32_t op) {
  kicks k = {0, &p->op[op]};
  while (op + k.count < p->count && k.op[k.count].kind == DEMI_OP_KICK) k.count++;
  return k;
}

/* One or two kicks, then a drift, then nothing; and only gravity to be booked. */
static int ends_in_drift(const demi_pass *p, int32_t op, const kicks *k) {
  const int32_t next = op + k->count;
  return !(p->ledger && others_of(p)) && k->count <= 2 && next + 1 == p->count && p->op[next].kind == DEMI_OP_DRIFT;
}

static void run_kicks(const demi_pass *p, const demi_sum_window *w, int32_t block, const kicks *k) {
  const int32_t first = demi_block_first(p->motion, block), last = demi_block_first(p->motion, block + 1);
  if (p->ledger)
    kick_and_book(p, w, first, last, k, p->work + DEMI_WORK_ENTRIES * (int64_t)block);
  else
    kick(p, w, first, last, k);
}

static void run_block(const demi_pass *p, const demi_sum_window *w, int32_t chunk, int32_t block) {
  const int32_t first = demi_block_first(p->motion, block), last = demi_block_first(p->motion, block + 1);
  for (int32_t n = 0; n < p->count; n++) {
    if (p->op[n].kind == DEMI_OP_EVALUATE) {
      evaluate(p, w, chunk, block, first, last);
    } else if (p->op[n].kind == DEMI_OP_KICK) {
      const kicks k = kicks_from(p, n);
      if (ends_in_drift(p, n, &k)) {
        const double duration = p->op[n + k.count].duration;
        switch (others_of(p)) {
          case ALONE: kick_and_drift(p, w, block, &k, duration); break;
          case HOST: kick_host_and_drift(p, w, block, &k, duration); break;
          default: kick_drag_and_drift(p, w, block, &k, duration); break;
        }
        return;
      }
      run_kicks(p, w, block, &k);
      n += k.count - 1;
    } else {
      drift(p, block, p->op[n].duration);
    }
  }
  for (int32_t row = first; row < last && p->clear_loads; row++) memset(demi_sum_row(w, row), 0, 8 * sizeof(double));
}

void DEMI_VARIANT_NAME(pass_chunk)(const demi_pass *p, int32_t chunk) {
  const demi_sum_window w = window_of(p, chunk);
  if (p->op[0].kind == DEMI_OP_EVALUATE) demi_sum_incoming(p->loads, p->chunks, p->reach, &w, chunk);
  for (int32_t b = p->chunks->block[chunk]; b < p->chunks->block[chunk + 1]; b++) run_block(p, &w, chunk, b);
}
