/* The unknowns of a trial: which particles and walls, in what order, and where they are at u = 0. */
#include <math.h>
#include <string.h>

#include "intake.h"
#include "trial.h"

#define ROWS_V1 DEMI_SIZE_TO(dem_trial_rows, velocity)

dem_status demi_trial_rows_defaults(dem_trial_rows *rows, uint32_t struct_size) {
  dem_trial_rows r;
  memset(&r, 0, sizeof r);
  return demi_init(rows, struct_size, &r, sizeof r, ROWS_V1);
}

static double volume_of(const dem_trial *t) {
  const demi_box *box = &t->start_box;
  if (t->box_width == 0) return 0;
  return t->dimension == 2 ? demi_box_length(box, 0) * demi_box_length(box, 1) : demi_box_volume(box);
}

dem_status demi_trial_get_rows(const dem_trial *t, dem_trial_rows *out) {
  const dem_trial_rows r = {.struct_size = (uint32_t)sizeof r,
                            .width = t->width,
                            .wall_width = t->wall_width,
                            .walls = t->walls,
                            .particles = t->particles,
                            .unknowns = t->unknowns,
                            .ids = t->id,
                            .frozen = t->frozen,
                            .inverse_mass = t->inverse_mass,
                            .inverse_inertia = t->inverse_inertia,
                            .wall_ids = t->wall_id,
                            .box_width = t->box_width,
                            .volume = volume_of(t),
                            .velocity = t->velocity};
  return demi_outgive(out, &r, sizeof r, ROWS_V1);
}

/* ---- memory ---- */

/* X(type, member, elements) */
#define ARRAYS(X)                              \
  X(dem_id, id, t->particles)                  \
  X(int32_t, frozen, t->particles)             \
  X(double, inverse_mass, t->particles)        \
  X(double, inverse_inertia, t->particles)     \
  X(double, start, 4 * t->particles)           \
  X(int32_t, image, 3 * t->particles)          \
  X(int32_t, of_row, t->particles)             \
  X(double, base, 4 * t->particles)            \
  X(double, u, t->unknowns)                    \
  X(double, tried, t->unknowns)                \
  X(double, velocity, t->particles * t->width) \
  X(double, total, t->unknowns)                \
  X(int32_t, wall_id, t->walls)                \
  X(demi_wall, wall, t->walls)                 \
  X(double, face_displacement, 8 * (int64_t)t->system->faces.count)

static size_t at_least_one(int64_t count) { return count > 0 ? (size_t)count : 1; }

#define COUNT(type, member, count) +1
_Static_assert(DEMI_TRIAL_ARRAYS == 0 ARRAYS(COUNT), "one place in room for each array");
#undef COUNT

void demi_trial_free_rows(dem_trial *t) {
  int32_t k = 0;
#define FREE(type, member, count) demi_free(t->system->context, t->member, t->room[k++]);
  ARRAYS(FREE)
#undef FREE
}

/* Array k with room for `bytes`, all zero; NULL: no memory, and the array is gone. */
static void *fit(dem_trial *t, int32_t k, void *array, size_t bytes) {
  if (bytes > t->room[k]) {
    demi_free(t->system->context, array, t->room[k]);
    array = demi_allocate(t->system->context, bytes + bytes / 4);
    t->room[k] = array ? bytes + bytes / 4 : 0;
  }
  if (array) memset(array, 0, bytes);
  return array;
}

dem_status demi_trial_lay_rows(dem_trial *t) {
  const dem_system *s = t->system;
  int32_t array = 0;
  int complete = 1;
  t->particles = s->store.count;
  t->walls = s->walls.count;
  t->unknowns = t->particles * t->width + (int64_t)t->walls * t->wall_width + t->box_width;
#define FIT(type, member, count) \
  complete = (t->member = fit(t, array++, t->member, at_least_one(count) * sizeof(type))) != NULL && complete;
  ARRAYS(FIT)
#undef FIT
  if (!complete) return DEM_NO_MEMORY;
  for (int64_t k = 0; k < t->particles; k++) {
    t->id[k] = s->store.columns.id[k];
    t->frozen[k] = demi_store_frozen(&s->store, k);
    t->inverse_mass[k] = demi_store_mobility(&s->store, k);
    t->inverse_inertia[k] = demi_store_turning_mobility(&s->store, k);
  }
  for (int32_t w = 0; w < t->walls; w++) t->wall_id[w] = s->walls.wall[w].id;
  demi_trial_note_start(t);
  return DEM_OK;
}

/* ---- u = 0 ---- */

static void note_velocity(const dem_trial *t, const double *row, double *out) {
  for (int a = 0; a < t->dimension; a++) out[a] = row[a];
  if (t->options.rotations && t->dimension == 2) out[2] = row[6];
  for (int a = 0; a < 3 && t->options.rotations && t->dimension == 3; a++) out[3 + a] = row[4 + a];
}

void demi_trial_note_start(dem_trial *t) {
  const dem_system *s = t->system;
  t->start_box = s->box;
  for (int64_t k = 0; k < t->particles; k++) {
    const int64_t row = demi_idpool_row(&s->store.ids, t->id[k]);
    memcpy(t->start + 4 * k, s->store.columns.position + 4 * row, 4 * sizeof *t->start);
    memcpy(t->image + 3 * k, s->store.columns.image + 3 * row, 3 * sizeof *t->image);
    note_velocity(t, s->store.columns.velocity + 8 * row, t->velocity + k * t->width);
  }
  t->accepted = s->guards.accepted;
  if (t->walls > 0) memcpy(t->wall, s->walls.wall, (size_t)t->walls * sizeof *t->wall);
}

/* A row that was wrapped n box lengths back since u = 0 has its u = 0 as many lengths back. */
void demi_trial_match_rows(dem_trial *t) {
  const demi_store *store = &t->replica.store;
  for (int64_t k = 0; k < t->particles; k++) {
    const int64_t row = demi_idpool_row(&store->ids, t->id[k]);
    const int32_t *image = store->columns.image + 3 * row;
    double *base = t->base + 4 * row;
    t->of_row[row] = (int32_t)k;
    memcpy(base, t->start + 4 * k, 4 * sizeof *base);
    double turns[3], moved[3];
    for (int a = 0; a < 3; a++) turns[a] = image[a] - t->image[3 * k + a];
    demi_box_image(&t->start_box, turns, moved);
    for (int a = 0; a < 3; a++) base[a] -= moved[a];
  }
}
