/* The batch that parts of a law see: which lanes are offered, which are cleared before which part, in which order the parts run. */
#include "assertions.h"

#include "lanes.h"

enum { COUNT = 5 };

/* Batches as the parts saw them, in the order of the calls; and one value of each lane that must be cleared before. */
static struct {
  int32_t calls, kind[8];
  dem_batch batch[8];
  double damping, slip, hysteresis, rolling, twisting;
} seen;

static void note(int32_t kind, const dem_batch *b) {
  seen.kind[seen.calls] = kind;
  seen.batch[seen.calls++] = *b;
}

static void see_normal(const void *parameters, const dem_batch *b) {
  (void)parameters;
  note(DEM_PART_NORMAL, b);
  for (int32_t q = 0; q < b->count; q++) b->normal_elastic[q] = b->normal_damping[q] = 1;
}

static void see_tangential(const void *parameters, const dem_batch *b) {
  (void)parameters;
  note(DEM_PART_TANGENTIAL, b);
  seen.damping = b->tangential_damping[2][COUNT - 1];
  if (b->slip[0]) seen.slip = b->slip[0][0];
  if (b->hysteresis) seen.hysteresis = b->hysteresis[0];
}

static void see_rolling(const void *parameters, const dem_batch *b) {
  (void)parameters;
  note(DEM_PART_ROLLING, b);
  seen.rolling = b->rolling_elastic[1][0] + b->rolling_damping[1][0];
  if (b->hysteresis) seen.rolling += b->hysteresis[COUNT - 1];
}

static void see_twisting(const void *parameters, const dem_batch *b) {
  (void)parameters;
  note(DEM_PART_TWISTING, b);
  seen.twisting = b->twisting_elastic[0] + b->twisting_damping[0];
}

static void see_gap(const void *parameters, const dem_batch *b) {
  (void)parameters;
  note(DEM_PART_GAP, b);
}

static double far(const void *parameters, double radius) {
  (void)parameters;
  return radius;
}

static dem_law_part part_of(int32_t kind, uint32_t capabilities) {
  static void (*const evaluate[])(const void *, const dem_batch *) = {see_normal, see_tangential, see_gap, see_rolling,
                                                                      see_twisting};
  dem_law_part p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.contract = DEM_LAW_PART_CONTRACT;
  p.name = "witness";
  p.kind = kind;
  p.capabilities = capabilities;
  p.evaluate = evaluate[kind - DEM_PART_NORMAL];
  if (kind == DEM_PART_GAP) p.range = far;
  if (kind != DEM_PART_GAP) {
    p.history_items = 1;
    p.history[0] = kind == DEM_PART_ROLLING ? DEM_HISTORY_ROLLING : DEM_HISTORY_SCALAR;
  }
  return p;
}

static dem_context *context;
static demi_law_lanes lanes;
static _Alignas(64) demi_lanes normal[3];

/* A law of these kinds, bound; every lane filled with 7, so that one that is not cleared is noticed. */
static demi_bound bound_of(int32_t count, const dem_law_part *parts, dem_law **law) {
  dem_law_piece pieces[5];
  const dem_bind materials = {.struct_size = sizeof materials};
  demi_message message;
  demi_bound bound;
  for (int32_t k = 0; k < count; k++) {
    dem_law_piece_init(&pieces[k], sizeof pieces[k]);
    pieces[k].part = &parts[k];
  }
  assert_int_equal(dem_law_create_from_parts(context, count, pieces, law), DEM_OK);
  assert_int_equal(demi_law_bind(*law, &materials, &message, &bound), DEM_OK);
  memset(&seen, 0, sizeof seen);
  demi_lanes_init(&lanes, normal);
#define ONE(name, needed, cleared) \
  for (int32_t k = 0; k < DEM_BATCH_CAPACITY; k++) lanes.name[k] = 7;
#define THREE(name, needed, cleared) \
  for (int32_t k = 0; k < 3 * DEM_BATCH_CAPACITY; k++) lanes.name[k / DEM_BATCH_CAPACITY][k % DEM_BATCH_CAPACITY] = 7;
  DEMI_LAW_LANES(ONE, THREE)
  for (int32_t k = 0; k < DEM_BATCH_CAPACITY; k++)
    for (int32_t part = 0; part < DEMI_PARTS; part++) lanes.hysteresis[part][k] = 7;
  return bound;
}

static void open_all(dem_law_part parts[5], uint32_t capabilities) {
  for (int32_t k = 0; k < 5; k++) parts[k] = part_of(DEM_PART_NORMAL + k, capabilities);
}

static void parts_run_in_their_order(void **state) {
  (void)state;
  dem_law *law;
  dem_law_part parts[5];
  open_all(parts, DEM_PART_ENERGY | DEM_PART_TANGENT);
  const demi_bound bound = bound_of(5, parts, &law);
  demi_law_run(&bound, &lanes, DEMI_ASK_BOOKS, COUNT, 0.5);
  const int32_t order[] = {DEM_PART_NORMAL, DEM_PART_TANGENTIAL, DEM_PART_ROLLING, DEM_PART_TWISTING};
  assert_int_equal(seen.calls, 4);
  assert_memory_equal(seen.kind, order, sizeof order);
  /* the history of each begins where that of the part before ends */
  for (int k = 0; k < 4; k++) {
    const int first[] = {0, 1, 2, 5};
    assert_ptr_equal(seen.batch[k].history_in, lanes.in + first[k]);
    assert_ptr_equal(seen.batch[k].history_out, lanes.out + first[k]);
    assert_int_equal(seen.batch[k].count, COUNT);
    assert_true(seen.batch[k].dt == 0.5);
  }
  /* each of the three books its own hysteresis, the normal part none */
  assert_null(seen.batch[0].hysteresis);
  assert_ptr_equal(seen.batch[1].hysteresis, lanes.hysteresis[DEMI_TANGENTIAL]);
  assert_ptr_equal(seen.batch[2].hysteresis, lanes.hysteresis[DEMI_ROLLING]);
  assert_ptr_equal(seen.batch[3].hysteresis, lanes.hysteresis[DEMI_TWISTING]);
  assert_true(seen.damping == 0 && seen.slip == 0 && seen.hysteresis == 0 && seen.rolling == 0 && seen.twisting == 0);
  assert_true(lanes.adhesion[COUNT - 1] == 0 && lanes.overlap[0] == 7);
  dem_law_release(law);
}

static void only_what_is_asked_is_offered(void **state) {
  (void)state;
  dem_law *law;
  dem_law_part parts[5];
  open_all(parts, DEM_PART_ENERGY | DEM_PART_TANGENT);
  const demi_bound bound = bound_of(5, parts, &law);
  const dem_batch *b = &seen.batch[1];
  demi_law_run(&bound, &lanes, 0, COUNT, 0);
  assert_true(!b->slip[2] && !b->hysteresis && !b->normal_energy && !b->twisting_energy && !b->rolling_isotropic);
  assert_true(!b->contact_radius && !b->tangential_normal && !b->adhesion_slope && !b->normal_stiffness);
  assert_ptr_equal(b->rolling_velocity[1], lanes.rolling_velocity[1]);
  assert_ptr_equal(b->normal[2], normal[2]);
  seen.calls = 0;
  demi_law_run(&bound, &lanes, DEMI_ASK_ENERGY, COUNT, 0);
  assert_ptr_equal(b->normal_energy, lanes.normal_energy);
  assert_ptr_equal(b->twisting_energy, lanes.twisting_energy);
  assert_true(!b->slip[0] && !b->normal_stiffness);
  seen.calls = 0;
  demi_law_run(&bound, &lanes, DEMI_ASK_TANGENT | DEMI_ASK_BOOKS, 1, 0);
  assert_ptr_equal(b->slip[2], lanes.slip[2]);
  assert_ptr_equal(b->tangential_overlap[0], lanes.tangential_overlap[0]);
  assert_ptr_equal(b->adhesion_slope, lanes.adhesion_slope);
  assert_true(!b->normal_energy && b->count == 1 && lanes.adhesion_slope[0] == 0);
  /* rolling and twisting see the derivatives of the normal part without what the tangential one adds */
  assert_ptr_equal(b->normal_stiffness, lanes.normal_stiffness);
  assert_ptr_equal(seen.batch[2].normal_stiffness, lanes.own_stiffness);
  dem_law_release(law);
}

/* A tangential part may read the derivatives of a normal part that has none: they are as the caller filled them. */
static void missing_derivatives_are_read_as_filled(void **state) {
  (void)state;
  dem_law *law;
  const dem_law_part parts[2] = {part_of(DEM_PART_NORMAL, 0), part_of(DEM_PART_TANGENTIAL, DEM_PART_TANGENT)};
  const demi_bound bound = bound_of(2, parts, &law);
  demi_lanes_fill(&lanes, DEMI_LANES_TANGENT_OF(DEMI_NORMAL), COUNT, NAN);
  demi_law_run(&bound, &lanes, DEMI_ASK_TANGENT, COUNT, 0);
  assert_null(seen.batch[0].normal_stiffness);
  assert_ptr_equal(seen.batch[1].normal_stiffness, lanes.normal_stiffness);
  assert_true(isnan(lanes.normal_stiffness[COUNT - 1]) && isnan(lanes.normal_viscosity[0]));
  assert_true(!seen.batch[1].rolling_velocity[0] && !seen.batch[1].twisting_rate);
  dem_law_release(law);
}

/* The force that limits friction, in tangential parts and behind them. */
static struct {
  int32_t calls;
  double force[2], by_overlap[2], by_speed[2];
  int32_t lagged[2], slopes;
} limit;

static void see_limit(const void *parameters, const dem_batch *b) {
  (void)parameters;
  const int k = limit.calls++;
  limit.force[k] = b->friction_force[COUNT - 1];
  limit.slopes = b->friction_overlap != NULL;
  if (limit.slopes) limit.by_overlap[k] = b->friction_overlap[COUNT - 1];
  if (limit.slopes) limit.by_speed[k] = b->friction_normal_velocity[COUNT - 1];
  limit.lagged[k] = b->friction_lagged;
  for (int32_t q = 0; q < b->count; q++) b->friction_force[q] = 99; /* of this part alone */
}

/* f_n = 2 - 5, adhesion 1; slopes 3 and 0.5 of f_n, 0.25 of adhesion. */
static void write_normal(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int32_t q = 0; q < b->count; q++) {
    b->normal_elastic[q] = 2;
    b->normal_damping[q] = -5;
    b->adhesion[q] = 1;
    if (!b->normal_stiffness) continue;
    b->normal_stiffness[q] = 3;
    b->normal_viscosity[q] = 0.5;
    b->adhesion_slope[q] = 0.25;
  }
}

static demi_bound bound_of_limit(dem_law **law) {
  dem_law_part parts[3] = {part_of(DEM_PART_NORMAL, DEM_PART_TANGENT | DEM_PART_ADHESIVE),
                           part_of(DEM_PART_TANGENTIAL, DEM_PART_TANGENT), part_of(DEM_PART_TWISTING, DEM_PART_TANGENT)};
  parts[0].evaluate = write_normal;
  parts[1].evaluate = parts[2].evaluate = see_limit;
  memset(&limit, 0, sizeof limit);
  return bound_of(3, parts, law);
}

/* |2 - 5 + 1| = 2, which falls as f_n + adhesion rises: by -(3 + 1/4), and by +1/2 of the speed. */
static void friction_sees_the_normal_force(void **state) {
  (void)state;
  dem_law *law;
  const demi_bound bound = bound_of_limit(&law);
  demi_law_run(&bound, &lanes, DEMI_ASK_BOOKS, COUNT, 0);
  assert_true(limit.calls == 2 && !limit.slopes && limit.force[0] == 2 && limit.force[1] == 2);
  memset(&limit, 0, sizeof limit);
  demi_law_run(&bound, &lanes, DEMI_ASK_TANGENT, COUNT, 0);
  for (int k = 0; k < 2; k++)
    assert_true(limit.force[k] == 2 && limit.by_overlap[k] == -3.25 && limit.by_speed[k] == 0.5 && !limit.lagged[k]);
  dem_law_release(law);
}

/* Lagged, they are those of the caller, and constants. */
static void lagged_friction_is_the_callers(void **state) {
  (void)state;
  dem_law *law;
  const demi_bound bound = bound_of_limit(&law);
  for (int32_t q = 0; q < COUNT; q++) lanes.friction_force[q] = 11 + q, lanes.turning_friction_force[q] = 21 + q;
  demi_law_run(&bound, &lanes, DEMI_ASK_TANGENT | DEMI_LANES_LAGGED, COUNT, 0);
  assert_true(limit.force[0] == 11 + COUNT - 1 && limit.force[1] == 21 + COUNT - 1);
  for (int k = 0; k < 2; k++) assert_true(limit.by_overlap[k] == 0 && limit.by_speed[k] == 0 && limit.lagged[k] == 1);
  dem_law_release(law);
}

static void absent_parts_leave_no_force(void **state) {
  (void)state;
  dem_law *law;
  const dem_law_part parts[2] = {part_of(DEM_PART_NORMAL, 0), part_of(DEM_PART_ROLLING, 0)};
  const demi_bound bound = bound_of(2, parts, &law);
  demi_law_run(&bound, &lanes, DEMI_ASK_BOOKS | DEMI_ASK_ENERGY, COUNT, 0);
  assert_int_equal(seen.calls, 2);
  for (int32_t q = 0; q < COUNT; q++) {
    for (int a = 0; a < 3; a++) assert_true(lanes.tangential_elastic[a][q] == 0 && lanes.tangential_damping[a][q] == 0);
    assert_true(lanes.twisting_elastic[q] == 0 && lanes.twisting_slip[q] == 0 && lanes.hysteresis[DEMI_TWISTING][q] == 0);
  }
  assert_null(seen.batch[1].rolling_energy);
  dem_law_release(law);
}

static void gaps_have_a_normal_force_alone(void **state) {
  (void)state;
  dem_law *law;
  dem_law_part parts[5];
  open_all(parts, DEM_PART_ENERGY);
  const demi_bound bound = bound_of(5, parts, &law);
  demi_law_run_gap(&bound, &lanes, DEMI_ASK_BOOKS | DEMI_ASK_ENERGY, COUNT, 0.5);
  assert_int_equal(seen.calls, 1);
  assert_int_equal(seen.kind[0], DEM_PART_GAP);
  assert_ptr_equal(seen.batch[0].normal_energy, lanes.normal_energy);
  assert_true(!seen.batch[0].tangential_energy && !seen.batch[0].rolling_velocity[0] && !seen.batch[0].hysteresis);
  assert_true(lanes.tangential_elastic[0][0] == 0 && lanes.tangential_damping[2][COUNT - 1] == 0);
  dem_law_release(law);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  if (dem_context_create(&o, &context)) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_run_in_their_order),
      cmocka_unit_test(only_what_is_asked_is_offered),
      cmocka_unit_test(missing_derivatives_are_read_as_filled),
      cmocka_unit_test(friction_sees_the_normal_force),
      cmocka_unit_test(lagged_friction_is_the_callers),
      cmocka_unit_test(absent_parts_leave_no_force),
      cmocka_unit_test(gaps_have_a_normal_force_alone),
  };
  const int failed = cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
  dem_context_destroy(context);
  return failed;
}
