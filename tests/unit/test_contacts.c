/* The evaluation of a block of contacts of two laws against a plain loop over its listed pairs and faces: which contacts have a load,
 * where it is placed, forces and moments, histories, before and after the list is built anew. One law is Hooke's with a linear
 * tangential spring, which stores three doubles for each contact; the other is Hertz's with Mindlin's spring, which stores four:
 *
 *   f_n = k d                       u   <- u + v_t dt         f_t = -k_t u
 *   f_n = 4/3 Y* sqrt(R*) d^(3/2)   f_t <- f_t - k_t v_t dt   k_t = 8 G* a, a = sqrt(R* d)
 *
 * with the velocity v_t of the contact point. Positions and velocities stay as they are from one evaluation to the next. */
#include "contact_world.h"

#include "scenes/scenes.h"

static const double K = 4e4, KT = 9e3, YOUNG = 2e6, SHEAR = 7e5, DT = 1e-3; /* Y*, G* */
enum { HOOKE, HERTZ, LAWS };

/* Of one contact, computed plainly. */
typedef struct contact {
  int32_t law;
  double overlap, radius, arm, normal[3], slide[3]; /* R*; R - d/2 or the distance of a wall; v_t */
} contact;

static demi_bound bounds[LAWS];
static dem_law *laws[LAWS];

/* ---- the world ---- */

static void bind(dem_context *context, int32_t which) {
  dem_law_options o;
  dem_bind materials;
  demi_message message;
  dem_law_options_init(&o, sizeof o);
  dem_bind_init(&materials, sizeof materials);
  materials.effective_young = YOUNG;
  materials.effective_shear = SHEAR;
  materials.shear_ratio = 4 * SHEAR / YOUNG;
  o.friction = 1e6; /* nothing slides */
  if (which == HOOKE) {
    o.normal_stiffness = K;
    o.tangential_stiffness = KT;
  } else {
    o.normal = DEM_NORMAL_HERTZ;
    o.tangential = DEM_TANGENTIAL_MINDLIN;
  }
  assert_int_equal(dem_law_create(context, &o, &laws[which]), DEM_OK);
  assert_int_equal(demi_law_bind(laws[which], &materials, &message, &bounds[which]), DEM_OK);
}

/* Particles of one material meet by Hooke's law, of two by Hertz's, and so do those of the other material and a plane. */
static int32_t law_of(int32_t a, int32_t b) { return a == b ? HOOKE : HERTZ; }

static world *make(int32_t chunks) {
  world *w = open_world(chunks);
  dice d = {17};
  for (int32_t k = 0; k < LAWS; k++) bind(w->context, k);
  for (int32_t a = 0; a < MATERIALS; a++)
    for (int32_t b = a; b < MATERIALS; b++) set_law(w, a, b, &bounds[law_of(a, b)]);
  assert_int_equal(w->laws.count, LAWS);
  for (int k = 0; k < COUNT; k++)
    for (int a = 0; a < 3; a++) {
      w->store.columns.position[4 * k + a] += dice_uniform(&d, -0.0025, 0.0025);
      w->store.columns.velocity[8 * k + a] = dice_uniform(&d, -0.05, 0.05);
      w->store.columns.velocity[8 * k + 4 + a] = dice_uniform(&d, -0.5, 0.5);
    }
  list_again(w);
  assert_int_equal(w->list.motion.blocks, 1);
  return w;
}

static void destroy_all(world *w) {
  for (int32_t k = 0; k < LAWS; k++) dem_law_release(laws[k]);
  destroy(w);
}

static void evaluate(world *w, int32_t trial) {
  demi_list_prune(&w->list, &w->store);
  const demi_evaluation e = {.store = &w->store,
                             .list = &w->list,
                             .laws = &w->laws,
                             .contacts = &w->contacts,
                             .dt = DT,
                             .ask = DEMI_COMPUTE_ENERGY | (trial ? 0 : DEMI_COMPUTE_FORCE),
                             .commit = !trial,
                             .bonds = &w->bonds,
                             .box = &w->box,
                             .whole_step = 1};
  demi_contacts_evaluate(&e);
}

/* ---- plainly ---- */

/* The velocity v of i relative to j at the contact, without the part along n: v - n (n.v), where w = a_i w_i + a_j w_j turns the
 * surfaces by -w x n. */
static void find_slide(contact *c, const double v[3], const double spin[3]) {
  const double *n = c->normal;
  double along = 0;
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    c->slide[a] = v[a] - (spin[b] * n[d] - spin[d] * n[b]);
    along += c->slide[a] * n[a];
  }
  for (int a = 0; a < 3; a++) c->slide[a] -= along * n[a];
}

static contact of_pair(const world *w, int64_t i, int64_t j) {
  const demi_columns *s = &w->store.columns;
  contact c = {law_of(s->material[i], s->material[j]), 0, 0.5 * RADIUS, 0, {0}, {0}};
  double r = 0, v[3], spin[3];
  for (int a = 0; a < 3; a++) r += pow(s->position[4 * i + a] - s->position[4 * j + a], 2);
  r = sqrt(r);
  c.overlap = 2 * RADIUS - r;
  c.arm = 0.5 * r;
  for (int a = 0; a < 3; a++) {
    c.normal[a] = (s->position[4 * i + a] - s->position[4 * j + a]) / r;
    v[a] = s->velocity[8 * i + a] - s->velocity[8 * j + a];
    spin[a] = c.arm * (s->velocity[8 * i + 4 + a] + s->velocity[8 * j + 4 + a]);
  }
  find_slide(&c, v, spin);
  return c;
}

static contact of_face(const world *w, int64_t i, int32_t axis) {
  const demi_columns *s = &w->store.columns;
  const double distance = s->position[4 * i + axis];
  contact c = {law_of(s->material[i], 0), RADIUS - distance, RADIUS, distance, {0}, {0}};
  double spin[3];
  for (int a = 0; a < 3; a++) {
    c.normal[a] = a == axis;
    spin[a] = distance * s->velocity[8 * i + 4 + a];
  }
  find_slide(&c, s->velocity + 8 * i, spin);
  return c;
}

static double tangential_stiffness(const contact *c) { return c->law == HOOKE ? KT : 8 * SHEAR * sqrt(c->radius * c->overlap); }

static double normal_energy(const contact *c) {
  return c->law == HOOKE ? 0.5 * K * c->overlap * c->overlap : 8.0 / 15.0 * YOUNG * sqrt(c->radius) * pow(c->overlap, 2.5);
}

/* ---- comparison ---- */

/* The history of a contact that has existed for `steps` evaluations. */
static void check_history(const double *row, const contact *c, double steps) {
  const double scale = c->law == HOOKE ? steps * DT : -steps * DT * tangential_stiffness(c);
  assert_non_null(row);
  for (int a = 0; a < 3; a++) ASSERT_ABS(row[1 + a], scale * c->slide[a], 1e-12 * fabs(scale));
  if (c->law == HERTZ) ASSERT_REL(row[4], sqrt(c->radius * c->overlap), 1e-12);
}

/* The load: force on i, its arm, n x f_t, the arm of j. */
static void check_load(const double *load, const contact *c, double steps, double arm_of_partner) {
  const double normal = (c->law == HOOKE ? 2 : 2.5) * normal_energy(c) / c->overlap, kt = tangential_stiffness(c);
  double f[3];
  for (int a = 0; a < 3; a++) {
    f[a] = -kt * steps * DT * c->slide[a];
    ASSERT_ABS(load[a], normal * c->normal[a] + f[a], 1e-11 * normal);
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    ASSERT_ABS(load[4 + a], c->normal[b] * f[d] - c->normal[d] * f[b], 1e-11 * normal);
  }
  ASSERT_REL(load[3], c->arm, 1e-13);
  ASSERT_REL(load[7], arm_of_partner, 1e-13);
}

typedef struct tally {
  int64_t pairs[LAWS], faces[LAWS];
  double energy, face_energy;
} tally;

/* Touching pairs have their loads one after the other in the order of the list; others have neither load nor history. */
static int64_t check_pairs(const world *w, double steps, tally *t) {
  const demi_loads *l = &w->contacts.loads;
  int64_t place = 0;
  for (int64_t i = 0; i < COUNT; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++) {
      const contact c = of_pair(w, i, partner_of(w, s));
      assert_int_equal(row_of(w, s) != NULL, c.overlap > 0);
      if (!(c.overlap > 0)) continue;
      assert_int_equal(l->i[place], i);
      assert_int_equal(l->j[place], partner_of(w, s));
      check_load(l->rows + 8 * place, &c, steps, c.arm);
      check_history(row_of(w, s), &c, steps);
      t->pairs[c.law]++;
      t->energy += normal_energy(&c);
      place++;
    }
  return place;
}

static int64_t check_faces(const world *w, double steps, tally *t) {
  const demi_loads *l = &w->contacts.loads;
  int64_t place = w->list.pairs;
  for (int64_t k = 0; k < w->list.face_pairs; k++) {
    const int32_t face = w->list.face_index[k], i = w->list.face_row[k];
    const contact c = of_face(w, i, w->faces.face[face].id == FLOOR ? 2 : 0);
    assert_int_equal(row_of(w, w->list.pairs + k) != NULL, c.overlap > 0);
    if (!(c.overlap > 0)) continue;
    assert_int_equal(l->i[place], i);
    assert_int_equal(l->j[place], demi_partner_of_face(face));
    check_load(l->rows + 8 * place, &c, steps, 0);
    check_history(row_of(w, w->list.pairs + k), &c, steps);
    t->faces[c.law]++;
    t->face_energy += normal_energy(&c);
    place++;
  }
  return place - w->list.pairs;
}

static tally check_all(const world *w, double steps) {
  tally t = {{0}, {0}, 0, 0};
  const int64_t pairs = check_pairs(w, steps, &t), faces = check_faces(w, steps, &t);
  assert_int_equal(demi_contacts_count(&w->contacts, &w->list, DEMI_SECTION_PAIR), pairs);
  assert_int_equal(demi_contacts_count(&w->contacts, &w->list, DEMI_SECTION_WALL), faces);
  const demi_totals sums = demi_contacts_totals(w->contacts.sums, &w->list, DEMI_SECTIONS, 0);
  ASSERT_REL(sums.of[DEMI_SECTION_PAIR][DEMI_ENERGY_NORMAL], t.energy, 1e-12);
  ASSERT_REL(sums.of[DEMI_SECTION_WALL][DEMI_ENERGY_NORMAL], t.face_energy, 1e-12);
  return t;
}

/* ---- tests ---- */

static void loads_and_histories_are_those_of_each_law(void **state) {
  (void)state;
  world *w = make(1);
  for (int n = 1; n <= 3; n++) {
    evaluate(w, 0);
    const tally t = check_all(w, n);
    /* several batches of both laws, among pairs, and some of both against the planes */
    assert_true(t.pairs[HOOKE] > 2 * DEM_BATCH_CAPACITY && t.pairs[HERTZ] > DEM_BATCH_CAPACITY);
    assert_true(t.faces[HOOKE] > 5 && t.faces[HERTZ] > 5);
  }
  destroy_all(w);
}

/* A trial leaves loads and histories as they were, and only adds up. */
static void a_trial_commits_nothing(void **state) {
  (void)state;
  world *w = make(1);
  evaluate(w, 0);
  for (int n = 0; n < 3; n++) {
    evaluate(w, 1);
    check_all(w, 1);
  }
  evaluate(w, 0);
  check_all(w, 2);
  destroy_all(w);
}

/* A pair that parts loses its history, and starts from zero when it is back. */
static void a_pair_that_parts_starts_anew(void **state) {
  (void)state;
  world *w = make(1);
  evaluate(w, 0);
  evaluate(w, 0);
  double *z = &w->store.columns.position[4 * (COUNT - 1) + 2];
  const double before = *z;
  *z += 1;
  evaluate(w, 0);
  for (int64_t s = 0; s < w->list.pairs; s++)
    if (partner_of(w, s) == COUNT - 1) assert_null(row_of(w, s));
  *z = before;
  evaluate(w, 0);
  for (int64_t i = 0; i < COUNT - 1; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++) {
      const contact c = of_pair(w, i, partner_of(w, s));
      if (c.overlap > 0) check_history(row_of(w, s), &c, partner_of(w, s) == COUNT - 1 ? 1 : 4);
    }
  destroy_all(w);
}

/* The list is built anew between the second and the third evaluation, of the mirror image across y: rows change places, so that
 * displacements of the carried histories turn sign with the orientation of their pairs. */
static void evaluations_go_on_after_a_rebuild(void **state) {
  (void)state;
  for (int32_t chunks = 1; chunks <= 2; chunks++) {
    world *w = make(chunks);
    evaluate(w, 0);
    evaluate(w, 0);
    const tally before = check_all(w, 2);
    for (int64_t k = 0; k < w->list.pairs + w->list.face_pairs; k++) {
      double *row = row_of(w, k);
      if (row) row[2] = -row[2]; /* y of the displacement or of the force */
    }
    set_aside(w);
    mirror(w, 1);
    for (int k = 0; k < COUNT; k++) { /* a spin is a pseudovector */
      double *v = w->store.columns.velocity + 8 * k;
      v[1] = -v[1];
      v[4] = -v[4];
      v[6] = -v[6];
    }
    list_again(w);
    evaluate(w, 0);
    const tally after = check_all(w, 3);
    for (int k = 0; k < LAWS; k++) assert_true(after.pairs[k] == before.pairs[k] && after.faces[k] == before.faces[k]);
    destroy_all(w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_and_histories_are_those_of_each_law),
      cmocka_unit_test(a_trial_commits_nothing),
      cmocka_unit_test(a_pair_that_parts_starts_anew),
      cmocka_unit_test(evaluations_go_on_after_a_rebuild),
  };
  return cmocka_run_group_tests_name("contacts", tests, NULL, NULL);
}
