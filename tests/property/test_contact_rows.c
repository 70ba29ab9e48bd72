/* What a row of dem_system_contacts says, against the sums that the particles and walls feel and against closed forms:
 *
 *   sum over contacts: force on each particle = DEM_FORCE, torque = DEM_TORQUE; on a wall dem_wall_state.force, .torque
 *   force = f_n n + f_t,   f_t.n = 0;   without rolling and twisting torque = (point - centre) x force
 *   no torque on the pair as a whole: torque_i + torque_j - branch x force = 0
 *   a sphere on a slope of angle a: below tan a = 7/2 mu it rolls, f_t = m g sin a/(1 + 5/2 h^2/R^2) with h the
 *   height of its centre (2/7 m g sin a without overlap); above it slides, f_t = mu f_n
 *
 * And arrays whose elements have another size than this version's: shorter ones are refused, longer ones end in zeros. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "vectors.h"

static const double EXACT = 1e-10;

static const double PI = 3.14159265358979323846;

/* ---- a crowd that moves at random, in a box periodic along x ---- */

enum { SIDE = 4, CROWD = SIDE * SIDE * SIDE };

static void fill(world *w) {
  dice d = {4711};
  rows r;
  assert_int_equal(rows_create(&r, CROWD), 0);
  for (int n = 0; n < CROWD; n++) {
    double at[3];
    for (int a = 0, m = n; a < 3; a++, m /= SIDE) at[a] = 0.5 + m % SIDE + dice_uniform(&d, -0.05, 0.05);
    const int64_t k = rows_put(&r, at[0], at[1], at[2], dice_uniform(&d, 0.48, 0.55));
    rows_velocity(&r, k, dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1));
    rows_spin(&r, k, dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9));
  }
  world_add_rows(w, &r, NULL);
}

/* Gives the floor's id; the law is the caller's to release. */
static int32_t open_crowd_under(world *w, int32_t arms, const dem_law_options *l, dem_law **law) {
  world_options o = world_defaults();
  const dem_wall bottom = wall_plane(0, 0, 0, 0, 0, 1), lid = wall_plane(0, 0, SIDE, 0, 0, -1);
  o.material.poisson = 0.25;
  o.system.ledger = 0;
  o.system.arms = arms;
  o.system.periodic[0] = 1;
  for (int a = 0; a < 3; a++) o.system.box_high[a] = SIDE;
  o.without_law = 1;
  world_open(w, &o);
  assert_int_equal(scene_create_law(w->context, l, law), DEM_OK);
  ASSERT_OK(w->system, dem_system_set_law(w->system, 0, 0, *law));
  fill(w);
  const int32_t floor = world_add_wall(w, &bottom);
  world_add_wall(w, &lid);
  ASSERT_OK(w->system, dem_system_step(w->system, 20));
  return floor;
}

static int32_t open_crowd(world *w, int32_t arms, int32_t rolls, dem_law **law) {
  dem_law_options l;
  scene_hooke(&l);
  if (rolls) scene_add_rolling(&l, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
  return open_crowd_under(w, arms, &l, law);
}

static dem_contact *read_contacts(const world *w, int64_t *count) {
  *count = world_contacts(w);
  assert_true(*count > 0);
  dem_contact *c = calloc((size_t)*count, sizeof *c);
  assert_non_null(c);
  ASSERT_OK(w->system, dem_system_contacts(w->system, *count, c, sizeof *c));
  return c;
}

static void check_particle_sums(const world *w, const dem_contact *c, int64_t count) {
  dem_id ids[CROWD];
  ASSERT_OK(w->system, dem_system_ids(w->system, CROWD, ids));
  for (int n = 0; n < CROWD; n++) {
    double f[3] = {0}, t[3] = {0}, force[3], torque[3];
    for (int64_t k = 0; k < count; k++)
      for (int a = 0; a < 3; a++) {
        if (c[k].i == ids[n]) f[a] += c[k].force[a], t[a] += c[k].torque[a];
        if (c[k].j == ids[n]) f[a] -= c[k].force[a], t[a] += c[k].torque_on_j[a];
      }
    world_read_one(w, ids[n], DEM_FORCE, force);
    world_read_one(w, ids[n], DEM_TORQUE, torque);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(f[a], force[a], EXACT * 1e4);
      ASSERT_ABS(t[a], torque[a], EXACT * 1e4);
    }
  }
}

static void check_wall_sums(const world *w, const dem_contact *c, int64_t count, int32_t floor) {
  double f[3] = {0}, t[3] = {0};
  const dem_wall_state state = world_wall_state(w, floor);
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 3; a++)
      if (c[k].wall == floor) f[a] -= c[k].force[a], t[a] += c[k].torque_on_j[a];
  assert_true(f[2] < 0);
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(f[a], state.force[a], EXACT * 1e4);
    ASSERT_ABS(t[a], state.torque[a], EXACT * 1e4);
  }
}

/* Distances on the periodic axis count modulo the box. */
static void assert_same_place(const double *a, const double *b) {
  for (int k = 0; k < 3; k++) ASSERT_ABS(k ? a[k] - b[k] : remainder(a[k] - b[k], SIDE), 0.0, EXACT);
}

static void check_places(const world *w, const dem_contact *c, int32_t arms) {
  double x[3], end[3], foot[3], radius, other = 0;
  world_read_one(w, c->i, DEM_POSITION, x);
  world_read_one(w, c->i, DEM_RADIUS, &radius);
  for (int a = 0; a < 3; a++) end[a] = x[a] + c->branch[a];
  if (c->wall < 0) {
    double y[3];
    world_read_one(w, c->j, DEM_POSITION, y);
    world_read_one(w, c->j, DEM_RADIUS, &other);
    assert_same_place(end, y);
  }
  const double r = radius + other - c->overlap;
  ASSERT_ABS(-dot(c->branch, c->normal), r, EXACT);
  double arm = c->wall < 0 ? (r * r + radius * radius - other * other) / (2 * r) : r;
  if (arms == DEM_ARMS_RADIUS) arm = radius;
  if (arms == DEM_ARMS_MIXED) arm = c->wall < 0 ? radius - 0.5 * c->overlap : radius;
  for (int a = 0; a < 3; a++) foot[a] = x[a] - arm * c->normal[a];
  assert_same_place(foot, c->point);
}

static void check_vectors(const world *w, const dem_contact *c, int32_t arms, int32_t rolls) {
  double along = dot(c->force, c->normal), lever[3], turn[3], x[3], pull[3];
  ASSERT_ABS(dot(c->tangential_force, c->normal), 0.0, EXACT * 1e4);
  for (int a = 0; a < 3; a++) ASSERT_ABS(along * c->normal[a] + c->tangential_force[a], c->force[a], EXACT * 1e4);
  world_read_one(w, c->i, DEM_POSITION, x);
  for (int a = 0; a < 3; a++) lever[a] = c->point[a] - x[a];
  cross(lever, c->force, turn);
  double moment = 0;
  for (int a = 0; a < 3; a++) moment += fabs(c->torque[a] - turn[a]);
  if (rolls)
    assert_true(moment > 1e-3);
  else
    ASSERT_ABS(moment, 0.0, EXACT * 1e4);
  if (c->wall >= 0 || arms != DEM_ARMS_CONSERVING) return;
  cross(c->branch, c->force, pull);
  for (int a = 0; a < 3; a++) ASSERT_ABS(c->torque[a] + c->torque_on_j[a], pull[a], EXACT * 1e4);
}

static void rows_add_up(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    const int32_t arms = k % 3, rolls = k / 3;
    world w;
    dem_law *law;
    int64_t count, slide = 0;
    const int32_t floor = open_crowd(&w, arms, rolls, &law);
    dem_contact *c = read_contacts(&w, &count);
    check_particle_sums(&w, c, count);
    check_wall_sums(&w, c, count, floor);
    for (int64_t n = 0; n < count; n++) {
      const double limit = 0.5 * fabs(dot(c[n].force, c[n].normal)),
                   rubs = sqrt(dot(c[n].tangential_force, c[n].tangential_force));
      check_places(&w, &c[n], arms);
      check_vectors(&w, &c[n], arms, rolls);
      assert_ptr_equal(c[n].law, law);
      assert_int_equal(c[n].sliding, rubs >= limit * (1 - 1e-8));
      slide += c[n].sliding;
    }
    assert_true(slide > 0 && slide < count);
    free(c);
    dem_law_release(law);
    world_close(&w);
  }
}

/* ---- on a slope ---- */

/* Under a law of options, or, where there are none, of two parts. */
static dem_contact slide_down(const dem_law_options *l, const dem_law_piece *pieces, double slope) {
  world w;
  world_options o = world_defaults();
  dem_law *law = NULL;
  dem_contact c;
  o.system.gravity[0] = 10 * sin(slope);
  o.system.gravity[2] = -10 * cos(slope);
  o.material.poisson = 0.25;
  o.without_law = 1;
  world_open(&w, &o);
  if (l) assert_int_equal(scene_create_law(w.context, l, &law), DEM_OK);
  if (!l) assert_int_equal(dem_law_create_from_parts(w.context, 2, pieces, &law), DEM_OK);
  ASSERT_OK(w.system, dem_system_set_law(w.system, 0, 0, law));
  dem_law_release(law);
  const dem_wall floor = wall_plane(0, 0, 0, 0, 0, 1);
  world_add_wall(&w, &floor);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.4999}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  ASSERT_OK(w.system, dem_system_contacts(w.system, 1, &c, sizeof c));
  world_close(&w);
  return c;
}

static dem_contact on_slope(const dem_law_options *l, double slope) { return slide_down(l, NULL, slope); }
static dem_contact on_slope_of_parts(const dem_law_piece *pieces) { return slide_down(NULL, pieces, 0.5); }

static dem_law_options slope_law(double friction) {
  dem_law_options l;
  dem_law_options_init(&l, sizeof l);
  l.normal_stiffness = 1e5;
  l.damping = DEM_DAMPING_RATE;
  l.normal_damping = 100;
  l.tangential_damping = DEM_DAMPING_RATE;
  l.shear_damping = 100;
  l.friction = friction;
  return l;
}

static void slides_where_it_is_steep(void **state) {
  (void)state;
  const dem_law_options l = slope_law(0.3);
  for (double tangent = 0.5; tangent < 2; tangent += 0.25) {
    const double slope = atan(tangent);
    const dem_contact c = on_slope(&l, slope);
    const int steep = tangent > 3.5 * 0.3;
    const double height = 0.5 - c.overlap;
    const double rubs = steep ? 0.3 * 10 * cos(slope) : 10 * sin(slope) / (1 + 2.5 * height * height / 0.25);
    ASSERT_REL(c.force[2], 10 * cos(slope), 1e-6);
    ASSERT_REL(c.tangential_force[0], -rubs, 1e-6);
    ASSERT_REL(c.torque[1], height * rubs, 1e-6);
    assert_int_equal(c.sliding, steep);
    assert_true(c.wall >= 0 && c.j == 0);
  }
}

/* Laws whose friction is limited by more than |f_n|: adhesion counts back, and the push of the conserving Mindlin spring does not
 * count. A contact at rest or rolling holds, one on a slope too steep to roll slides: |f_t| = mu F with F = m g cos(slope) + A - push. */
static dem_law_options limited_law(int k) {
  dem_law_options l = slope_law(0.3);
  if (k == 0) l.cohesion_energy_density = 3000;
  if (k == 0) return l;
  l.normal = k == 1 ? DEM_NORMAL_DMT : k == 2 ? DEM_NORMAL_JKR : DEM_NORMAL_HERTZ;
  l.normal_stiffness = 0;
  if (k <= 2) l.surface_energy = k == 1 ? 0.5 : 0.3;
  if (k >= 3) l.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  if (k == 4) l.tangential_damping = DEM_DAMPING_NONE, l.shear_damping = 0;
  return l;
}

/* Adhesion at R* = 1/2: 2 pi k_c R* d, 4 pi gamma R*, 6 pi gamma R*. */
static double adhesion_of(const dem_law_options *l, double overlap) {
  if (l->normal == DEM_NORMAL_DMT) return 2 * PI * l->surface_energy;
  if (l->normal == DEM_NORMAL_JKR) return 3 * PI * l->surface_energy;
  return PI * l->cohesion_energy_density * overlap;
}

static void adhesive_and_coupled_contacts_slide(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++)
    for (int steep = 0; steep < 2; steep++) {
      const dem_law_options l = limited_law(k);
      const dem_contact c = on_slope(&l, atan(steep ? 3 : 0.5));
      const double rubs = sqrt(dot(c.tangential_force, c.tangential_force)), along = dot(c.force, c.normal);
      assert_int_equal(c.sliding, steep);
      if (!steep || k > 2) continue;
      ASSERT_REL(rubs, 0.3 * (along + adhesion_of(&l, c.overlap)), 1e-9);
      assert_true(adhesion_of(&l, c.overlap) > 0.1 * along); /* without which it would not be told apart */
    }
}

/* R* of a contact, from the radii of its particles. */
static double effective_radius(const world *w, const dem_contact *c) {
  double a, b;
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_RADIUS, 1, &c->i, &a, 0));
  if (c->wall >= 0) return a;
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_RADIUS, 1, &c->j, &b, 0));
  return a * b / (a + b);
}

/* Spheres of unequal sizes: what limits friction is |f_n + 4 pi gamma R*| with DMT, and with the undamped conserving spring the force of
 * Hertz, 4/3 Y* sqrt(R* d) d, whatever its push. */
static void crowds_slide_as_their_laws_say(void **state) {
  (void)state;
  for (int conserving = 0; conserving < 2; conserving++) {
    dem_law_options l;
    dem_law *law;
    world w;
    int64_t count, slide = 0;
    scene_hertz(&l);
    l.damping = l.tangential_damping = DEM_DAMPING_NONE;
    l.normal = conserving ? DEM_NORMAL_HERTZ : DEM_NORMAL_DMT;
    l.surface_energy = conserving ? 0 : 20;
    if (conserving) l.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
    open_crowd_under(&w, 0, &l, &law);
    dem_contact *c = read_contacts(&w, &count);
    for (int64_t n = 0; n < count; n++) {
      const double r = effective_radius(&w, &c[n]), young = 1e6 / (2 * (1 - 0.25 * 0.25)), d = c[n].overlap;
      const double hertz = 4. / 3 * young * sqrt(r * d) * d;
      const double limit = conserving ? hertz : fabs(dot(c[n].force, c[n].normal) + 4 * PI * 20 * r);
      const double rubs = sqrt(dot(c[n].tangential_force, c[n].tangential_force));
      assert_int_equal(c[n].sliding, rubs >= 0.5 * limit * (1 - 1e-8));
      assert_true(rubs <= 0.5 * limit * (1 + 1e-9));
      slide += c[n].sliding;
    }
    assert_true(slide > 0 && slide < count);
    free(c);
    dem_law_release(law);
    world_close(&w);
  }
}

/* Does not rub, which the host alone knows. */
static void rub_evaluate(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int32_t q = 0; q < b->count; q++)
    for (int a = 0; a < 3; a++) b->tangential_elastic[a][q] = 0;
}

static void press_evaluate(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int32_t q = 0; q < b->count; q++) b->normal_elastic[q] = 1e5 * b->overlap[q], b->normal_damping[q] = 0;
}

/* Without friction nothing slides; the limit of a part of the host's own is not known. */
static void unknown_sliding(void **state) {
  (void)state;
  const dem_law_options l = slope_law(0);
  assert_int_equal(on_slope(&l, 0.5).sliding, 0);
  dem_law_part part[2];
  dem_law_piece piece[2];
  for (int k = 0; k < 2; k++) {
    dem_law_part_init(&part[k], sizeof part[k]);
    dem_law_piece_init(&piece[k], sizeof piece[k]);
    part[k].name = k ? "rub" : "press";
    part[k].kind = k ? DEM_PART_TANGENTIAL : DEM_PART_NORMAL;
    part[k].evaluate = k ? rub_evaluate : press_evaluate;
    piece[k].part = &part[k];
  }
  assert_int_equal(on_slope_of_parts(piece).sliding, -1);
}

/* ---- elements of other sizes ---- */

typedef struct longer_contact {
  dem_contact row;
  double more[2];
} longer_contact;

static void longer_elements_end_in_zeros(void **state) {
  (void)state;
  world w;
  dem_law *law;
  int64_t count;
  open_crowd(&w, 0, 0, &law);
  dem_contact *c = read_contacts(&w, &count);
  longer_contact *l = malloc((size_t)count * sizeof *l);
  assert_non_null(l);
  memset(l, 0xAA, (size_t)count * sizeof *l);
  ASSERT_OK(w.system, dem_system_contacts(w.system, count, &l->row, sizeof *l));
  for (int64_t k = 0; k < count; k++) {
    ASSERT_BITS(&l[k].row, &c[k], sizeof *c);
    assert_true(l[k].more[0] == 0 && l[k].more[1] == 0);
  }
  static const uint32_t bad[] = {0, 8, sizeof(dem_contact) - 8, sizeof(dem_contact) + 4, 4104};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    memset(l, 0xAA, sizeof *l);
    ASSERT_STATUS(w.system, dem_system_contacts(w.system, count, &l->row, bad[k]), DEM_BAD_STRUCT);
    assert_non_null(strstr(dem_system_message(w.system), "struct_size"));
    for (size_t b = 0; b < sizeof *l; b++) assert_int_equal(((unsigned char *)l)[b], 0xAA);
  }
  free(l);
  free(c);
  dem_law_release(law);
  world_close(&w);
}

typedef struct longer_bond {
  dem_bond row;
  double more;
} longer_bond;

typedef struct longer_break {
  dem_bond_break row;
  double more;
} longer_break;

/* Three in a row, joined by elements that are longer than the library's. */
static void open_chain(world *w, longer_bond bonds[2]) {
  dem_bond_type t;
  dem_id ids[3];
  world_open(w, NULL);
  dem_bond_type_init(&t, sizeof t);
  t.model = DEM_BOND_HARMONIC;
  t.stiffness = 1;
  t.break_strain = 0.01;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &t, NULL));
  for (int k = 0; k < 3; k++) ids[k] = world_add_sphere(w, 0.5, (double[3]){k, 0, 0}, NULL, NULL);
  memset(bonds, 0, 2 * sizeof *bonds);
  for (int k = 0; k < 2; k++) {
    bonds[k].row.i = ids[k];
    bonds[k].row.j = ids[k + 1];
    bonds[k].row.rest_length = 0.9; /* breaks at once */
  }
}

static int64_t bond_count(const world *w) {
  int64_t n;
  ASSERT_OK(w->system, dem_system_bond_count(w->system, &n));
  return n;
}

static void bonds_of_another_size(void **state) {
  (void)state;
  world w;
  longer_bond in[2], out[2];
  dem_id ids[2] = {77, 77};
  open_chain(&w, in);
  in[1].more = 1;
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 2, &in->row, sizeof *in, ids), DEM_UNSUPPORTED);
  assert_non_null(strstr(dem_system_message(w.system), "bond 1"));
  in[1].more = 0;
  ASSERT_STATUS(w.system, dem_system_add_bonds(w.system, 2, &in->row, sizeof(dem_bond) - 8, ids), DEM_BAD_STRUCT);
  assert_true(bond_count(&w) == 0 && ids[0] == 77 && ids[1] == 77);
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 2, &in->row, sizeof *in, ids));
  memset(out, 0xAA, sizeof out);
  ASSERT_STATUS(w.system, dem_system_bonds(w.system, 2, &out->row, 8), DEM_BAD_STRUCT);
  ASSERT_OK(w.system, dem_system_bonds(w.system, 2, &out->row, sizeof *out));
  for (int k = 0; k < 2; k++) {
    assert_true(out[k].row.id == ids[k] && out[k].row.i == in[k].row.i && out[k].row.j == in[k].row.j);
    assert_true(out[k].row.rest_length == 0.9 && out[k].more == 0);
  }
  world_close(&w);
}

static void breaks_of_another_size(void **state) {
  (void)state;
  world w;
  longer_bond in[2];
  longer_break out[2];
  int64_t count = 77;
  open_chain(&w, in);
  ASSERT_OK(w.system, dem_system_add_bonds(w.system, 2, &in->row, sizeof *in, NULL));
  ASSERT_OK(w.system, dem_system_step(w.system, 2));
  assert_int_equal(bond_count(&w), 0);
  memset(out, 0xAA, sizeof out);
  ASSERT_STATUS(w.system, dem_system_take_bond_breaks(w.system, 2, &out->row, sizeof(dem_bond_break) - 8, &count),
                DEM_BAD_STRUCT);
  ASSERT_OK(w.system, dem_system_take_bond_breaks(w.system, 2, &out->row, sizeof *out, &count));
  assert_int_equal(count, 2); /* none was lost by the refusal */
  for (int k = 0; k < 2; k++) assert_true(out[k].row.reason == DEM_BREAK_STRAIN && out[k].more == 0);
  assert_true(out[0].row.i != out[1].row.i);
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_add_up),
      cmocka_unit_test(slides_where_it_is_steep),
      cmocka_unit_test(adhesive_and_coupled_contacts_slide),
      cmocka_unit_test(crowds_slide_as_their_laws_say),
      cmocka_unit_test(unknown_sliding),
      cmocka_unit_test(longer_elements_end_in_zeros),
      cmocka_unit_test(bonds_of_another_size),
      cmocka_unit_test(breaks_of_another_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
