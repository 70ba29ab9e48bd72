/* Every byte of a system; see image.h. */
#include "image.h"

#include "assertions.h"

#include <stdlib.h>

#include "state.h"

static void put(system_image *m, const void *data, size_t bytes) {
  if (!data || bytes == 0) return;
  if (m->count + bytes > m->room) {
    m->room = 2 * (m->count + bytes);
    m->bytes = realloc(m->bytes, m->room);
    assert_non_null(m->bytes);
  }
  memcpy(m->bytes + m->count, data, bytes);
  m->count += bytes;
}

#define PUT(m, what) put(m, &(what), sizeof(what))
#define PUT_ROWS(m, pointer, n) put(m, pointer, (size_t)(n) * sizeof *(pointer))

static void put_ids(system_image *m, const demi_idpool *ids) {
  PUT(m, ids->slots);
  PUT_ROWS(m, ids->row, ids->slots);
  PUT_ROWS(m, ids->generation, ids->slots);
}

static void put_store(system_image *m, const demi_store *s) {
  PUT(m, s->count);
#define COLUMN(type, name, width) PUT_ROWS(m, s->columns.name, s->count *(width));
#define OPTIONAL(group, type, name, width) COLUMN(type, name, width)
  DEMI_COLUMNS(COLUMN)
  DEMI_OPTIONAL_COLUMNS(OPTIONAL)
#undef OPTIONAL
#undef COLUMN
  for (int32_t k = 0; k < s->added_count; k++) PUT_ROWS(m, s->columns.added[k], s->count * s->added[k].width);
  put_ids(m, &s->ids);
  PUT_ROWS(m, s->listed, s->count);
  PUT_ROWS(m, s->place, s->ids.slots);
  PUT(m, s->host_used);
  PUT(m, s->keeps);
  PUT(m, s->added_count);
}

static void put_bonds(system_image *m, const demi_bonds *b) {
  PUT(m, b->type_count);
  PUT_ROWS(m, b->type, b->type_count);
  PUT(m, b->count);
  PUT(m, b->dead);
  PUT_ROWS(m, b->bond, b->count);
  put_ids(m, &b->ids);
  PUT(m, b->changing);
  PUT_ROWS(m, b->broken, b->broken_count);
}

static void put_books(system_image *m, const dem_system *s) {
  PUT(m, s->ledger);
  PUT_ROWS(m, s->shares.heat, s->shares.heat_capacity * DEMI_HEAT_CLASSES);
  PUT_ROWS(m, s->shares.materials, s->shares.pair_capacity);
  PUT_ROWS(m, s->shares.law, s->shares.law_count);
  PUT_ROWS(m, s->shares.wall, s->walls.count);
  PUT(m, s->host_change);
  PUT(m, s->driven);
  PUT(m, s->interval);
}

static void put_contacts(system_image *m, const dem_system *s) {
  const demi_contacts *c = &s->contacts;
  const int64_t pairs = s->list.pairs + s->list.face_pairs, loads = c->load_capacity;
  PUT(m, c->stamp);
  PUT(m, c->valid);
  PUT(m, c->kicks);
  PUT(m, c->stride);
  PUT_ROWS(m, c->history, pairs * c->stride);
  PUT_ROWS(m, c->shares, 8 * pairs);
  PUT_ROWS(m, c->rolling_shares, 8 * pairs);
  PUT_ROWS(m, c->loads.rows, 8 * loads);
  PUT_ROWS(m, c->loads.i, loads);
  PUT_ROWS(m, c->loads.j, loads);
  PUT_ROWS(m, c->loads.moment, 4 * (loads - c->loads.moment_base));
  for (int k = 0; k < DEMI_SECTIONS; k++) PUT_ROWS(m, c->loads.count[k], s->list.motion.blocks);
  PUT_ROWS(m, c->sums, DEMI_BOOK_ENTRIES * s->list.motion.blocks);
  PUT(m, c->carry.count);
  PUT_ROWS(m, c->carry.entry, c->carry.count);
  PUT_ROWS(m, c->carry.values, c->carry.count * c->carry.width);
}

static void put_caches(system_image *m, const dem_system *s) {
  const int32_t faces = s->faces.count;
  PUT(m, s->faces.moving);
  PUT_ROWS(m, s->faces.face, faces);
  PUT_ROWS(m, s->faces.velocity, faces);
  PUT_ROWS(m, s->faces.centre, faces);
  PUT_ROWS(m, s->faces.mobility, faces);
  PUT(m, s->list.valid);
  PUT(m, s->list.builds);
  PUT(m, s->list.prunes);
  PUT(m, s->list.pick_age);
  PUT_ROWS(m, s->list.code, s->list.pairs);
  PUT_ROWS(m, s->list.row_start, s->store.count + 1);
  PUT_ROWS(m, s->list.face_row, s->list.face_pairs);
  for (int k = 0; k < 2; k++) PUT_ROWS(m, s->list.motion.bounds[k].moved, 8 * s->list.motion.tiles);
  PUT(m, s->list_expired);
  PUT(m, s->epoch);
  PUT(m, s->set_up_checked);
  PUT(m, s->warnings);
  PUT(m, s->step);
  PUT(m, s->poisoned);
}

system_image image_take(const dem_system *s) {
  system_image m = {0, 0, NULL};
  PUT(&m, s->options);
  PUT(&m, s->box);
  PUT(&m, s->materials.count);
  PUT_ROWS(&m, s->materials.material, s->materials.count);
  PUT_ROWS(&m, s->materials.law, demi_material_pairs(s->materials.count));
  PUT(&m, s->integrator);
  PUT(&m, s->time);
  PUT(&m, s->steps);
  PUT(&m, s->box_motion);
  PUT(&m, s->walls.next_id);
  PUT(&m, s->walls.next_face);
  PUT_ROWS(&m, s->walls.wall, s->walls.count);
  put_store(&m, &s->store);
  put_bonds(&m, &s->bonds);
  put_books(&m, s);
  put_contacts(&m, s);
  put_caches(&m, s);
  return m;
}

void image_assert_same(const system_image *before, const dem_system *s) {
  system_image now = image_take(s);
  assert_true(now.count == before->count && now.count > 10000);
  ASSERT_BITS(before->bytes, now.bytes, now.count);
  image_free(&now);
}

int image_differs(const system_image *before, const dem_system *s) {
  system_image now = image_take(s);
  const int differs = now.count != before->count || memcmp(now.bytes, before->bytes, now.count) != 0;
  image_free(&now);
  return differs;
}

void image_free(system_image *m) {
  free(m->bytes);
  *m = (system_image){0, 0, NULL};
}
