/* Systems that the tests of the statics share: lattices at a known overlap, random crowds. */
#ifndef TESTS_PACKINGS_H
#define TESTS_PACKINGS_H

#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"

typedef struct packing {
  dem_context *context;
  dem_system *system;
} packing;

static inline dem_system_options packing_options(int32_t dimension) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dimension = dimension;
  o.shape = dimension == 2 ? DEM_SHAPE_DISC : DEM_SHAPE_SPHERE;
  o.dt = 1e-5;
  return o;
}

static inline packing packing_open(const dem_system_options *o, const dem_law_options *law) {
  packing w;
  dem_material m;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  assert_int_equal(dem_system_create(w.context, o, &w.system), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = 1e5;
  ASSERT_OK(w.system, dem_system_add_material(w.system, &m, NULL));
  ASSERT_OK(w.system, scene_set_law(w.context, w.system, 0, 0, law));
  return w;
}

static inline void packing_close(packing *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* Hooke of stiffness k without anything else. */
static inline dem_law_options packing_spring(double k) {
  dem_law_options l;
  dem_law_options_init(&l, sizeof l);
  l.normal_stiffness = k;
  l.tangential = DEM_TANGENTIAL_NONE;
  return l;
}

/* A lattice of radius 0.5: nearest neighbours `spacing` apart, `cells` cells along each axis, periodic. */
enum { SIMPLE_CUBIC, FACE_CENTRED, HEXAGONAL };

static inline void lattice_cell(int kind, double spacing, double cell[3], int *points, double point[4][3]) {
  const double edge = kind == FACE_CENTRED ? sqrt(2.0) * spacing : spacing;
  static const double cubic[4][3] = {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
  static const double flat[2][3] = {{0.25, 0.25, 0}, {0.75, 0.75, 0}};
  *points = kind == SIMPLE_CUBIC ? 1 : kind == FACE_CENTRED ? 4 : 2;
  for (int a = 0; a < 3; a++) {
    cell[a] = kind == HEXAGONAL && a == 1 ? sqrt(3.0) * spacing : edge;
    for (int k = 0; k < *points; k++) point[k][a] = cell[a] * (kind == HEXAGONAL ? flat[k][a] : cubic[k][a]);
  }
}

static inline packing lattice_open(int kind, double spacing, int cells, double k, int32_t threads) {
  const int dimension = kind == HEXAGONAL ? 2 : 3;
  dem_system_options o = packing_options(dimension);
  const dem_law_options law = packing_spring(k);
  double cell[3], point[4][3];
  int points;
  rows r;
  lattice_cell(kind, spacing, cell, &points, point);
  o.threads = threads;
  for (int a = 0; a < dimension; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = cells * cell[a];
  }
  packing w = packing_open(&o, &law);
  assert_int_equal(rows_create(&r, (int64_t)cells * cells * cells * points), 0);
  for (int n = 0; n < (dimension == 3 ? cells * cells * cells : cells * cells); n++)
    for (int p = 0; p < points; p++)
      rows_put(&r, point[p][0] + cell[0] * (n % cells), point[p][1] + cell[1] * (n / cells % cells),
               dimension == 3 ? point[p][2] + cell[2] * (n / cells / cells) : 0, 0.5);
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  return w;
}

/* Random spheres (discs) of radius 0.3 to 0.5, `side` of them along each axis, `spacing` apart: they overlap, and move at random. */
static inline void crowd_put(packing *w, int dimension, int side, double spacing, uint64_t seed, double speed) {
  dice d = {seed};
  rows r;
  const int count = dimension == 3 ? side * side * side : side * side;
  assert_int_equal(rows_create(&r, count), 0);
  for (int n = 0; n < count; n++) {
    double at[3] = {0, 0, 0}, v[3] = {0, 0, 0}, spin[3] = {0, 0, 0};
    for (int a = 0, m = n; a < dimension; a++, m /= side) at[a] = spacing * (0.5 + m % side + dice_uniform(&d, -0.15, 0.15));
    for (int a = 0; a < dimension; a++) v[a] = speed * dice_uniform(&d, -1, 1);
    for (int a = dimension == 3 ? 0 : 2; a < 3; a++) spin[a] = speed * dice_uniform(&d, -1, 1);
    const int64_t row = rows_put(&r, at[0], at[1], at[2], dice_uniform(&d, 0.3, 0.5));
    rows_velocity(&r, row, v[0], v[1], v[2]);
    rows_spin(&r, row, spin[0], spin[1], spin[2]);
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
}

static inline packing crowd_open(int dimension, int side, double spacing, int periodic, const dem_law_options *law,
                                 double speed) {
  dem_system_options o = packing_options(dimension);
  for (int a = 0; a < dimension; a++) {
    o.periodic[a] = periodic;
    o.box_high[a] = spacing * side;
  }
  packing w = packing_open(&o, law);
  crowd_put(&w, dimension, side, spacing, 4711, speed);
  return w;
}

static inline dem_statics_options statics_options(void) {
  dem_statics_options o;
  assert_int_equal(dem_statics_options_init(&o, sizeof o), DEM_OK);
  return o;
}

static inline dem_statics statics_of(const packing *w, const dem_statics_options *o) {
  dem_statics t;
  assert_int_equal(dem_statics_init(&t, sizeof t), DEM_OK);
  ASSERT_OK(w->system, dem_system_statics(w->system, o, &t));
  return t;
}

static inline int64_t particle_count(const packing *w) {
  int64_t count;
  ASSERT_OK(w->system, dem_system_particle_count(w->system, &count));
  return count;
}

static inline double *field_of(const packing *w, int32_t field, int components) {
  const int64_t count = particle_count(w);
  double *values = malloc((size_t)(count * components) * sizeof *values);
  assert_non_null(values);
  ASSERT_OK(w->system, dem_system_get_field(w->system, field, count, NULL, values, 0));
  return values;
}

static inline int32_t *field_int_of(const packing *w, int32_t field) {
  const int64_t count = particle_count(w);
  int32_t *values = malloc((size_t)count * sizeof *values);
  assert_non_null(values);
  ASSERT_OK(w->system, dem_system_get_field_int(w->system, field, count, NULL, values, 0));
  return values;
}

static inline dem_contact *contacts_of(const packing *w, int64_t *count) {
  ASSERT_OK(w->system, dem_system_contact_count(w->system, count));
  dem_contact *c = malloc((size_t)(*count + 1) * sizeof *c);
  assert_non_null(c);
  ASSERT_OK(w->system, dem_system_contacts(w->system, *count, c, sizeof *c));
  return c;
}

/* Largest size of a component. */
static inline double tensor_size(const double t[9]) {
  double most = 0;
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(t[k]));
  return most;
}

#define ASSERT_TENSOR(a, b, tol)                                                     \
  do {                                                                               \
    for (int component = 0; component < 9; component++)                              \
      ASSERT_ABS((a)[component], (b)[component], (tol) * (tensor_size(b) + 1e-300)); \
  } while (0)

#endif
