/* Fabric, coordination, rattlers, overlaps and forces: on lattices in closed form; of a random crowd against the rows of
 * dem_system_contacts, summed here; rattlers against removal by hand and on networks that are built for it. The sections of forces,
 * bonds and films among them, by V sigma_zb = sum z F_b over a floor at z = 0. And that measuring leaves a run as it is. */
#include "assertions.h"

#include "packings.h"

static const double PI = 3.14159265358979323846;

static double volume_of(int dimension, double r) { return dimension == 2 ? PI * r * r : 4.0 / 3.0 * PI * r * r * r; }

/* ---- lattices ---- */

static void lattices_have_their_network(void **state) {
  (void)state;
  const double coordination[] = {6, 12, 6}, d = 1e-3, s = 1 - d;
  const double cell[] = {s * s * s, s * s * s / sqrt(2.0), s * s * sqrt(3.0) / 2}; /* volume of one particle */
  for (int kind = SIMPLE_CUBIC; kind <= HEXAGONAL; kind++) {
    const int dimension = kind == HEXAGONAL ? 2 : 3;
    const double z = coordination[kind], phi = volume_of(dimension, 0.5) / cell[kind], h = 0.5 * d;
    /* what two share: two caps pi h^2 (3 R - h)/3, in the plane two segments */
    const double half = acos(1 - 2 * h),
                 lens = dimension == 3 ? 2 * PI * h * h * (1.5 - h) / 3 : 0.5 * (half - sin(half) * cos(half));
    packing w = lattice_open(kind, s, 4, 1e5, 1);
    const dem_statics t = statics_of(&w, NULL);
    const int64_t count = particle_count(&w);
    assert_true(t.coordination == z && t.coordination_carrying == z && t.rattlers == 0);
    assert_true(t.contacts == 0.5 * z * (double)count && t.particles == count && t.weight == (double)count);
    ASSERT_REL(t.packing_fraction, phi, 1e-13);
    ASSERT_REL(t.overlap_fraction, 0.5 * z * lens / cell[kind], 1e-9);
    ASSERT_REL(t.overlap_mean, d, 1e-11);
    ASSERT_REL(t.overlap_max, d, 1e-11);
    ASSERT_REL(t.force_mean, 1e5 * d, 1e-11);
    ASSERT_REL(t.participation, 1, 1e-14);
    assert_true(t.friction_known == 0 && t.mobilisation == 0 && t.sliding == 0);
    for (int a = 0; a < 9; a++) {
      const int diagonal = a % 4 == 0 && a / 4 < dimension;
      ASSERT_ABS(t.fabric[a], diagonal ? 1.0 / dimension : 0, 1e-14);
      ASSERT_ABS(t.fabric_volume[a], diagonal ? z * phi / dimension : 0, 1e-13 * z);
    }
    packing_close(&w);
  }
}

/* ---- against the rows of the contacts ---- */

static void fill_brute_force(const packing *w, int dimension, const double *weight, double volume, dem_statics *t) {
  int64_t count, index[2];
  dem_contact *c = contacts_of(w, &count);
  double *radius = field_of(w, DEM_RADIUS, 1), size = 0, square = 0, known = 0;
  memset(t, 0, sizeof *t);
  for (int64_t k = 0; k < count; k++) {
    const dem_id ids[2] = {c[k].i, c[k].j};
    ASSERT_OK(w->system, dem_system_index_of(w->system, c[k].wall < 0 ? 2 : 1, ids, index));
    const double wi = weight[index[0]], wj = c[k].wall < 0 ? weight[index[1]] : wi, wc = 0.5 * (wi + wj);
    double f = 0, rubs = 0;
    for (int a = 0; a < 3; a++) f += c[k].force[a] * c[k].normal[a], rubs += pow(c[k].tangential_force[a], 2);
    if (wc == 0) continue;
    for (int a = 0; a < 9; a++) {
      const double nn = c[k].normal[a / 3] * c[k].normal[a % 3];
      t->fabric[a] += wc * nn;
      t->fabric_volume[a] += wi * volume_of(dimension, radius[index[0]]) * nn / volume;
      if (c[k].wall < 0) t->fabric_volume[a] += wj * volume_of(dimension, radius[index[1]]) * nn / volume;
    }
    t->contacts += wc;
    t->overlap_mean += wc * c[k].overlap;
    t->overlap_max = fmax(t->overlap_max, c[k].overlap);
    t->force_mean += wc * f;
    t->force_max = fmax(t->force_max, f);
    size += wc * fabs(f);
    square += wc * f * f;
    if (c[k].sliding < 0) continue;
    known += wc;
    t->mobilisation += wc * fmin(1, sqrt(rubs) / (0.5 * fabs(f)));
    t->sliding += wc * c[k].sliding;
  }
  for (int a = 0; a < 9; a++) t->fabric[a] /= t->contacts;
  t->overlap_mean /= t->contacts;
  t->force_mean /= t->contacts;
  t->participation = size * size / (square * t->contacts);
  t->friction_known = known;
  t->mobilisation /= known;
  t->sliding /= known;
  free(c);
  free(radius);
}

static packing crowd_on_floor(int dimension, int32_t bonds, double viscosity) {
  dem_law_options law;
  dem_system_options o = packing_options(dimension);
  scene_hooke(&law);
  law.viscosity = viscosity;
  o.periodic[0] = 1;
  o.box_high[0] = 0.75 * 6;
  o.ledger = 2;
  if (viscosity > 0) o.skin = 0.05;
  packing w = packing_open(&o, &law);
  crowd_put(&w, dimension, 6, 0.75, 5, 3);
  dem_wall floor;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[dimension - 1] = 1;
  ASSERT_OK(w.system, dem_system_add_wall(w.system, &floor, NULL));
  dem_bond_type type;
  dem_bond_type_init(&type, sizeof type);
  type.model = DEM_BOND_HARMONIC;
  type.stiffness = 3e4;
  type.contact = bonds == 2;
  if (bonds) {
    int64_t made;
    ASSERT_OK(w.system, dem_system_add_bond_type(w.system, &type, NULL));
    ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, 0, 0, 0, 0.05, &made));
    assert_true(made > 20);
  }
  return w;
}

static void check_against_rows(const packing *w, int dimension, const dem_statics_options *o, const double *weight) {
  dem_statics e;
  const dem_statics t = statics_of(w, o);
  fill_brute_force(w, dimension, weight, t.volume, &e);
  assert_true(t.sliding > 0 && t.sliding < 1 && t.mobilisation > t.sliding);
  ASSERT_TENSOR(t.fabric, e.fabric, 1e-12);
  ASSERT_TENSOR(t.fabric_volume, e.fabric_volume, 1e-12);
  ASSERT_REL(t.contacts, e.contacts, 1e-13);
  ASSERT_REL(t.overlap_mean, e.overlap_mean, 1e-12);
  ASSERT_REL(t.overlap_max, e.overlap_max, 1e-12);
  ASSERT_REL(t.force_mean, e.force_mean, 1e-12);
  ASSERT_REL(t.force_max, e.force_max, 1e-12);
  ASSERT_REL(t.participation, e.participation, 1e-12);
  ASSERT_REL(t.friction_known, e.friction_known, 1e-13);
  ASSERT_REL(t.mobilisation, e.mobilisation, 1e-9);
  ASSERT_REL(t.sliding, e.sliding, 1e-12);
}

static void crowds_agree_with_their_contacts(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    packing w = crowd_on_floor(dimension, 0, 0);
    ASSERT_OK(w.system, dem_system_step(w.system, 1000));
    const int64_t count = particle_count(&w);
    double weights[216];
    dem_id ids[216];
    dem_statics_options o = statics_options();
    ASSERT_OK(w.system, dem_system_ids(w.system, count, ids));
    o.volume = 7;
    for (int64_t k = 0; k < count; k++) weights[k] = 1;
    check_against_rows(&w, dimension, &o, weights);
    for (int64_t k = 0; k < count; k++) weights[k] = k % 3 ? 0.1 * (double)(k % 11) : 0;
    o.region = DEM_REGION_PARTICLES;
    o.count = count;
    o.ids = ids;
    o.weights = weights;
    check_against_rows(&w, dimension, &o, weights);
    packing_close(&w);
  }
}

/* Spheres that slide over a floor, each by itself: |f_t| is mu |f_n| but for rounding, and no rounding carries it beyond 1. */
static void sliders_use_all_of_their_friction(void **state) {
  (void)state;
  enum { MANY = 200 };
  dem_law_options law;
  dem_system_options o = packing_options(3);
  scene_hooke(&law);
  packing w = packing_open(&o, &law);
  dem_wall floor;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  ASSERT_OK(w.system, dem_system_add_wall(w.system, &floor, NULL));
  rows r;
  dice d = {31};
  dem_id ids[MANY];
  assert_int_equal(rows_create(&r, MANY), 0);
  for (int k = 0; k < MANY; k++) {
    const int64_t row = rows_put(&r, 2 * (k % 20), 2 * (double)(k / 20), 0.5 - dice_uniform(&d, 1e-4, 1e-2), 0.5);
    rows_velocity(&r, row, 100 * dice_uniform(&d, 0.5, 1), 100 * dice_uniform(&d, 0.5, 1), 0);
  }
  ASSERT_OK(w.system, rows_add(&r, w.system, ids));
  rows_destroy(&r);
  ASSERT_OK(w.system, dem_system_step(w.system, 10));
  for (int k = 0; k < MANY; k++) {
    dem_statics_options one = statics_options();
    one.region = DEM_REGION_PARTICLES;
    one.count = 1;
    one.ids = &ids[k];
    one.volume = 1;
    const dem_statics t = statics_of(&w, &one);
    assert_true(t.contacts == 1 && t.friction_known == 1 && t.sliding == 1);
    assert_true(t.mobilisation <= 1);
    ASSERT_REL(t.mobilisation, 1, 1e-14);
  }
  packing_close(&w);
}

/* ---- rattlers ---- */

/* One pass over all particles after the other; adjacency by the rows of the contacts. */
static void brute_rattlers(const packing *w, int32_t least, int32_t *contacts, int32_t *rattlers) {
  int64_t count, n = particle_count(w);
  dem_contact *c = contacts_of(w, &count);
  int64_t(*at)[2] = malloc((size_t)(count + 1) * sizeof *at);
  assert_non_null(at);
  memset(rattlers, 0, (size_t)n * sizeof *rattlers);
  for (int64_t k = 0; k < count; k++) {
    const dem_id ids[2] = {c[k].i, c[k].j};
    ASSERT_OK(w->system, dem_system_index_of(w->system, c[k].wall < 0 ? 2 : 1, ids, at[k]));
  }
  for (int changed = 1, first = 1; changed; first = 0) {
    int32_t *now = calloc((size_t)n, sizeof *now);
    assert_non_null(now);
    for (int64_t k = 0; k < count; k++) {
      if (rattlers[at[k][0]] || (c[k].wall < 0 && rattlers[at[k][1]])) continue;
      now[at[k][0]]++;
      if (c[k].wall < 0) now[at[k][1]]++;
    }
    if (first) memcpy(contacts, now, (size_t)n * sizeof *now);
    changed = 0;
    for (int64_t k = 0; k < n; k++)
      if (!rattlers[k] && now[k] < least) changed = rattlers[k] = 1;
    free(now);
  }
  free(at);
  free(c);
}

static void rattlers_are_those_removed_by_hand(void **state) {
  (void)state;
  int64_t found = 0, held = 0;
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int32_t least = 0; least < 7; least++) {
      packing w = crowd_on_floor(dimension, 0, 0);
      const int64_t count = particle_count(&w);
      int32_t contacts[216], rattlers[216], mine[216], theirs[216];
      dem_statics_options o = statics_options();
      double ends = 0, carrying = 0, loose = 0;
      o.least_contacts = least;
      o.volume = 1;
      ASSERT_OK(w.system, dem_system_rattlers(w.system, &o, count, NULL, contacts, rattlers));
      brute_rattlers(&w, least ? least : dimension + 1, mine, theirs);
      ASSERT_BITS(contacts, mine, (size_t)count * sizeof *mine);
      ASSERT_BITS(rattlers, theirs, (size_t)count * sizeof *mine);
      const dem_statics t = statics_of(&w, &o);
      for (int64_t k = 0; k < count; k++) ends += contacts[k], loose += rattlers[k], carrying += !rattlers[k];
      ASSERT_REL(t.coordination, ends / (double)count, 1e-14);
      assert_true(t.rattlers == loose);
      assert_true(carrying > 0 ? t.coordination_carrying >= t.coordination : t.coordination_carrying == 0);
      if (least == 0) {
        int32_t *field = field_int_of(&w, DEM_RATTLER), *coordination = field_int_of(&w, DEM_COORDINATION);
        ASSERT_BITS(field, rattlers, (size_t)count * sizeof *mine);
        ASSERT_BITS(coordination, contacts, (size_t)count * sizeof *mine);
        free(field);
        free(coordination);
      }
      found += (int64_t)loose;
      held += (int64_t)carrying;
      packing_close(&w);
    }
  assert_true(found > 100 && held > 100);
}

/* A ring of six with a tail of four, one alone, and a chain between two frozen ones. */
static void networks_built_for_it(void **state) {
  (void)state;
  enum { RING = 6, TAIL = 4, CHAIN = 5, ALL = RING + TAIL + 1 + CHAIN };
  const dem_system_options so = packing_options(2);
  const dem_law_options law = packing_spring(1e5);
  packing w = packing_open(&so, &law);
  rows r;
  int32_t contacts[ALL], rattlers[ALL];
  assert_int_equal(rows_create(&r, ALL), 0);
  for (int k = 0; k < RING; k++) rows_put(&r, 0.999 * cos(PI / 3 * k), 0.999 * sin(PI / 3 * k), 0, 0.5);
  for (int k = 0; k < TAIL; k++) rows_put(&r, 0.999 * (2 + k), 0, 0, 0.5);
  rows_put(&r, 0, 5, 0, 0.5);
  for (int k = 0; k < CHAIN; k++) r.frozen[rows_put(&r, 0.999 * k, 8, 0, 0.5)] = k == 0 || k == CHAIN - 1;
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  dem_statics_options o = statics_options();
  const int lost[] = {1, 1, TAIL + 1, ALL - 2}; /* with least 1, 1, 2, 3 */
  for (int least = 1; least <= 3; least++) {
    int sum = 0;
    o.least_contacts = least;
    ASSERT_OK(w.system, dem_system_rattlers(w.system, &o, ALL, NULL, contacts, rattlers));
    for (int k = 0; k < ALL; k++) sum += rattlers[k];
    assert_int_equal(sum, lost[least]);
    assert_true(rattlers[RING + TAIL] == 1 && rattlers[ALL - 1] == 0);
    assert_true(contacts[0] == 3 && contacts[1] == 2 && contacts[RING + TAIL - 1] == 1 && contacts[RING + TAIL] == 0);
  }
  packing_close(&w);
}

/* One of a face-centred lattice shrinks: it is the only rattler, and its twelve neighbours have one contact less. */
static void one_that_shrinks_rattles(void **state) {
  (void)state;
  packing w = lattice_open(FACE_CENTRED, 0.999, 3, 1e5, 1);
  const int64_t count = particle_count(&w);
  dem_id id;
  const int64_t which = 17;
  const double small = 0.3;
  ASSERT_OK(w.system, dem_system_id_at(w.system, 1, &which, &id));
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_RADIUS, 1, &id, &small, 0));
  const dem_statics t = statics_of(&w, NULL);
  assert_true(t.rattlers == 1);
  ASSERT_REL(t.coordination, (12.0 * (double)count - 24) / (double)count, 1e-14);
  ASSERT_REL(t.coordination_carrying, (12.0 * (double)count - 24) / (double)(count - 1), 1e-14);
  packing_close(&w);
}

/* ---- distribution of forces ---- */

static void histogram_counts_the_contacts(void **state) {
  (void)state;
  enum { BINS = 25 };
  packing w = crowd_on_floor(3, 0, 0);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  int64_t count, counts[BINS], expected[BINS] = {0}, below = 0, above = 0, sum = 0;
  double density[BINS], mean = 0, integral = 0;
  dem_statics_options o = statics_options();
  dem_force_histogram h;
  dem_force_histogram_init(&h, sizeof h);
  o.volume = 1;
  h.bins = BINS;
  h.top = 2.5;
  h.counts = counts;
  h.density = density;
  ASSERT_OK(w.system, dem_system_force_histogram(w.system, &o, &h));
  dem_contact *c = contacts_of(&w, &count);
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 3; a++) mean += c[k].force[a] * c[k].normal[a] / (double)count;
  ASSERT_REL(h.mean, mean, 1e-13);
  for (int64_t k = 0; k < count; k++) {
    double f = 0;
    for (int a = 0; a < 3; a++) f += c[k].force[a] * c[k].normal[a] / h.mean;
    if (f < 0)
      below++;
    else if (f >= 2.5)
      above++;
    else
      expected[(int)(f * 10)]++;
  }
  assert_true(h.contacts == count && h.below == below && h.above == above && below > 0 && above > 0);
  for (int k = 0; k < BINS; k++) {
    assert_int_equal(counts[k], expected[k]);
    integral += density[k] * 0.1;
    sum += counts[k];
  }
  ASSERT_REL(integral, (double)sum / (double)count, 1e-13);
  free(c);
  packing_close(&w);
}

/* ---- sections ---- */

static void every_section_is_in_the_balance(void **state) {
  (void)state;
  for (int32_t bonds = 0; bonds <= 2; bonds++)
    for (int dimension = 2; dimension <= 3; dimension++) {
      packing w = crowd_on_floor(dimension, bonds, 5);
      ASSERT_OK(w.system, dem_system_step(w.system, 50));
      const int up = dimension - 1;
      dem_statics_options o = statics_options();
      o.volume = 11;
      const dem_statics t = statics_of(&w, &o);
      double *x = field_of(&w, DEM_POSITION, 3), *f = field_of(&w, DEM_CONTACT_FORCE, 3), sum[3] = {0}, parts[9] = {0};
      for (int64_t k = 0; k < particle_count(&w); k++)
        for (int b = 0; b < 3; b++) sum[b] += x[3 * k + up] * f[3 * k + b] / o.volume;
      for (int b = 0; b < 3; b++) ASSERT_ABS(t.stress[3 * up + b], sum[b], 1e-12 * tensor_size(t.stress));
      for (int k = 0; k < 5; k++) {
        o.sections = 1 << k;
        const dem_statics one = statics_of(&w, &o);
        ASSERT_BITS(one.stress, t.stress_of_section[k], sizeof one.stress);
        assert_true(k == DEM_SECTION_BOND ? (tensor_size(one.stress) > 0) == (bonds > 0)
                                          : tensor_size(one.stress) > 0 || bonds == 1);
        for (int a = 0; a < 9; a++) parts[a] += one.stress[a];
      }
      ASSERT_TENSOR(parts, t.stress, 1e-14);
      free(x);
      free(f);
      packing_close(&w);
    }
}

/* Two bonded across a gap of 0.1, pulled 0.2 apart from rest at 0.9: tension 0.2 k along the line, over any volume. */
static void a_bond_pulls(void **state) {
  (void)state;
  for (int32_t beside = 0; beside <= 1; beside++) {
    const dem_system_options so = packing_options(3);
    const dem_law_options law = packing_spring(1e5);
    packing w = packing_open(&so, &law);
    dem_bond_type type;
    dem_id ids[2];
    rows r;
    dem_bond_type_init(&type, sizeof type);
    type.model = DEM_BOND_HARMONIC;
    type.stiffness = 50;
    type.contact = beside;
    assert_int_equal(rows_create(&r, 2), 0);
    rows_put(&r, 0.6 * 1.1, 0.8 * 1.1, 0, 0.5);
    rows_put(&r, 0, 0, 0, 0.5);
    ASSERT_OK(w.system, rows_add(&r, w.system, ids));
    rows_destroy(&r);
    ASSERT_OK(w.system, dem_system_add_bond_type(w.system, &type, NULL));
    const dem_bond bond = {.i = ids[0], .j = ids[1], .rest_length = 0.9};
    ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &bond, sizeof bond, NULL));
    dem_statics_options o = statics_options();
    o.volume = 2;
    const dem_statics t = statics_of(&w, &o);
    const double along = -1.1 * 50 * 0.2 / 2,
                 expected[9] = {0.36 * along, 0.48 * along, 0, 0.48 * along, 0.64 * along, 0, 0, 0, 0};
    ASSERT_TENSOR(t.stress, expected, 1e-14);
    ASSERT_REL(t.pressure, along / 3, 1e-14);
    ASSERT_REL(t.force_mean, -10, 1e-13);
    assert_true(t.coordination == 1 && t.contacts == 1 && t.overlap_mean == 0);
    packing_close(&w);
  }
}

/* ---- bits ---- */

static void threads_change_no_bit(void **state) {
  (void)state;
  dem_statics t[3];
  const int32_t threads[] = {1, 2, 5};
  for (int k = 0; k < 3; k++) {
    dem_law_options law;
    dem_system_options so = packing_options(3);
    scene_hooke(&law);
    so.threads = threads[k];
    for (int a = 0; a < 3; a++) so.periodic[a] = 1, so.box_high[a] = 0.75 * 12;
    packing w = packing_open(&so, &law);
    crowd_put(&w, 3, 12, 0.75, 77, 3);
    ASSERT_OK(w.system, dem_system_step(w.system, 20));
    dem_statics_options o = statics_options();
    o.kinetic = DEM_KINETIC_PECULIAR;
    t[k] = statics_of(&w, &o);
    ASSERT_BITS(&t[k], &t[0], sizeof *t);
    packing_close(&w);
  }
}

/* The state has the same bits; the accounts, whose work is booked in other pieces, the same numbers. */
static void check_energies(const dem_energy *a, const dem_energy *b) {
  const double *x = &a->kinetic_linear, *y = &b->kinetic_linear;
  const int members = (int)((sizeof *a - offsetof(dem_energy, kinetic_linear)) / sizeof *x);
  double largest = 0;
  for (int k = 0; k < members; k++) largest = fmax(largest, fabs(x[k]));
  for (int k = 0; k < members; k++) ASSERT_ABS(x[k], y[k], 1e-13 * largest);
  assert_true(a->kinetic_linear == b->kinetic_linear && a->potential_normal[0] == b->potential_normal[0]);
  ASSERT_BELOW(fabs(b->residual_relative), 1e-12);
}

/* A run that is measured all the time, also where forces must be evaluated for it, moves in the same way to the bit. */
static void measuring_changes_nothing(void **state) {
  (void)state;
  for (int32_t bonds = 0; bonds <= 1; bonds++) {
    packing w[2] = {crowd_on_floor(3, bonds, 0), crowd_on_floor(3, bonds, 0)};
    const int64_t count = particle_count(&w[0]);
    for (int n = 0; n < 12; n++) {
      dem_statics_options o = statics_options();
      double *x = field_of(&w[0], DEM_POSITION, 3);
      dem_energy energy[2];
      for (int64_t k = 0; k < 3 * count; k++) x[k] *= k % 3 == 0 ? 1 : 1.0001;
      o.volume = 1;
      for (int k = 0; k < 2; k++) {
        if (n % 3 == 0) ASSERT_OK(w[k].system, dem_system_set_field(w[k].system, DEM_POSITION, count, NULL, x, 0));
        if (k == 1) statics_of(&w[k], &o);
        ASSERT_OK(w[k].system, dem_system_step(w[k].system, 5));
        if (k == 1) statics_of(&w[k], &o);
        dem_energy_init(&energy[k], sizeof energy[k]);
        ASSERT_OK(w[k].system, dem_system_energy(w[k].system, &energy[k]));
        if (k == 1) statics_of(&w[k], &o);
      }
      double *a = field_of(&w[0], DEM_VELOCITY, 3), *b = field_of(&w[1], DEM_VELOCITY, 3);
      ASSERT_BITS(a, b, (size_t)count * 3 * sizeof *a);
      check_energies(&energy[0], &energy[1]);
      free(a);
      free(b);
      free(x);
    }
    for (int k = 0; k < 2; k++) packing_close(&w[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattices_have_their_network),
      cmocka_unit_test(crowds_agree_with_their_contacts),
      cmocka_unit_test(sliders_use_all_of_their_friction),
      cmocka_unit_test(rattlers_are_those_removed_by_hand),
      cmocka_unit_test(networks_built_for_it),
      cmocka_unit_test(one_that_shrinks_rattles),
      cmocka_unit_test(histogram_counts_the_contacts),
      cmocka_unit_test(every_section_is_in_the_balance),
      cmocka_unit_test(a_bond_pulls),
      cmocka_unit_test(threads_change_no_bit),
      cmocka_unit_test(measuring_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
