/* Numbers of single laws computed by hand, the probe, potentials, and what dem_law_probe and law tables refuse. */
#include "assertions.h"

#include "conformance/law_suite.h"
#include "potential.h"
#include "scenes/scenes.h"

static const double YOUNG = 1e6, POISSON = 0.25;

static dem_context *context;

static int open_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &context) != DEM_OK;
}

/* Refuses while anything is left behind. */
static int close_context(void **state) {
  (void)state;
  return dem_context_destroy(context) != DEM_OK;
}

/* ---- the numbers of single laws, computed by hand from the formulas of doc/laws ---- */

static dem_probe probe(const dem_law_options *options, double overlap, double vn, double vt, double dt) {
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  dem_bind bind;
  dem_law *law;
  dem_probe p;
  law_bind(&facts, &bind);
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.dt = dt;
  p.overlap = overlap;
  p.effective_radius = 0.25;
  p.effective_mass = 0.5;
  p.normal[0] = 1;
  p.velocity[0] = vn;
  p.velocity[1] = vt;
  assert_int_equal(scene_create_law(context, options, &law), DEM_OK);
  assert_int_equal(dem_law_probe(law, &bind, &p), DEM_OK);
  dem_law_release(law);
  return p;
}

static void hooke_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_RATE;
  o.normal_damping = 30;
  o.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.shear_damping = 7;
  o.friction = 10;
  const dem_probe p = probe(&o, 0.01, -0.3, 0.2, 1e-4);
  ASSERT_REL(p.normal_elastic, 1e3, 1e-15);
  ASSERT_REL(p.normal_damping, 30 * 0.5 * 0.3, 1e-15);
  ASSERT_REL(p.tangential_elastic[1], -2e5 / 7 * 0.2e-4, 1e-14); /* k_t = 2/7 k_n by default */
  ASSERT_REL(p.tangential_damping[1], -7 * 0.2, 1e-14);
  ASSERT_REL(p.normal_energy, 5, 1e-15);
  ASSERT_REL(p.tangential_energy, 1e5 / 7 * 0.2e-4 * 0.2e-4, 1e-14);
  ASSERT_REL(p.normal_stiffness, 1e5, 1e-15);
  ASSERT_REL(p.normal_viscosity, 15, 1e-15);
  ASSERT_REL(p.tangential_isotropic, 7 + 2e5 / 7 * 1e-4, 1e-14);
}

/* Tangential damping by rate: c_t = gamma_t m*; VISCOUS has nothing else. */
static void viscous_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.tangential = DEM_TANGENTIAL_VISCOUS;
  o.tangential_damping = DEM_DAMPING_RATE;
  o.shear_damping = 60;
  const dem_probe p = probe(&o, 0.01, -0.3, 0.2, 1e-4);
  ASSERT_ABS(p.tangential_elastic[1], 0, 0);
  ASSERT_REL(p.tangential_damping[1], -60 * 0.5 * 0.2, 1e-14);
  o.friction = 1e-3; /* mu f_n = 1 < 6 */
  const dem_probe capped = probe(&o, 0.01, 0, 0.2, 1e-4);
  ASSERT_REL(capped.tangential_damping[1], -1.0, 1e-14);
  ASSERT_REL(capped.sliding, 1.0 * (1 - 1.0 / 6) * 0.2e-4,
             1e-13); /* force times the part of v_t dt not taken up by the dashpot */
  o.tangential = DEM_TANGENTIAL_LINEAR;
  o.friction = 10;
  ASSERT_REL(probe(&o, 0.01, 0, 0.2, 0).tangential_damping[1], -60 * 0.5 * 0.2, 1e-14);
}

static void restitution_by_hand(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, e = 0.6, z = -log(e) / sqrt(pi * pi + log(e) * log(e));
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_RESTITUTION;
  o.restitution = e;
  dem_probe p = probe(&o, 0.01, -0.3, 0, 0);
  ASSERT_REL(p.normal_damping, 2 * z * sqrt(1e5 * 0.5) * 0.3, 1e-14);
  /* Hertz: c = 2 sqrt(5/6) b sqrt(S_n m*), S_n = 2 Y* sqrt(R* d). */
  o.normal = DEM_NORMAL_HERTZ;
  o.normal_stiffness = 0;
  o.tangential = DEM_TANGENTIAL_MINDLIN;
  o.tangential_damping = DEM_DAMPING_RESTITUTION;
  o.friction = 100;
  p = probe(&o, 0.01, -0.3, 0.2, 1e-4);
  const double y = YOUNG / (2 * (1 - POISSON * POISSON)), g = YOUNG / (4 * (2 - POISSON) * (1 + POISSON)),
               a = sqrt(0.25 * 0.01);
  ASSERT_REL(p.normal_elastic, 4.0 / 3 * y * a * 0.01, 1e-14);
  ASSERT_REL(p.normal_damping, 2 * sqrt(5.0 / 6) * z * sqrt(2 * y * a * 0.5) * 0.3, 1e-14);
  ASSERT_REL(p.tangential_elastic[1], -8 * g * a * 0.2e-4, 1e-14);
  ASSERT_REL(p.tangential_damping[1], -2 * sqrt(5.0 / 6) * z * sqrt(8 * g * a * 0.5) * 0.2, 1e-14);
  ASSERT_REL(p.normal_energy, 8.0 / 15 * y * 0.5 * 0.01 * 0.01 * sqrt(0.01), 1e-14);
}

/* f_n = max(f_n, 0) where the dashpot may not attract. */
static void attraction_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_COEFFICIENT;
  o.normal_damping = 100;
  for (o.attraction = 0; o.attraction < 2; o.attraction++) {
    const dem_probe p = probe(&o, 0.01, 20, 0, 1e-4); /* 1000 against 2000 */
    ASSERT_ABS(p.normal_elastic + p.normal_damping, o.attraction ? -1000 : 0, 1e-12);
    ASSERT_REL(p.normal_elastic, 1000, 1e-15); /* the spring stays what its energy says */
  }
}

/* On unloading the Mindlin force shrinks with the contact radius before it is incremented. */
static void mindlin_by_hand(void **state) {
  (void)state;
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  dem_law_options o;
  dem_bind bind;
  dem_law *law;
  law_bind(&facts, &bind);
  scene_hertz(&o);
  o.damping = o.tangential_damping = DEM_DAMPING_NONE;
  o.friction = 100;
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  dem_probe p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.dt = 1e-4;
  p.effective_radius = 0.25;
  p.effective_mass = 0.5;
  p.normal[0] = 1;
  const double overlaps[] = {0.010, 0.014, 0.009, 0.004}, v = 0.3, g = 8 * YOUNG / (4 * (2 - POISSON) * (1 + POISSON));
  double force = 0, last = 0;
  for (int i = 0; i < 4; i++) {
    const double a = sqrt(0.25 * overlaps[i]);
    p.overlap = overlaps[i];
    p.velocity[2] = v;
    assert_int_equal(dem_law_probe(law, &bind, &p), DEM_OK);
    if (a < last) force *= a / last;
    force -= g * a * v * 1e-4;
    last = a;
    ASSERT_REL(p.tangential_elastic[2], force, 1e-13);
  }
  dem_law_release(law);
}

/* ---- refusals ---- */

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

/* ---- lubrication ---- */

static void fluid(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = 1e5;
  o->viscosity = 2;
  o->lubrication_scale = 1.5;
  o->lubrication_inner = 0.01;
  o->lubrication_outer = 0.5;
}

/* -6 pi eta a^2/h v_n between the cut-offs, with R* = 1/4: a = 3/8, from h = 0.0075 to 0.375. */
static void lubrication_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  fluid(&o);
  const double a = 1.5 * 0.25, drag = 6 * 3.14159265358979323846 * 2 * a * a;
  for (int none = 0; none < 2; none++) {
    if (none) {
      o.normal = DEM_NORMAL_NONE;
      o.tangential = DEM_TANGENTIAL_NONE;
    }
    const double gaps[] = {0.0076, 0.1, 0.374};
    for (int i = 0; i < 3; i++) {
      const dem_probe p = probe(&o, -gaps[i], -0.3, 0.2, 1e-4);
      ASSERT_REL(p.normal_damping, drag / gaps[i] * 0.3, 1e-14);
      ASSERT_REL(p.normal_viscosity, drag / gaps[i], 1e-14);
      ASSERT_REL(p.normal_stiffness, drag / (gaps[i] * gaps[i]) * 0.3, 1e-13);
      assert_true(p.normal_elastic == 0 && p.normal_energy == 0 && p.tangential_damping[1] == 0 && p.history_count == 0);
    }
    assert_true(probe(&o, -0.0074, -0.3, 0, 0).normal_damping == 0 && probe(&o, -0.376, -0.3, 0, 0).normal_damping == 0);
  }
}

/* Beside contacts that conform. R* = 1/4: a = 3/8, from h = 0.0075 to 0.375. */
static void lubrication_conforms(void **state) {
  (void)state;
  dem_law_options o;
  dem_law *law;
  fluid(&o);
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  const law_facts facts = {
      .name = "hooke with lubrication", .friction = o.friction, .potential = 1, .fluid_inner = 0.0077, .fluid_outer = 0.37};
  law_conformance(context, law, &facts);
  dem_law_release(law);
}

/* ---- potentials ---- */

static demi_potential potential_named(const dem_law_options *o, const char *word) {
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  char text[DEMI_POTENTIAL_TEXT];
  demi_message message;
  demi_bound bound;
  dem_bind materials;
  dem_law *law;
  law_bind(&facts, &materials);
  assert_int_equal(scene_create_law(context, o, &law), DEM_OK);
  assert_int_equal(demi_law_bind(law, &materials, &message, &bound), DEM_OK);
  const demi_potential found = demi_bound_potential(&bound, text);
  if (!strstr(text, word)) fail_msg("no \"%s\" in: %s", word, text);
  dem_law_release(law);
  return found;
}

/* The part that spoils it is named. */
static void potentials_are_told(void **state) {
  (void)state;
  dem_law_options o;
  scene_hertz(&o);
  assert_int_equal(potential_named(&o, "'mindlin'"), DEMI_POTENTIAL_NONE);
  o.tangential = DEM_TANGENTIAL_LINEAR;
  assert_int_equal(potential_named(&o, "'linear'"), DEMI_POTENTIAL_NONE);
  o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  assert_int_equal(potential_named(&o, "'mindlin-conserving'"), DEMI_POTENTIAL_HOLDING);
  scene_add_rolling(&o, DEM_ROLLING_NONE, DEM_TWISTING_MARSHALL);
  assert_int_equal(potential_named(&o, "'twisting-marshall'"), DEMI_POTENTIAL_NONE);
  scene_hooke(&o);
  assert_int_equal(potential_named(&o, "'linear'"), DEMI_POTENTIAL_HOLDING);
  o.tangential = DEM_TANGENTIAL_VISCOUS;
  assert_int_equal(potential_named(&o, ""), DEMI_POTENTIAL_ALWAYS);
  o.tangential = DEM_TANGENTIAL_NONE;
  assert_int_equal(potential_named(&o, ""), DEMI_POTENTIAL_ALWAYS);
  dem_law_part part = good_part();
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  dem_law *law;
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  demi_bound bound;
  demi_message message;
  char text[DEMI_POTENTIAL_TEXT];
  const dem_bind none = {.struct_size = sizeof none};
  assert_int_equal(demi_law_bind(law, &none, &message, &bound), DEM_OK);
  assert_int_equal(demi_bound_potential(&bound, text), DEMI_POTENTIAL_NONE); /* a host's part that gives no energy */
  assert_non_null(strstr(text, "'test part': it does not give its stored energy"));
  dem_law_release(law);
}

static void fluid_refused(const dem_law_options *o, const char *word) {
  dem_law *law;
  assert_int_equal(dem_law_create(context, o, &law), DEM_BAD_ARGUMENT);
  assert_null(law);
  if (!strstr(dem_context_message(context), word)) fail_msg("no \"%s\" in: %s", word, dem_context_message(context));
}

static void bad_fluids_are_refused(void **state) {
  (void)state;
  dem_law_options o;
  fluid(&o);
  o.viscosity = -1;
  fluid_refused(&o, "viscosity is -1");
  fluid(&o);
  o.lubrication_scale = 0;
  fluid_refused(&o, "lubrication_scale is 0");
  fluid(&o);
  o.lubrication_inner = 0;
  fluid_refused(&o, "lubrication_inner is 0");
  fluid(&o);
  o.lubrication_outer = 0.01;
  fluid_refused(&o, "lubrication_outer is 0.01");
  o.lubrication_outer = 11;
  fluid_refused(&o, "lubrication_outer is 11");
}

/* Without a gap part an overlap below 0 is refused by name. */
static void no_overlap_no_probe(void **state) {
  (void)state;
  dem_law_options o;
  dem_law *law;
  scene_hooke(&o);
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  dem_probe p = {.struct_size = sizeof p, .overlap = -0.1, .effective_radius = 1, .effective_mass = 1, .normal = {1, 0, 0}};
  assert_int_equal(dem_law_probe(law, NULL, &p), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "overlap -0.1"));
  dem_law_release(law);
}

/* friction_force of 1000, given as 60: the limit is 24 instead of 400. A force below 0 and a flag that is none are refused. */
static void lagged_friction_by_hand(void **state) {
  (void)state;
  const dem_bind none = {.struct_size = sizeof none};
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.friction = 0.4;
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  dem_probe p = {.struct_size = sizeof p, .dt = 1e-3, .overlap = 0.01, .effective_radius = 1, .effective_mass = 1};
  p.normal[2] = 1;
  p.velocity[0] = 100;
  dem_probe now = p, lagged = p;
  assert_int_equal(dem_law_probe(law, &none, &now), DEM_OK);
  ASSERT_REL(now.friction_force, 1000, 1e-15);
  ASSERT_REL(now.tangential_elastic[0], -400, 1e-14);
  ASSERT_REL(now.tangential_overlap[0], -0.4 * 1e5, 1e-14);
  lagged.friction_lagged = 1;
  lagged.friction_force = 60;
  dem_probe bad = lagged;
  assert_int_equal(dem_law_probe(law, &none, &lagged), DEM_OK);
  ASSERT_REL(lagged.tangential_elastic[0], -24, 1e-14);
  assert_true(lagged.tangential_overlap[0] == 0 && lagged.friction_overlap == 0 && lagged.friction_force == 60);
  bad.friction_force = -60;
  assert_int_equal(dem_law_probe(law, &none, &bad), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "friction_force is -60"));
  bad.friction_lagged = 2;
  assert_int_equal(dem_law_probe(law, &none, &bad), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "friction_lagged is 2"));
  dem_law_release(law);
}

/* The spring that pushes: f_t = -k_t u, f_n' = k_t u^2/(4 d); stiffer by d^(1/2) as the contact deepens, without loss. */
static void conserving_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  scene_hertz(&o);
  o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  o.damping = o.tangential_damping = DEM_DAMPING_NONE;
  o.friction = 100;
  const double g = YOUNG / (4 * (2 - POISSON) * (1 + POISSON)), k = 8 * g * sqrt(0.25 * 0.01), u = 0.2e-4;
  const dem_probe p = probe(&o, 0.01, 0, 0.2, 1e-4);
  ASSERT_REL(p.tangential_elastic[1], -k * u, 1e-14);
  ASSERT_REL(p.tangential_normal, k * u * u / 0.04, 1e-14);
  ASSERT_REL(p.tangential_energy, k * u * u / 2, 1e-14);
  ASSERT_REL(p.normal_tangential_velocity[1], k * u * 1e-4 / 0.02, 1e-14);
  assert_true(p.hysteresis == 0 && p.sliding == 0 && p.tangential_damping[1] == 0);
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
      cmocka_unit_test_setup_teardown(hooke_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(viscous_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(restitution_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(attraction_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(mindlin_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(bad_parts_are_refused, open_context, close_context),
      cmocka_unit_test_setup_teardown(ranges_are_of_one_part, open_context, close_context),
      cmocka_unit_test_setup_teardown(probes_end_at_the_tear_off, open_context, close_context),
      cmocka_unit_test_setup_teardown(longer_pieces_are_read, open_context, close_context),
      cmocka_unit_test_setup_teardown(bad_pieces_are_refused, open_context, close_context),
      cmocka_unit_test_setup_teardown(lubrication_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(lubrication_conforms, open_context, close_context),
      cmocka_unit_test_setup_teardown(potentials_are_told, open_context, close_context),
      cmocka_unit_test_setup_teardown(bad_fluids_are_refused, open_context, close_context),
      cmocka_unit_test_setup_teardown(no_overlap_no_probe, open_context, close_context),
      cmocka_unit_test_setup_teardown(lagged_friction_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(conserving_by_hand, open_context, close_context),
      cmocka_unit_test_setup_teardown(unknown_capabilities_are_refused, open_context, close_context),
  };
  return cmocka_run_group_tests_name("law_numbers", tests, NULL, NULL);
}
