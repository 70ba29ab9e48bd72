/* Particles and their images in a box that deforms while it steps: collisions across its faces, flows, momentum, threads. */
#include "assertions.h"

#include <stdlib.h>

#include "moving_box.h"

static const char *const schemes[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};

/* ---- a collision, once in open space and once across the faces of a sheared box ---- */

enum { BOX = 10 };

typedef struct ball {
  double x[3], v[3], spin[3];
} ball;

/* Two spheres that touch after the time `after`, off centre. */
static void aim(dice *d, double after, ball b[2]) {
  double n[3], length = 0;
  for (int a = 0; a < 3; a++) {
    n[a] = dice_uniform(d, -1, 1);
    length += n[a] * n[a];
  }
  for (int a = 0; a < 3; a++) {
    b[0].x[a] = dice_uniform(d, -15, 15);
    b[0].v[a] = dice_uniform(d, -3, 3);
    b[1].v[a] = b[0].v[a] - 2 * n[a] / sqrt(length) + dice_uniform(d, -0.4, 0.4);
    b[1].x[a] = b[0].x[a] + n[a] / sqrt(length) + (b[0].v[a] - b[1].v[a]) * after;
    for (int k = 0; k < 2; k++) b[k].spin[a] = dice_uniform(d, -5, 5);
  }
}

/* The shear that a component is: axes along and across. */
static const int ALONG[6] = {0, 1, 2, 0, 0, 1}, ACROSS[6] = {0, 1, 2, 1, 2, 2};

/* Position and velocity of the image that the particle was at the beginning. Positions along the shear are known but for whole box
 * lengths, which a flip takes off. */
static void read_unwrapped(const world *w, dem_id id, int component, double rate, double x[3], double v[3]) {
  int32_t image[3];
  double time;
  ASSERT_OK(w->system, dem_system_time(w->system, &time));
  world_read_one(w, id, DEM_POSITION, x), world_read_one(w, id, DEM_VELOCITY, v);
  ASSERT_OK(w->system, dem_system_get_field_int(w->system, DEM_IMAGE, 1, &id, image, 0));
  for (int a = 0; a < 3; a++) x[a] += BOX * image[a];
  x[ALONG[component]] += rate * time * BOX * image[ACROSS[component]];
  v[ALONG[component]] += rate * BOX * image[ACROSS[component]];
}

static void open_box(world *w, const char *integrator, int periodic) {
  world_options o = world_defaults();
  o.integrator = integrator;
  o.law.normal_stiffness = 1e3; /* soft: the force multiplies the rounding of positions of about 50 */
  o.law.tangential_stiffness = 300;
  o.law.normal_damping = 10, o.law.shear_damping = 5;
  for (int a = 0; a < 3; a++) {
    o.system.periodic[a] = periodic;
    o.system.box_high[a] = BOX;
  }
  world_open(w, &o);
}

/* The places of two spheres, up to 60 away, are rounded in n steps: sqrt(n) 7e-15 each. Stiffness times duration of the contact, 1e3 0.07,
 * makes errors of velocities of these; three times that is allowed. V is 30. */
static void compare(const world *open, const world *sheared, dem_id i, dem_id j, int component, double rate, double bound) {
  double x[3], v[3], spin[3], there[3], v_there[3], spin_there[3];
  read_unwrapped(sheared, j, component, rate, there, v_there);
  world_read_one(sheared, j, DEM_SPIN, spin_there);
  world_read_one(open, i, DEM_POSITION, x), world_read_one(open, i, DEM_VELOCITY, v), world_read_one(open, i, DEM_SPIN, spin);
  for (int a = 0; a < 3; a++) {
    const double apart = there[a] - x[a];
    ASSERT_ABS(a == ALONG[component] ? apart - BOX * round(apart / BOX) : apart, 0, 1e-12 + bound);
    ASSERT_ABS(v_there[a], v[a], bound);
    ASSERT_ABS(spin_there[a], spin[a], 5 * bound); /* arm over inertia, 0.5/0.1, times the error of the momentum */
  }
}

static void collide(int component, double rate, double after, const char *integrator, dice *d) {
  world open, sheared;
  double turn[6] = {0};
  ball b[2];
  dem_id i[2], j[2];
  turn[component] = rate;
  aim(d, after, b);
  open_box(&open, integrator, 0), open_box(&sheared, integrator, 1);
  moving_box_drive(&sheared, turn);
  for (int k = 0; k < 2; k++) {
    i[k] = world_add_sphere(&open, 0.5, b[k].x, b[k].v, b[k].spin);
    j[k] = world_add_sphere(&sheared, 0.5, b[k].x, b[k].v, b[k].spin);
  }
  const int64_t steps = (int64_t)((after + 0.1) / 1e-4);
  int64_t touched = 0;
  for (int64_t n = 0; n < steps; n += 20) {
    ASSERT_OK(open.system, dem_system_step(open.system, 20));
    ASSERT_OK(sheared.system, dem_system_step(sheared.system, 20));
    const int64_t here = world_contacts(&open);
    touched += here;
    assert_int_equal(here, world_contacts(&sheared));
    for (int k = 0; k < 2; k++) compare(&open, &sheared, i[k], j[k], component, rate, 3 * 2 * 70 * 7e-15 * sqrt((double)steps));
  }
  assert_true(touched > 2);
  world_assert_closed(&sheared, "a collision across a face");
  world_close(&open), world_close(&sheared);
}

static void a_collision_across_a_sheared_face_is_one_in_open_space(void **state) {
  (void)state;
  dice d = {11};
  for (int component = DEM_BOX_XY; component <= DEM_BOX_YZ; component++)
    for (int k = 0; k < 3; k++)
      for (int time = 0; time < 4; time++) {
        const double after[4] = {0.00237, 0.15037, 0.40037, 1.20037}; /* strains of up to 3.6, with flips */
        collide(component, time % 2 ? 3 : -3, after[time], schemes[k], &d);
      }
}

/* ---- flows ---- */

/* Spheres that do not touch and move with v = L x go on with v = L x, across faces and through flips. */
static void an_affine_flow_stays_affine(void **state) {
  (void)state;
  const double rate[6] = {0, 0, 0, 2, 0, 0};
  const double centre[3] = {3, 3, 3};
  for (int k = 0; k < 3; k++) {
    moving_box b = moving_box_defaults();
    world w;
    double x[375], v[375];
    b.spacing = 1.2, b.jitter = 0, b.speed = 0, b.dt = 1e-3, b.integrator = schemes[k];
    moving_box_open(&w, &b, NULL);
    moving_box_drive(&w, rate);
    moving_box_flow(&w, rate, centre);
    for (int n = 0; n < 50; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 40));
      assert_int_equal(world_contacts(&w), 0);
      world_read(&w, DEM_POSITION, x), world_read(&w, DEM_VELOCITY, v);
      for (int i = 0; i < 125; i++) {
        ASSERT_ABS(v[3 * i], 2 * (x[3 * i + 1] - 3), 1e-13 * 10);
        ASSERT_ABS(v[3 * i + 1], 0, 0);
        ASSERT_ABS(v[3 * i + 2], 0, 0);
      }
    }
    world_assert_closed(&w, "affine flow");
    /* a list lasts until the strain since its build brings pairs nearer by the skin: strain (1 + skin) = skin */
    const dem_statistics s = world_statistics(&w);
    const double strain_of_list = s.skin / (1 + s.skin);
    assert_true((double)s.rebuilds <= 4 / strain_of_list + 2);
    world_close(&w);
  }
}

/* A box that is sheared on and on is flipped with each search: it leans by half its length, and by the strain that a list lasts and that of
 * a step besides. */
static void a_box_leans_by_half_its_length(void **state) {
  (void)state;
  const double rate[6] = {0, 0, 0, 2, -1.5, 1}, centre[3] = {3, 3, 3};
  moving_box b = moving_box_defaults();
  world w;
  double most[3] = {0, 0, 0};
  b.spacing = 1.2, b.jitter = 0, b.speed = 0, b.dt = 1e-3;
  moving_box_open(&w, &b, NULL);
  moving_box_drive(&w, rate);
  moving_box_flow(&w, rate, centre);
  for (int n = 0; n < 1500; n++) {
    dem_box box = {.struct_size = sizeof box};
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_get_box(w.system, &box));
    for (int k = 0; k < 3; k++) most[k] = fmax(most[k], fabs(box.tilt[k]));
  }
  const double length = 5 * 1.2, skin = world_statistics(&w).skin, strain = skin / (1 + skin) + 2 * b.dt;
  for (int k = 0; k < 3; k++) {
    assert_true(most[k] > 0.49 * length);
    ASSERT_BELOW(most[k], length * (0.5 + 2 * strain));
  }
  world_close(&w);
}

/* sum m (v + V) stays, V = rate l_y n_y of the edges that were taken off. */
static void momentum_of_the_images_stays(void **state) {
  (void)state;
  const double rate[6] = {0, 0, 0, 3, 0, 0}, height = 5 * 0.98;
  moving_box b = moving_box_defaults();
  world w;
  double v[375], mass[125], first[3];
  int32_t image[375];
  moving_box_open(&w, &b, NULL);
  moving_box_drive(&w, rate);
  for (int n = 0; n <= 20; n++) {
    double p[3] = {0, 0, 0};
    world_read(&w, DEM_VELOCITY, v), world_read(&w, DEM_MASS, mass);
    ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 125, NULL, image, 0));
    for (int i = 0; i < 125; i++)
      for (int a = 0; a < 3; a++) p[a] += mass[i] * (v[3 * i + a] + (a == 0 ? rate[3] * height * image[3 * i + 1] : 0));
    for (int a = 0; a < 3; a++) ASSERT_ABS(p[a], n == 0 ? p[a] : first[a], 1e-9);
    if (n == 0) memcpy(first, p, sizeof first);
    ASSERT_OK(w.system, dem_system_step(w.system, 200));
  }
  assert_true(world_energy(&w).sliding[0] > 1);
  world_close(&w);
}

/* ---- threads ---- */

static void run_with(int32_t threads, double out[3][3000], dem_energy *e) {
  moving_box b = moving_box_defaults();
  dem_box_motion m;
  world w;
  b.side = 10, b.threads = threads, b.ledger = 2;
  moving_box_open(&w, &b, NULL);
  moving_box_bond(&w);
  dem_box_motion_init(&m, sizeof m);
  m.rate[DEM_BOX_XY] = 3;
  m.control[DEM_BOX_YY] = m.control[DEM_BOX_ZZ] = DEM_BOX_STRESS;
  m.stress[DEM_BOX_YY] = m.stress[DEM_BOX_ZZ] = 1000;
  m.gain = 1e-3, m.rate_limit = 1;
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
  ASSERT_OK(w.system, dem_system_step(w.system, 400));
  world_read(&w, DEM_POSITION, out[0]), world_read(&w, DEM_VELOCITY, out[1]), world_read(&w, DEM_SPIN, out[2]);
  *e = world_energy(&w);
  world_close(&w);
}

static void threads_change_no_bit(void **state) {
  (void)state;
  static double one[3][3000], more[3][3000];
  dem_energy e, f;
  run_with(1, one, &e);
  for (int32_t threads = 2; threads <= 5; threads += 3) {
    run_with(threads, more, &f);
    ASSERT_BITS(one, more, sizeof one);
    ASSERT_BITS(&e.box, &f.box, sizeof e.box);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_collision_across_a_sheared_face_is_one_in_open_space),
      cmocka_unit_test(an_affine_flow_stays_affine),
      cmocka_unit_test(a_box_leans_by_half_its_length),
      cmocka_unit_test(momentum_of_the_images_stays),
      cmocka_unit_test(threads_change_no_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
