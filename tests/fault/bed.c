/* The healthy system of the tests of bad input: see bed.h. */
#include "assertions.h"

#include "bed.h"

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static void bed_remember(void *user, int32_t level, const char *text) {
  bed *b = user;
  (void)level;
  strncat(b->log, text, sizeof b->log - strlen(b->log) - 1);
}

static void bed_add_material(dem_system *s, double young) {
  dem_material m;
  dem_material_init(&m, sizeof m);
  m.young = young;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
}

static void bed_particles(bed *b) {
  rows r;
  assert_int_equal(rows_create(&r, 3), 0);
  rows_velocity(&r, rows_put(&r, 1, 0, 0.5, 0.5), 1, 0, 0);
  rows_put(&r, 1.999, 0, 0.499, 0.5);
  r.frozen[rows_put(&r, 5, 0, 0.5, 0.5)] = 1;
  ASSERT_OK(b->system, rows_add(&r, b->system, b->ids));
  rows_destroy(&r);
}

void bed_options(dem_system_options *o) {
  dem_system_options_init(o, sizeof *o);
  o->dt = 1e-4;
  o->periodic[0] = 1;
  o->box_high[0] = 10;
  o->gravity[2] = -10;
  o->ledger = 1;
}

void bed_open(bed *b) {
  dem_context_options c;
  dem_system_options o;
  dem_law_options l;
  dem_wall p;
  memset(b, 0, sizeof *b);
  dem_context_options_init(&c, sizeof c);
  c.log = bed_remember;
  c.log_user = b;
  assert_int_equal(dem_context_create(&c, &b->context), DEM_OK);
  bed_options(&o);
  assert_int_equal(dem_system_create(b->context, &o, &b->system), DEM_OK);
  bed_add_material(b->system, 0);
  bed_add_material(b->system, 1e6);
  bed_add_material(b->system, 0);
  scene_hooke(&l);
  assert_int_equal(dem_law_create(b->context, &l, &b->law), DEM_OK);
  ASSERT_OK(b->system, dem_system_set_law(b->system, 0, 0, b->law));
  ASSERT_OK(b->system, dem_system_set_law(b->system, 0, 1, b->law));
  dem_wall_init(&p, sizeof p);
  p.axis[2] = 1;
  ASSERT_OK(b->system, dem_system_add_wall(b->system, &p, &b->wall));
  bed_particles(b);
  ASSERT_OK(b->system, dem_system_step(b->system, 20));
  b->log[0] = 0;
}

void bed_close(bed *b) {
  dem_law_release(b->law);
  dem_system_destroy(b->system);
  assert_int_equal(dem_context_destroy(b->context), DEM_OK);
}

static int has_all_words(const bed_refusal *r, const char *text) {
  for (int k = 0; k < 4 && r->words[k]; k++)
    if (!strstr(text, r->words[k])) return 0;
  return 1;
}

/* Returns 1 when all is as it should be; says what is not, and goes on with the next row. */
static int check_row(const bed_refusal *r) {
  bed b;
  int good = 1;
  bed_open(&b);
  const uint64_t before = system_hash(b.system);
  const dem_status status = r->act(&b);
  if (status != r->expected) {
    print_message("# %s: %s, expected %s\n", r->name, dem_status_name(status), dem_status_name(r->expected));
    good = 0;
  }
  if (b.poor) {
    print_message("# %s: the output is not NULL after a refusal\n", r->name);
    dem_system_destroy(b.poor);
    good = 0;
  }
  if (status && !has_all_words(r, b.log)) {
    print_message("# %s: item, value or limit is missing in: %s\n", r->name, b.log);
    good = 0;
  }
  if (system_hash(b.system) != before) {
    print_message("# %s: the system has changed\n", r->name);
    good = 0;
  }
  if (dem_system_check(b.system) || (status && dem_system_step(b.system, 5))) {
    print_message("# %s: the system is not usable afterwards: %s\n", r->name, dem_system_message(b.system));
    good = 0;
  }
  bed_close(&b);
  return good;
}

void bed_check_refusals(const bed_refusal *table, int count) {
  int bad = 0;
  assert_true(count >= 30);
  for (int i = 0; i < count; i++) bad += !check_row(&table[i]);
  print_message("# %d rows\n", count);
  assert_int_equal(bad, 0);
}

void bed_assert_words(const char *text, const char *const words[]) {
  for (int k = 0; words[k]; k++)
    if (!strstr(text, words[k])) fail_msg("no \"%s\" in: %s", words[k], text);
}
