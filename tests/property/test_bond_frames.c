/* Chains of bonds in other frames: with the axes permuted, through periodic boundaries, and moved by the host across them. */
#include "assertions.h"

#include "scenes/bonded.h"

/* The same chain in another frame: turned by quarter turns about (1, 1, 1), which permutes the axes to the bit. */
static void turned_frame(void **state) {
  (void)state;
  double end[2][3 * 5];
  for (int turned = 0; turned < 2; turned++) {
    const bonded_setup u = {.dt = 2e-4};
    bonded w = bonded_open(&u);
    dem_bond_type t = bond_beam(4e3, 2e3);
    t.bending_stiffness = t.twisting_stiffness = 1e3;
    t.normal_damping = t.tangential_damping = 0.3;
    const int32_t type = bonded_add_type(&w, &t);
    dem_id id[5];
    for (int k = 0; k < 5; k++) {
      const double x[3] = {1.0 * k, 0.1 * k * k, 0}, v[3] = {0.1 * k, 0.3, k == 2 ? -1 : 0.2}, s[3] = {k == 1, 2, 0.5 * k};
      const int p = turned;
      id[k] = bonded_put(&w, x[p], x[(p + 1) % 3], x[(p + 2) % 3]);
      bonded_set(&w, DEM_VELOCITY, id[k], v[p], v[(p + 1) % 3], v[(p + 2) % 3]);
      bonded_set(&w, DEM_SPIN, id[k], s[p], s[(p + 1) % 3], s[(p + 2) % 3]);
      if (k) bonded_join(&w, type, id[k - 1], id[k], 0);
    }
    bonded_step(&w, 2000);
    for (int k = 0; k < 5; k++) bonded_get(&w, DEM_POSITION, id[k], end[turned] + 3 * k);
    bonded_close(&w);
  }
  /* sums run in another order: round-off only, over 2000 steps */
  for (int k = 0; k < 5; k++)
    for (int a = 0; a < 3; a++) ASSERT_ABS(end[0][3 * k + (a + 1) % 3], end[1][3 * k + a], 1e-11);
}

/* A chain that flies round a periodic box several times, sorted anew on the way, moves as it does in open space. */
static void through_boundaries(void **state) {
  (void)state;
  enum { LINKS = 12 };
  static double end[2][3 * LINKS];
  for (int periodic = 0; periodic < 2; periodic++) {
    const bonded_setup u = {.dt = 5e-4, .period = periodic ? 6 : 0, .ledger = 1};
    bonded w = bonded_open(&u);
    dem_bond_type t = bond_beam(4e3, 2e3);
    t.bending_stiffness = t.twisting_stiffness = 1e3;
    const int32_t type = bonded_add_type(&w, &t);
    dem_id id[LINKS];
    for (int k = 0; k < LINKS; k++) {
      /* a helix of links of about 1, not meeting itself in any image */
      id[k] = bonded_put(&w, 1.5 + cos(1.2 * k), 1.5 + sin(1.2 * k), 0.35 * k);
      bonded_set(&w, DEM_VELOCITY, id[k], 20, 13, 7 + 0.1 * sin(k));
      bonded_set(&w, DEM_SPIN, id[k], 0.1 * k, 0.2, 0);
      if (k) bonded_join(&w, type, id[k], id[k - 1], 0);
    }
    bonded_step(&w, 4000);
    for (int k = 0; k < LINKS; k++) {
      int32_t image[3];
      bonded_get(&w, DEM_POSITION, id[k], end[periodic] + 3 * k);
      ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 1, &id[k], image, 0));
      for (int a = 0; a < 3 && periodic; a++) end[1][3 * k + a] += 6.0 * image[a];
      assert_true(!periodic || image[0] >= 5);
    }
    ASSERT_OK(w.system, dem_system_check(w.system));
    const dem_energy e = bonded_books(&w);
    bonded_assert_closes(&e);
    bonded_close(&w);
  }
  for (int k = 0; k < 3 * LINKS; k++) {
    const double open = end[0][k], round = end[1][k];
    /* contacts of chain ends through the boundary would show; bonded_put() wraps positions that start outside by one length */
    ASSERT_ABS(fmod(fabs(open - round) + 3, 6) - 3, 0, 1e-9);
  }
}

/* Moving both ends of a bond, by any shift, one after the other, leaves it what it was. */
static void set_across_boundaries(void **state) {
  (void)state;
  const bonded_setup u = {.dt = 1e-3, .period = 6};
  bonded w = bonded_open(&u);
  const dem_bond_type t = bond_harmonic(100);
  const dem_id i = bonded_put(&w, 5.8, 1, 1), j = bonded_put(&w, 0.7, 1, 1);
  bonded_join(&w, bonded_add_type(&w, &t), i, j, 0);
  ASSERT_REL(bonded_only_bond(&w).rest_length, 0.9, 1e-14);
  bonded_step(&w, 1);
  bonded_set(&w, DEM_POSITION, i, 3.1, 1, 1);
  bonded_set(&w, DEM_POSITION, j, 4.0, 1, 1);
  ASSERT_ABS(bonded_books(&w).potential_bond, 0, 1e-25);
  bonded_set(&w, DEM_POSITION, j, 4.0 + 60, 1.2, 1);
  ASSERT_REL(bonded_books(&w).potential_bond, 50 * pow(sqrt(0.81 + 0.04) - 0.9, 2), 1e-10);
  /* pulled further than half the box: still the same image of j */
  for (int k = 1; k <= 5; k++) {
    bonded_set(&w, DEM_POSITION, j, 4.0 + k, 1, 1);
    bonded_step(&w, 0);
    ASSERT_REL(bonded_books(&w).potential_bond, 50.0 * k * k, 1e-10);
    bonded_set(&w, DEM_VELOCITY, i, 0, 0, 0);
    bonded_set(&w, DEM_VELOCITY, j, 0, 0, 0);
    ASSERT_OK(w.system, dem_system_set_dt(w.system, 1e-12));
    bonded_step(&w, 1);
  }
  bonded_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_frame),
      cmocka_unit_test(through_boundaries),
      cmocka_unit_test(set_across_boundaries),
  };
  return cmocka_run_group_tests_name("bond_frames", tests, NULL, NULL);
}
