/* Random calls on bonds; see calls.h. */
#include "assertions.h"

#include "fault/calls.h"

dem_status call_type(host *h) {
  dem_bond_type t;
  int32_t index = -1;
  dem_bond_type_init(&t, sizeof t);
  t.model = host_pick(h, 3) == 0 ? DEM_BOND_HARMONIC : DEM_BOND_BEAM;
  t.contact = host_pick(h, 2);
  if (host_pick(h, 2)) t.normal_damping = host_uniform(h, 0, 30);
  if (host_pick(h, 2)) t.break_strain = host_uniform(h, 0.005, 0.3);
  if (t.model == DEM_BOND_HARMONIC) {
    t.stiffness = host_uniform(h, 100, 3000);
  } else {
    t.radius_factor = host_uniform(h, 0.3, 1.2);
    t.normal_stiffness = host_uniform(h, 500, 5000);
    if (host_pick(h, 3)) t.tangential_stiffness = host_uniform(h, 100, 3000);
    if (host_pick(h, 3) == 0) t.bending_stiffness = host_uniform(h, 100, 3000);
    if (host_pick(h, 3) == 0) t.twisting_stiffness = host_uniform(h, 100, 3000);
    if (host_pick(h, 2)) t.tangential_damping = host_uniform(h, 0, 30);
    if (host_pick(h, 3) == 0) t.relaxation_time = host_uniform(h, 1e-3, 1);
    if (host_pick(h, 3) == 0) t.break_normal_stress = host_uniform(h, 10, 500);
    if (host_pick(h, 3) == 0) t.break_shear_stress = host_uniform(h, 10, 500);
  }
  if (h->types >= 60) return DEM_OK;
  EVERY(dem_system_add_bond_type(system, &t, &index))
  if (!status) h->types++;
  return status;
}

static void note_bonds(host *h, const dem_id *ids, int64_t n) {
  for (int64_t k = 0; k < n && h->bonds < MOST_BONDS; k++) h->bond[h->bonds++] = ids[k];
}

dem_status call_bonds(host *h) {
  dem_bond b[8];
  dem_id ids[MOST], made[8];
  const int64_t n = host_count(h), count = 1 + host_pick(h, 3);
  if (n < 2 || h->types == 0) return DEM_OK;
  ASSERT_OK(host_first(h), dem_system_ids(host_first(h), MOST, ids));
  memset(b, 0, sizeof b);
  for (int64_t k = 0; k < count; k++) {
    const int at = host_pick(h, (int)n - 1), next = host_pick(h, 8) ? at + 1 : host_pick(h, (int)n);
    b[k].i = ids[at], b[k].j = ids[next];
    b[k].type = host_pick(h, h->types);
    if (host_pick(h, 2)) b[k].rest_length = host_uniform(h, 0.3, 0.9);
    if (host_pick(h, 4) == 0) b[k].force[0] = host_uniform(h, -5, 5);
    if (host_pick(h, 8) == 0) b[k].bending[2] = host_uniform(h, -1, 1);
  }
  EVERY(dem_system_add_bonds(system, count, b, sizeof *b, made))
  if (!status) note_bonds(h, made, count);
  return status;
}

dem_status call_neighbours(host *h) {
  if (h->types == 0) return DEM_OK;
  const int type = host_pick(h, h->types), chains = host_pick(h, 2);
  const int a = chains ? 0 : host_pick(h, MATERIALS), b = chains ? 0 : host_pick(h, MATERIALS);
  const double gap = host_uniform(h, -0.1, 0.2);
  int64_t count;
  EVERY(dem_system_bond_neighbours(system, type, a, b, gap, &count))
  return status;
}

dem_status call_remove_bonds(host *h) {
  dem_bond all[4096];
  dem_id ids[64];
  int64_t n, kept = 0;
  ASSERT_OK(host_first(h), dem_system_bond_count(host_first(h), &n));
  assert_true(n <= 4096);
  ASSERT_OK(host_first(h), dem_system_bonds(host_first(h), n, all, sizeof *all));
  for (int64_t k = host_pick(h, 3); k < n && kept < 60; k += 1 + host_pick(h, 5)) ids[kept++] = all[k].id;
  if (host_pick(h, 6) == 0 && h->bonds) ids[kept++] = h->bond[host_pick(h, h->bonds)];
  EVERY(dem_system_remove_bonds(system, kept, ids))
  return status;
}

/* Some taken out and put back with all their state. */
dem_status call_replace_bonds(host *h) {
  dem_bond all[4096];
  dem_id id;
  int64_t n;
  ASSERT_OK(host_first(h), dem_system_bond_count(host_first(h), &n));
  if (n == 0) return DEM_OK;
  ASSERT_OK(host_first(h), dem_system_bonds(host_first(h), n, all, sizeof *all));
  const dem_bond *b = &all[host_pick(h, (int)n)];
  {
    EVERY(dem_system_remove_bonds(system, 1, &b->id))
    if (status) return status;
  }
  EVERY(dem_system_add_bonds(system, 1, b, sizeof *b, &id))
  if (!status) note_bonds(h, &id, 1);
  return DEM_OK; /* it may be refused now, and one is gone */
}

dem_status call_breaks(host *h) {
  dem_bond_break right[16], other[16];
  int64_t n = 0, m = 0;
  const int64_t room = host_pick(h, 16);
  memset(right, 0, sizeof right);
  memset(other, 0, sizeof other);
  ASSERT_OK(host_first(h), dem_system_take_bond_breaks(host_first(h), room, right, sizeof *right, &n));
  note_bonds(h, &right[0].id, n > 0);
  for (int k = 0; k < n; k++) {
    assert_true(right[k].energy >= 0);
    right[k].energy = 0;
  }
  for (int k = 1; k < h->count; k++) {
    ASSERT_OK(h->twin[k].system, dem_system_take_bond_breaks(h->twin[k].system, room, other, sizeof *other, &m));
    assert_int_equal(n, m);
    for (int b = 0; b < n; b++) other[b].energy = 0;
    ASSERT_BITS(right, other, (size_t)n * sizeof *right);
  }
  return DEM_OK;
}
