/* Elastic work that is left when an impact without loss (Hertz, e = 1) has ended, for ever shorter steps: the numerical
 * dissipation of velocity-Verlet (order 2) and of Euler (order 1). In exact mechanics it is nothing.
 *
 * What is left depends on where the steps fall on the first touch, so the largest of several starts counts. Under
 * velocity-Verlet the error is one of order 2 during the contact, which the way out takes back; what stays is made at the first
 * and the last touch, where the force d^(3/2) is not smooth: (v dt)^(5/2) of energy, order 2.5. */
#include <math.h>
#include <stdlib.h>

#include "demo.h"

static const double RADIUS = 5e-3, DENSITY = 2500, SPEED = 0.2;
enum { STARTS = 16, DOUBLINGS = 6 };

typedef struct loss {
  double left, during; /* of the kinetic energy before */
} loss;

static void check(dem_context *context, dem_system *system, dem_status status) {
  if (!status) return;
  fprintf(stderr, "energy_order: %s\n", system ? dem_system_message(system) : dem_context_message(context));
  exit(1);
}

static dem_system *create(dem_context *context, const char *integrator, double dt) {
  dem_system *system = NULL;
  dem_law *law = NULL;
  dem_system_options o;
  dem_material material;
  dem_law_options hertz;
  dem_system_options_init(&o, sizeof o);
  demo_material(&material);
  dem_law_options_init(&hertz, sizeof hertz);
  o.dt = dt;
  o.ledger = 1;
  hertz.normal = DEM_NORMAL_HERTZ;
  hertz.tangential = DEM_TANGENTIAL_NONE;
  check(context, NULL, dem_system_create(context, &o, &system));
  check(context, system, dem_system_set_integrator_name(system, integrator));
  check(context, system, dem_system_add_material(system, &material, NULL));
  check(context, NULL, dem_law_create(context, &hertz, &law));
  check(context, system, dem_system_set_law(system, 0, 0, law));
  dem_law_release(law);
  return system;
}

static void add_spheres(dem_context *context, dem_system *system, double gap) {
  const double x = RADIUS + gap / 2, radius[2] = {RADIUS, RADIUS}, density[2] = {DENSITY, DENSITY};
  const double position[6] = {-x, 0, 0, x, 0, 0}, velocity[6] = {SPEED, 0, 0, -SPEED, 0, 0};
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = 2;
  p.position = position;
  p.velocity = velocity;
  p.radius = radius;
  p.density = density;
  check(context, system, dem_system_add_particles(system, &p, NULL));
}

static int32_t on_sample(void *user, int64_t step, double time, const dem_energy *e) {
  loss *l = user;
  (void)step;
  (void)time;
  l->left = fabs(e->numerical[0] / e->host); /* the host brought the kinetic energy */
  l->during = fmax(l->during, l->left);
  return 0;
}

/* One impact; the contact begins `phase` of a step after the first. */
static loss impact(dem_context *context, const char *integrator, double steps, double phase) {
  loss l = {0, 0};
  const double dt = demo_contact_time(RADIUS, DENSITY, 2 * SPEED) / steps;
  dem_system *system = create(context, integrator, dt);
  add_spheres(context, system, (1 + phase) * 2 * SPEED * dt);
  check(context, system, dem_system_set_energy_sampling(system, 1, on_sample, &l));
  check(context, system, dem_system_step(system, (int64_t)(1.2 * steps) + 4));
  dem_system_destroy(system);
  return l;
}

static loss worst(dem_context *context, const char *integrator, double steps) {
  loss most = {0, 0};
  for (int k = 0; k < STARTS; k++) {
    const loss l = impact(context, integrator, steps, (k + 0.5) / STARTS);
    most.left = fmax(most.left, l.left);
    most.during = fmax(most.during, l.during);
  }
  return most;
}

/* Observed orders: the slopes between the longest and the shortest step. */
static loss series(dem_context *context, const char *integrator, FILE *csv) {
  loss first = {0, 0}, last = {0, 0};
  for (int k = 0; k <= DOUBLINGS; k++) {
    const int steps = 50 << k;
    last = worst(context, integrator, steps);
    if (k == 0) first = last;
    fprintf(csv, "%s,%d,%.6e,%.6e\n", integrator, steps, last.left, last.during);
    printf("%-15s %5d steps: left %.2e, during the contact %.2e\n", integrator, steps, last.left, last.during);
  }
  return (loss){log2(first.left / last.left) / DOUBLINGS, log2(first.during / last.during) / DOUBLINGS};
}

int main(int count, char **arguments) {
  char path[1024];
  dem_context *context = NULL;
  snprintf(path, sizeof path, "%s/energy_order.csv", count == 2 ? arguments[1] : ".");
  FILE *csv = fopen(path, "w");
  if (!csv || dem_context_create(NULL, &context)) return fprintf(stderr, "energy_order: cannot write %s\n", path), 1;
  fprintf(csv, "integrator,steps_per_contact,left,during\n");
  const loss verlet = series(context, "velocity-verlet", csv), euler = series(context, "euler", csv);
  dem_context_destroy(context);
  const int right = fclose(csv) == 0 && verlet.left > 2.4 && fabs(verlet.during - 2) < 0.05 && fabs(euler.left - 1) < 0.05;
  printf("orders: velocity-Verlet %.2f (2.5), during the contact %.2f (2); Euler %.2f (1): %s\n", verlet.left, verlet.during,
         euler.left, right ? "ok" : "WRONG");
  return right ? 0 : 1;
}
