/* Laws made of parts: tables and parameters that are refused, and those of newer versions, which are read as far as they are known. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "scenes/context.h"

static void no_evaluate(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  (void)batch;
}

static dem_law_part good_part(void) {
  dem_law_part part;
  memset(&part, 0, sizeof part);
  part.struct_size = sizeof part;
  part.contract = DEM_LAW_PART_CONTRACT;
  part.name = "test part";
  part.kind = DEM_PART_NORMAL;
  part.evaluate = no_evaluate;
  return part;
}

static void refused(const dem_law_part *part, uint32_t bytes, dem_status expected, const char *word) {
  static const double user[64];
  dem_law *law = (dem_law *)&context;
  const dem_law_piece piece = {sizeof(dem_law_piece), bytes, part, user};
  const dem_status status = dem_law_create_from_parts(context, 1, &piece, &law);
  if (status != expected) fail_msg("%s: %s instead of %s", word, dem_status_name(status), dem_status_name(expected));
  assert_null(law);
  if (!strstr(dem_context_message(context), word)) fail_msg("no \"%s\" in: %s", word, dem_context_message(context));
}

static void bad_parts_are_refused(void **state) {
  (void)state;
  dem_law_part part = good_part();
  dem_law *law;
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  dem_law_release(law);
  part = good_part();
  part.struct_size = 8;
  refused(&part, 0, DEM_BAD_STRUCT, "struct_size");
  part = good_part();
  part.contract = 99;
  refused(&part, 0, DEM_UNSUPPORTED, "contract");
  part = good_part();
  part.name = NULL;
  refused(&part, 0, DEM_BAD_ARGUMENT, "name");
  part = good_part();
  part.evaluate = NULL;
  refused(&part, 0, DEM_BAD_ARGUMENT, "evaluate");
  part = good_part();
  part.kind = DEM_PART_TANGENTIAL;
  refused(&part, 0, DEM_BAD_ARGUMENT, "none of its 1 parts is normal");
  part = good_part();
  part.kind = DEM_PART_GAP;
  refused(&part, 0, DEM_BAD_ARGUMENT, "range");
  part = good_part();
  part.kind = 7;
  refused(&part, 0, DEM_BAD_ARGUMENT, "kind");
  part = good_part();
  part.history_items = 5;
  refused(&part, 0, DEM_BAD_ARGUMENT, "history_items");
  part = good_part();
  part.history_items = 1;
  part.history[0] = 9;
  refused(&part, 0, DEM_BAD_ARGUMENT, "history");
  part = good_part();
  part.parameter_bytes = 257;
  refused(&part, 0, DEM_BAD_ARGUMENT, "parameter_bytes");
  part = good_part();
  refused(&part, 257, DEM_BAD_ARGUMENT, "bytes");
}

static double no_range(const void *parameters, double effective_radius) {
  (void)parameters;
  return 0.01 * effective_radius;
}

/* A range is of the normal part, or of the gap part, not of both. */
static void ranges_are_of_one_part(void **state) {
  (void)state;
  dem_law_part normal = good_part(), gap = good_part(), rub = good_part();
  dem_law *law;
  const dem_law_piece both[] = {{sizeof(dem_law_piece), 0, &normal, NULL}, {sizeof(dem_law_piece), 0, &gap, NULL}},
                      two[] = {{sizeof(dem_law_piece), 0, &normal, NULL}, {sizeof(dem_law_piece), 0, &rub, NULL}};
  gap.kind = DEM_PART_GAP;
  gap.range = no_range;
  rub.kind = DEM_PART_TANGENTIAL;
  assert_int_equal(dem_law_create_from_parts(context, 2, both, &law), DEM_OK);
  dem_law_release(law);
  normal.range = no_range;
  assert_int_equal(dem_law_create_from_parts(context, 2, two, &law), DEM_OK);
  dem_law_release(law);
  assert_int_equal(dem_law_create_from_parts(context, 2, both, &law), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "at most one of both"));
  rub.range = no_range;
  assert_int_equal(dem_law_create_from_parts(context, 2, two, &law), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "range is set"));
}

/* A contact that tears at 0.0025 is probed down to there. */
static void probes_end_at_the_tear_off(void **state) {
  (void)state;
  dem_law_part normal = good_part();
  dem_law *law;
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &normal, NULL};
  normal.range = no_range;
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  dem_probe p = {.struct_size = sizeof p, .effective_radius = 0.25, .effective_mass = 1, .normal = {1, 0, 0}};
  for (p.overlap = -0.0024; p.overlap < 0.01; p.overlap += 0.0012) assert_int_equal(dem_law_probe(law, NULL, &p), DEM_OK);
  p.overlap = -0.0026;
  assert_int_equal(dem_law_probe(law, NULL, &p), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "overlap is -0.0026"));
  assert_non_null(strstr(dem_context_message(context), "tears at -0.0025"));
  dem_law_release(law);
}

/* Pieces of a host of a newer version, which are longer: the second is found behind the first by its length. */
static void longer_pieces_are_read(void **state) {
  (void)state;
  struct {
    dem_law_piece piece;
    uint64_t newer;
  } row[2];
  dem_law_part normal = good_part(), rub = good_part();
  rub.kind = DEM_PART_TANGENTIAL;
  for (int k = 0; k < 2; k++) {
    assert_int_equal(dem_law_piece_init(&row[k].piece, sizeof row[k]), DEM_OK);
    row[k].piece.part = k == 0 ? &normal : &rub;
  }
  dem_law *law;
  assert_int_equal(dem_law_create_from_parts(context, 2, &row[0].piece, &law), DEM_OK);
  dem_law_release(law);
  row[1].newer = 1;
  assert_int_equal(dem_law_create_from_parts(context, 2, &row[0].piece, &law), DEM_UNSUPPORTED);
  assert_non_null(strstr(dem_context_message(context), "piece 1: byte 24"));
  row[1].piece.struct_size = sizeof row[1].piece;
  assert_int_equal(dem_law_create_from_parts(context, 2, &row[0].piece, &law), DEM_BAD_STRUCT);
  assert_non_null(strstr(dem_context_message(context), "struct_size is 24, that of piece 0 is 32"));
}

static void bad_pieces_are_refused(void **state) {
  (void)state;
  const dem_law_part part = good_part();
  dem_law_piece piece, twice[2];
  assert_int_equal(dem_law_piece_init(&piece, sizeof piece), DEM_OK);
  assert_int_equal(dem_law_piece_init(NULL, sizeof piece), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_law_piece_init(&piece, sizeof piece - 8), DEM_BAD_STRUCT);
  dem_law *law;
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "piece 0 has no part"));
  piece.part = &part;
  twice[0] = twice[1] = piece;
  assert_int_equal(dem_law_create_from_parts(context, 2, twice, &law), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "both of kind 1"));
  twice[1].struct_size = 0;
  assert_int_equal(dem_law_create_from_parts(context, 2, twice, &law), DEM_BAD_STRUCT);
  assert_non_null(strstr(dem_context_message(context), "piece 1: struct_size is 0"));
  assert_int_equal(dem_law_create_from_parts(context, 0, twice, &law), DEM_BAD_ARGUMENT);
}

/* What a table asks for and this version does not know is not ignored. */
static void unknown_capabilities_are_refused(void **state) {
  (void)state;
  dem_law_part part = good_part();
  part.capabilities = 1u << 20;
  refused(&part, 0, DEM_UNSUPPORTED, "capabilities");
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(bad_parts_are_refused),  TEST(ranges_are_of_one_part), TEST(probes_end_at_the_tear_off),
      TEST(longer_pieces_are_read), TEST(bad_pieces_are_refused), TEST(unknown_capabilities_are_refused),
  };
  return cmocka_run_group_tests_name("law_pieces", tests, NULL, NULL);
}
