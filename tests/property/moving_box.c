#include "assertions.h"

#include "moving_box.h"

#include <stdlib.h>

moving_box moving_box_defaults(void) {
  return (moving_box){
      .dimension = 3, .side = 5, .spacing = 0.98, .radius = {0.45, 0.5}, .jitter = 0.03, .speed = 0.5, .ledger = 1, .dt = 2e-4};
}

static void place(const world *w, const moving_box *b) {
  const int n = b->side, deep = b->dimension == 3 ? n : 1;
  rows r;
  dice d = {7};
  assert_int_equal(rows_create(&r, (int64_t)n * n * deep), 0);
  for (int k = 0; k < n * n * deep; k++) {
    const int at[3] = {k % n, k / n % n, k / n / n};
    double x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, spin[3] = {0, 0, 0};
    for (int a = 0; a < b->dimension; a++) {
      x[a] = (at[a] + 0.5) * b->spacing + dice_uniform(&d, -b->jitter, b->jitter);
      v[a] = dice_uniform(&d, -b->speed, b->speed);
    }
    for (int a = b->dimension == 2 ? 2 : 0; a < 3; a++) spin[a] = dice_uniform(&d, -b->speed, b->speed);
    const int64_t row = rows_put(&r, x[0], x[1], x[2], dice_uniform(&d, b->radius[0], b->radius[1]));
    rows_velocity(&r, row, v[0], v[1], v[2]);
    rows_spin(&r, row, spin[0], spin[1], spin[2]);
  }
  world_add_rows(w, &r, NULL);
}

void moving_box_open(world *w, const moving_box *b, const dem_law_options *law) {
  world_options o = world_defaults();
  o.system.dimension = b->dimension;
  for (int a = 0; a < b->dimension; a++) {
    o.system.periodic[a] = 1;
    o.system.box_high[a] = b->side * b->spacing;
  }
  o.system.dt = b->dt;
  o.system.ledger = b->ledger;
  o.system.threads = b->threads > 0 ? b->threads : 1;
  o.system.skin = b->skin;
  o.integrator = b->integrator;
  if (law) o.law = *law;
  world_open(w, &o);
  place(w, b);
}

void moving_box_bond(const world *w) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.model = DEM_BOND_BEAM;
  t.normal_stiffness = 2e4;
  t.tangential_stiffness = 1e4;
  t.normal_damping = 20;
  t.tangential_damping = 10;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &t, NULL));
  int64_t made = 0;
  ASSERT_OK(w->system, dem_system_bond_neighbours(w->system, 0, 0, 0, 0.0, &made));
  assert_true(made > 0);
}

void moving_box_drive(const world *w, const double rate[DEM_BOX_COMPONENTS]) {
  dem_box_motion m;
  assert_int_equal(dem_box_motion_init(&m, sizeof m), DEM_OK);
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) m.rate[k] = rate[k];
  ASSERT_OK(w->system, dem_system_set_box_motion(w->system, &m));
}

void moving_box_flow(const world *w, const double rate[DEM_BOX_COMPONENTS], const double centre[3]) {
  const int64_t n = world_statistics(w).particles;
  double *x = malloc((size_t)n * 3 * sizeof *x);
  assert_non_null(x);
  world_read(w, DEM_POSITION, x);
  for (int64_t k = 0; k < n; k++) {
    const double r[3] = {x[3 * k] - centre[0], x[3 * k + 1] - centre[1], x[3 * k + 2] - centre[2]};
    x[3 * k] = rate[DEM_BOX_XX] * r[0] + rate[DEM_BOX_XY] * r[1] + rate[DEM_BOX_XZ] * r[2];
    x[3 * k + 1] = rate[DEM_BOX_YY] * r[1] + rate[DEM_BOX_YZ] * r[2];
    x[3 * k + 2] = rate[DEM_BOX_ZZ] * r[2];
  }
  world_write(w, DEM_VELOCITY, x);
  free(x);
}
