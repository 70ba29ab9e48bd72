/* Watching the flags of floating-point exceptions: see quiet.h. */
#include "assertions.h"

#include <stdio.h>

#include "fault/quiet.h"

#include "scenes/scenes.h"

enum { SHOWN = 20 };

char quiet_subject[300];
int quiet_raised;

static const char *const sets[] = {"auto", "plain", "avx2", "avx512"};
const char *const quiet_schemes[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};

void quiet_look(const char *call) {
  const int flags = fetestexcept(QUIET_FLAGS);
  if (!flags) return;
  feclearexcept(FE_ALL_EXCEPT);
  if (quiet_raised++ < SHOWN)
    print_error("%s quiet_raised%s%s%s: %s\n", call, flags & FE_INVALID ? " INVALID" : "",
                flags & FE_DIVBYZERO ? " DIVBYZERO" : "", flags & FE_OVERFLOW ? " OVERFLOW" : "", quiet_subject);
}

dem_status quiet_status(dem_status status, const char *call) {
  quiet_look(call);
  return status;
}

int quiet_clear(void **state) {
  (void)state;
  quiet_raised = 0;
  quiet_subject[0] = '\0';
  feclearexcept(FE_ALL_EXCEPT);
  return 0;
}

/* NULL where the CPU has no such instructions. */
dem_context *quiet_open_context(int32_t instructions) {
  dem_context_options options;
  dem_context *context = NULL;
  QUIET(dem_context_options_init(&options, sizeof options));
  options.instructions = instructions;
  const dem_status status = QUIET(dem_context_create(&options, &context));
  assert_true(status == DEM_OK || instructions != DEM_INSTRUCTIONS_PLAIN);
  return context;
}

void quiet_in_every_set(void (*body)(dem_context *context)) {
  for (int32_t set = DEM_INSTRUCTIONS_PLAIN; set <= DEM_INSTRUCTIONS_AVX512; set++) {
    dem_context *context = quiet_open_context(set);
    if (!context) {
      print_message("# no %s here\n", sets[set]);
      continue;
    }
    body(context);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  assert_int_equal(quiet_raised, 0);
}

static void add_wall(dem_system *s, dem_wall *w) { QUIET_OK(s, dem_system_add_wall(s, w, NULL)); }

dem_wall quiet_wall(int32_t shape) {
  dem_wall w;
  QUIET(dem_wall_init(&w, sizeof w));
  w.shape = shape;
  return w;
}

/* A box with an oscillating and turning floor, an obstacle of each kind, a free plate and one driven by a servo. */
static void add_walls(dem_system *s) {
  dem_wall w = quiet_wall(DEM_WALL_BOX);
  w.size[0] = w.size[1] = w.size[2] = 8;
  add_wall(s, &w);
  w = quiet_wall(DEM_WALL_BOX);
  w.side = DEM_WALL_OUTSIDE, w.position[0] = 3, w.size[0] = w.size[1] = w.size[2] = 1;
  add_wall(s, &w);
  w = quiet_wall(DEM_WALL_CYLINDER);
  w.side = DEM_WALL_OUTSIDE, w.axis[1] = 1, w.position[0] = -3, w.position[2] = -3, w.radius = 0.7, w.length = 3;
  w.motion = DEM_WALL_PRESCRIBED, w.spin[1] = 5;
  add_wall(s, &w);
  w = quiet_wall(DEM_WALL_CYLINDER);
  w.axis[2] = 1, w.radius = 3.9;
  add_wall(s, &w);
  w = quiet_wall(DEM_WALL_PLANE);
  w.axis[2] = 1, w.position[2] = -2.5, w.motion = DEM_WALL_PRESCRIBED, w.amplitude[2] = 0.1, w.frequency = 20,
  w.velocity[0] = 0.1;
  add_wall(s, &w);
  w = quiet_wall(DEM_WALL_PLANE);
  w.axis[2] = -1, w.position[2] = 2.5, w.motion = DEM_WALL_FREE, w.mass = 2, w.free_axis[2] = 1;
  add_wall(s, &w);
  w = quiet_wall(DEM_WALL_PLANE);
  w.axis[0] = 1, w.position[0] = -3.5, w.motion = DEM_WALL_SERVO, w.direction[0] = 1, w.target = 10, w.gain = 1e-3;
  w.velocity_limit = 1, w.travel_limit = 0.5;
  add_wall(s, &w);
}

/* Contacts of every kind: at random; at rest against each other, with nothing tangential; exactly touching; frozen against frozen
 * and against a wall that moves; without anything near. */
static void add_grains(dem_system *s) {
  rows r;
  dice d = {7};
  assert_int_equal(rows_create(&r, 128), 0);
  for (int k = 0; k < 60; k++) {
    const int64_t row =
        rows_put(&r, -1.4 + 0.9 * (k % 4), -1.4 + 0.9 * (k / 4 % 4), -2.1 + 0.9 * (k / 16), dice_uniform(&d, 0.3, 0.5));
    rows_velocity(&r, row, dice_uniform(&d, -3, 3), dice_uniform(&d, -3, 3), dice_uniform(&d, -3, 3));
    rows_spin(&r, row, dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9));
  }
  rows_put(&r, 2, 3, 0, 0.25), rows_put(&r, 2.49, 3, 0, 0.25), rows_put(&r, 2.99, 3, 0, 0.25);
  rows_put(&r, 2, -3, 0, 0.25), rows_put(&r, 2.5, -3, 0, 0.25);
  r.frozen[rows_put(&r, -2.2, 2.2, -2.3, 0.25)] = 1;
  r.frozen[rows_put(&r, -2.2, 2.6, -2.3, 0.25)] = 1;
  r.frozen[rows_put(&r, -2.2, -2.2, 2.3, 0.25)] = 1;
  rows_put(&r, -2.2, 2.4, -1.95, 0.25);
  rows_put(&r, 3, 0.7, 0.1, 0.21), rows_put(&r, 3, 0.6, 0.6, 0.15), rows_put(&r, 3.6, 0.6, 0.6, 0.18);
  QUIET_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
}

dem_system *quiet_system(dem_context *context, const quiet_setup *w) {
  dem_system_options o;
  dem_system *s = NULL;
  dem_material m;
  dem_law *law = NULL;
  QUIET(dem_system_options_init(&o, sizeof o));
  o.dt = 1e-4, o.gravity[2] = -9.81, o.threads = 1, o.drag = 0.1;
  o.ledger = w->ledger, o.arms = w->arms,
  o.transport = strcmp(quiet_schemes[w->scheme], "improved-velocity-verlet") ? w->transport : DEM_TRANSPORT_ROTATE;
  assert_int_equal(QUIET(dem_system_create(context, &o, &s)), DEM_OK);
  QUIET(dem_material_init(&m, sizeof m));
  m.young = 1e6, m.poisson = 0.3;
  QUIET_OK(s, dem_system_add_material(s, &m, NULL));
  if (QUIET(dem_law_create(context, w->law, &law))) fail_msg("%s: %s", quiet_subject, dem_context_message(context));
  QUIET_OK(s, dem_system_set_law(s, 0, 0, law));
  QUIET(DEM_OK);
  dem_law_release(law);
  QUIET_OK(s, dem_system_set_integrator_name(s, quiet_schemes[w->scheme]));
  add_walls(s);
  add_grains(s);
  return s;
}
