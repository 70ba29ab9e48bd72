/* The built-in schemes call the services in their order with their durations, and a service that fails ends the step with its status:
 * no other is called after it. */
#include "assertions.h"

#include "schemes.h"
#include "stepper.h"

enum { KICK = 'k', DRIFT = 'd', EVALUATE = 'e', MOST = 8 };

static struct {
  int calls, fail_at; /* 1: the first call fails; 0: none */
  dem_status status;
  char kind[MOST];
  double duration[MOST];
} seen;

static dem_status note(char kind, double duration) {
  assert_true(seen.calls < MOST);
  seen.kind[seen.calls] = kind;
  seen.duration[seen.calls++] = duration;
  return seen.calls == seen.fail_at ? seen.status : DEM_OK;
}

static dem_status kick(dem_stepper *s, double duration) {
  assert_null(s->system);
  return note(KICK, duration);
}

static dem_status drift(dem_stepper *s, double duration) {
  assert_null(s->system);
  return note(DRIFT, duration);
}

static dem_status evaluate(dem_stepper *s, double history_time) {
  assert_null(s->system);
  return note(EVALUATE, history_time);
}

typedef struct scheme {
  dem_status (*step)(void *user, dem_stepper *stepper, double dt);
  const char *order;
  double part[MOST]; /* of dt */
} scheme;

static const scheme schemes[] = {{demi_velocity_verlet_step, "kdek", {0.5, 1, 1, 0.5}}, {demi_euler_step, "edk", {1, 1, 1}}};

static void services_are_called_in_order(void **state) {
  (void)state;
  const double dt = 0.37;
  for (int k = 0; k < 2; k++)
    for (int fail_at = 0; fail_at <= (int)strlen(schemes[k].order); fail_at++)
      for (int32_t status = 1; status <= DEM_STATUS_LAST; status++) {
        dem_stepper stepper = {kick, drift, evaluate, NULL};
        memset(&seen, 0, sizeof seen);
        seen.fail_at = fail_at;
        seen.status = (dem_status)status;
        assert_int_equal(schemes[k].step(NULL, &stepper, dt), fail_at ? status : DEM_OK);
        const int calls = fail_at ? fail_at : (int)strlen(schemes[k].order);
        assert_int_equal(seen.calls, calls);
        assert_memory_equal(seen.kind, schemes[k].order, (size_t)calls);
        for (int n = 0; n < calls; n++) assert_true(seen.duration[n] == schemes[k].part[n] * dt);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(services_are_called_in_order),
  };
  return cmocka_run_group_tests_name("schemes", tests, NULL, NULL);
}
