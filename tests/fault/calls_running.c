/* Random calls on the system: views, steps, settings, laws; see calls.h. */
#include "assertions.h"

#include "fault/calls.h"

dem_status call_view(host *h) {
  static const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_HOST_FORCE, DEM_HOST_TORQUE};
  const int32_t field = fields[h->gentle + host_pick(h, 5 - h->gentle)];
  const dice from = h->dice;
  dem_status status = DEM_OK;
  for (int k = 0; k < h->count; k++) {
    dem_system *s = h->twin[k].system;
    dem_view view = {.struct_size = sizeof view};
    h->dice = from;
    if ((status = dem_view_acquire(s, field, DEM_WRITE, &view)) != DEM_OK) return status;
    dem_energy e;
    dem_energy_init(&e, sizeof e);
    if (view.count > 0) assert_int_equal(dem_system_energy(s, &e), DEM_BUSY);
    assert_int_equal(dem_system_remove_wall(s, h->wall[0]), DEM_BUSY);
    double v[3];
    int32_t frozen;
    for (int64_t n = 0; n < view.count; n++) { /* by id: rows differ in order */
      h->dice.state = from.state ^ view.ids[n] * 0x2545F4914F6CDD1Du;
      ASSERT_OK(s, dem_system_get_field_int(s, DEM_FROZEN, 1, view.ids + n, &frozen, 0));
      draw_field(h, field, v, 1);
      if (!frozen && host_pick(h, 2)) memcpy(view.data + n * view.stride, v, sizeof v);
    }
    h->dice = from;
    if ((status = dem_view_release(s, &view)) != DEM_OK) return status;
  }
  host_pick(h, 2);
  return status;
}

/* A callback may read and may not change. */
static int32_t sample(void *user, int64_t step, double time, const dem_energy *e) {
  host *h = user;
  (void)step;
  (void)time;
  h->samples++;
  if (e->largest > 0) host_check_books(h, e);
  return 0;
}

static int32_t progress(void *user, const dem_progress *p) {
  host *h = user;
  (void)p;
  return h->cancel;
}

/* The twins without books are measured, the others not. What measuring evaluates, the step that follows would evaluate. */
static void measure(host *h) {
  for (int k = 0; k < h->count; k++) {
    dem_statics_options o;
    dem_statics t;
    dem_statics_options_init(&o, sizeof o);
    dem_statics_init(&t, sizeof t);
    o.volume = 1;
    if (twin_kinds[k].ledger) continue;
    const dem_status status = dem_system_statics(h->twin[k].system, &o, &t);
    assert_true(status >= 0);
    if (!status) assert_true(t.particles == host_count(h) && isfinite(t.pressure) && t.coordination >= 0);
  }
}

dem_status call_step(host *h) {
  const int64_t steps = host_pick(h, 40), every = 1 + host_pick(h, 7), often = 1 + host_pick(h, 9);
  const int sampled = host_pick(h, 2), watched = host_pick(h, 3) == 0;
  h->cancel = host_pick(h, 3) == 0;
  for (int k = 0; k < h->count; k++) {
    dem_system *s = h->twin[k].system;
    ASSERT_OK(s, dem_system_set_energy_sampling(s, every, sampled ? sample : NULL, h));
    ASSERT_OK(s, dem_system_set_progress(s, often, watched ? progress : NULL, h));
  }
  if (steps > 0 && h->dice.state >> 40 & 1) measure(h); /* draws nothing: known sequences of calls stay what they are */
  EVERY(dem_system_step(system, steps))
  return status;
}

dem_status call_until(host *h) {
  double time;
  ASSERT_OK(host_first(h), dem_system_time(host_first(h), &time));
  time += host_uniform(h, 0, 0.01);
  h->cancel = 0;
  EVERY(dem_system_run_until(system, time))
  return status;
}

dem_status call_setting(host *h) {
  const double g[3] = {draw_component(h, 0, 10), draw_component(h, 1, 10), draw_component(h, 2, 10)},
               dt = host_uniform(h, 3e-4, 7e-4);
  static const char *const names[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  const char *name = names[host_pick(h, 3)];
  const int kind = host_pick(h, 4);
  EVERY(kind == 0   ? dem_system_set_dt(system, dt)
        : kind == 1 ? dem_system_set_gravity(system, g)
                    : dem_system_set_integrator_name(system, name))
  return status;
}

/* A motion of some components, which may need an axis that is open; or rest. */
dem_status call_box(host *h) {
  dem_box_motion m;
  assert_int_equal(dem_box_motion_init(&m, sizeof m), DEM_OK);
  const int rest = host_pick(h, 4) == 0;
  m.coupled = host_pick(h, 2);
  m.gain = 1e-4, m.rate_limit = 1;
  for (int k = 0; k < DEM_BOX_COMPONENTS; k++) {
    if (host_pick(h, 2)) continue;
    m.control[k] = host_pick(h, 4) == 0 ? DEM_BOX_STRESS : DEM_BOX_RATE;
    m.rate[k] = host_uniform(h, -2, 2);
    m.stress[k] = host_uniform(h, -10, 100);
  }
  EVERY(dem_system_set_box_motion(system, rest ? NULL : &m))
  return status;
}

dem_status call_law(host *h) {
  const int a = host_pick(h, MATERIALS), b = host_pick(h, MATERIALS), law = host_pick(h, LAWS);
  EVERY(dem_system_set_law(system, a, b, h->twin[k].law[law]))
  return status;
}
