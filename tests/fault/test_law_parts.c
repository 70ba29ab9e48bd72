/* Parts of a law as an author may get them wrong: each member is taken at the ends of its range and refused just beyond, with the
 * name of the part in the text. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <stdio.h>

static void evaluate(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  for (int32_t q = 0; q < batch->count; q++) batch->normal_elastic[q] = batch->normal_damping[q] = 0;
}

static double range(const void *parameters, double radius) {
  (void)parameters;
  return 0.1 * radius;
}

static int32_t bind(const void *user, const dem_bind *materials, void *parameters) {
  (void)user;
  (void)materials;
  (void)parameters;
  return 0;
}

static dem_law_part part(int32_t kind) {
  dem_law_part p = {
      .struct_size = sizeof p, .contract = DEM_LAW_PART_CONTRACT, .name = "mine", .kind = kind, .evaluate = evaluate};
  if (kind == DEM_PART_GAP) p.range = range;
  return p;
}

/* A law of two parts, or of the first alone where the second has no size; with a block for the first. */
static dem_status create(dem_context *context, const dem_law_part *a, const dem_law_part *b, uint32_t user_bytes) {
  static const char block[300];
  const dem_law_piece pieces[2] = {
      {.struct_size = sizeof *pieces, .part = a, .user = user_bytes ? block : NULL, .user_bytes = user_bytes},
      {.struct_size = sizeof *pieces, .part = b}};
  dem_law *law;
  const dem_status status = dem_law_create_from_parts(context, b->struct_size ? 2 : 1, pieces, &law);
  if (!status) dem_law_release(law);
  return status;
}

static const dem_law_part none;

/* Each case changes one thing in a good part of the kind given. */
typedef struct one_part {
  const char *what;
  void (*change)(dem_law_part *p, int32_t value);
  int32_t kind, value;
  dem_status expected;
} one_part;

static void nothing(dem_law_part *p, int32_t value) { (void)p, (void)value; }
static void no_name(dem_law_part *p, int32_t value) { p->name = value ? "mine" : NULL; }
static void no_evaluate(dem_law_part *p, int32_t value) { p->evaluate = value ? evaluate : NULL; }
static void contract(dem_law_part *p, int32_t value) { p->contract = (uint32_t)(DEM_LAW_PART_CONTRACT + value); }
static void kind(dem_law_part *p, int32_t value) { p->kind = value; }
static void capabilities(dem_law_part *p, int32_t value) { p->capabilities = (uint32_t)value; }
static void items(dem_law_part *p, int32_t value) {
  p->history_items = value;
  for (int k = 0; k < 4; k++) p->history[k] = DEM_HISTORY_TANGENT;
}
static void history(dem_law_part *p, int32_t value) {
  p->history_items = 1;
  p->history[0] = value;
}
static void bound_bytes(dem_law_part *p, int32_t value) {
  p->parameter_bytes = value;
  p->bind = bind;
}
static void wants_block(dem_law_part *p, int32_t value) { p->parameter_bytes = value; }
static void ranges(dem_law_part *p, int32_t value) { p->range = value ? range : NULL; }

static const one_part cases[] = {
    {"as it should be", nothing, DEM_PART_NORMAL, 0, DEM_OK},
    {"name", no_name, DEM_PART_NORMAL, 0, DEM_BAD_ARGUMENT},
    {"evaluate", no_evaluate, DEM_PART_NORMAL, 0, DEM_BAD_ARGUMENT},
    {"an older contract", contract, DEM_PART_NORMAL, -1, DEM_UNSUPPORTED},
    {"a newer contract", contract, DEM_PART_NORMAL, 1, DEM_UNSUPPORTED},
    {"kind 0", kind, DEM_PART_NORMAL, 0, DEM_BAD_ARGUMENT},
    {"kind 6", kind, DEM_PART_NORMAL, 6, DEM_BAD_ARGUMENT},
    {"all capabilities", capabilities, DEM_PART_NORMAL, 255, DEM_OK},
    {"one capability more", capabilities, DEM_PART_NORMAL, 256, DEM_UNSUPPORTED},
    {"-1 items", items, DEM_PART_NORMAL, -1, DEM_BAD_ARGUMENT},
    {"4 items", items, DEM_PART_NORMAL, 4, DEM_OK},
    {"5 items", items, DEM_PART_NORMAL, 5, DEM_BAD_ARGUMENT},
    {"history 0", history, DEM_PART_NORMAL, 0, DEM_BAD_ARGUMENT},
    {"history 1", history, DEM_PART_NORMAL, 1, DEM_OK},
    {"history 3", history, DEM_PART_NORMAL, 3, DEM_OK},
    {"history 4", history, DEM_PART_NORMAL, 4, DEM_BAD_ARGUMENT},
    {"-1 bytes", bound_bytes, DEM_PART_NORMAL, -1, DEM_BAD_ARGUMENT},
    {"256 bytes", bound_bytes, DEM_PART_NORMAL, 256, DEM_OK},
    {"257 bytes", bound_bytes, DEM_PART_NORMAL, 257, DEM_BAD_ARGUMENT},
    {"a block that is missing", wants_block, DEM_PART_NORMAL, 1, DEM_BAD_ARGUMENT},
    {"a normal part that holds across a gap", ranges, DEM_PART_NORMAL, 1, DEM_OK},
};

static void one_part_alone(void **state) {
  (void)state;
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    dem_law_part p = part(cases[i].kind);
    cases[i].change(&p, cases[i].value);
    const dem_status got = create(context, &p, &none, 0);
    if (got != cases[i].expected)
      fail_msg("%s: %s, expected %s: %s", cases[i].what, dem_status_name(got), dem_status_name(cases[i].expected),
               dem_context_message(context));
    if (got && p.name) assert_non_null(strstr(dem_context_message(context), "'mine'"));
  }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void its_block(void **state) {
  (void)state;
  dem_context *context;
  dem_law_part p = part(DEM_PART_NORMAL);
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  p.parameter_bytes = 16;
  assert_int_equal(create(context, &p, &none, 15), DEM_BAD_ARGUMENT);
  assert_int_equal(create(context, &p, &none, 16), DEM_OK);
  assert_int_equal(create(context, &p, &none, 256), DEM_OK);
  assert_int_equal(create(context, &p, &none, 257), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void two_parts(void **state) {
  (void)state;
  dem_context *context;
  dem_law_part normal = part(DEM_PART_NORMAL), tangential = part(DEM_PART_TANGENTIAL), gap = part(DEM_PART_GAP);
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(create(context, &normal, &tangential, 0), DEM_OK);
  assert_int_equal(create(context, &tangential, &normal, 0), DEM_OK);
  assert_int_equal(create(context, &normal, &normal, 0), DEM_BAD_ARGUMENT);
  assert_int_equal(create(context, &tangential, &none, 0), DEM_BAD_ARGUMENT);
  assert_int_equal(create(context, &normal, &gap, 0), DEM_OK);
  /* only one of the two may act across a gap */
  normal.range = range;
  assert_int_equal(create(context, &normal, &gap, 0), DEM_BAD_ARGUMENT);
  normal.range = NULL;
  tangential.range = range;
  assert_int_equal(create(context, &normal, &tangential, 0), DEM_BAD_ARGUMENT);
  gap.range = NULL;
  assert_int_equal(create(context, &normal, &gap, 0), DEM_BAD_ARGUMENT);
  gap = part(DEM_PART_GAP);
  gap.history_items = 1;
  gap.history[0] = DEM_HISTORY_SCALAR;
  assert_int_equal(create(context, &normal, &gap, 0), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* All parts of a law share the doubles of history that a contact has. */
static void history_in_all(void **state) {
  (void)state;
  dem_context *context;
  dem_law_part normal = part(DEM_PART_NORMAL), tangential = part(DEM_PART_TANGENTIAL);
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  items(&normal, 2);
  items(&tangential, 2);
  assert_int_equal(DEM_HISTORY_CAPACITY, 12);
  assert_int_equal(create(context, &normal, &tangential, 0), DEM_OK);
  tangential.history_items = 3;
  tangential.history[2] = DEM_HISTORY_SCALAR;
  assert_int_equal(create(context, &normal, &tangential, 0), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "13"));
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* A name longer than the 63 characters that a law keeps is cut there. */
static void a_long_name_is_cut(void **state) {
  (void)state;
  dem_context *context;
  dem_law *law;
  dem_probe probe;
  char name[80] = {0}, kept[64] = {0}, quoted[72];
  dem_law_part p = part(DEM_PART_NORMAL);
  dem_bind materials;
  for (int k = 0; k < 79; k++) name[k] = (char)('a' + k % 26);
  memcpy(kept, name, 63);
  snprintf(quoted, sizeof quoted, "'%s'", kept);
  p.name = name;
  p.capabilities = DEM_PART_NEEDS_YOUNG;
  items(&p, 2);
  const dem_law_piece piece = {.struct_size = sizeof piece, .part = &p};
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  dem_bind_init(&materials, sizeof materials); /* without Young's modulus, which is refused */
  dem_probe_init(&probe, sizeof probe);
  probe.overlap = probe.effective_radius = probe.effective_mass = probe.normal[0] = 1;
  assert_int_not_equal(dem_law_probe(law, &materials, &probe), DEM_OK);
  assert_non_null(strstr(dem_context_message(context), quoted));
  dem_law_release(law);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_part_alone), cmocka_unit_test(its_block),          cmocka_unit_test(two_parts),
      cmocka_unit_test(history_in_all), cmocka_unit_test(a_long_name_is_cut),
  };
  return cmocka_run_group_tests_name("law_parts", tests, NULL, NULL);
}
