/* Grains are poured into a box while it runs: a raft of new ones each time the last one has fallen clear. None is lost, and when
 * all lie still the floor and walls carry their weight. */
#define STIFFNESS 2000.0
#include "recipe.h"

enum { SIDE = 8, RAFT = SIDE * SIDE, RAFTS = 12, COUNT = RAFT * RAFTS };
#define EDGE (SIDE * 1.1 * DIAMETER)

int main(void) {
  recipe r;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  o.gravity[2] = -GRAVITY;
  o.ledger = 1;
  open_recipe(&r, &o, 0.4);

  dem_wall box; /* high enough that nothing meets its lid */
  int32_t id;
  dem_wall_init(&box, sizeof box);
  box.shape = DEM_WALL_BOX;
  box.size[0] = box.size[1] = EDGE + DIAMETER;
  box.size[2] = 100 * DIAMETER;
  box.position[2] = 0.5 * box.size[2];
  check(&r, dem_system_add_wall(r.system, &box, &id));

  /* In free fall a raft needs sqrt(2 h/g) to clear its own height h; grains that come to rest do not reach up to it. */
  const double clear = sqrt(2 * 1.5 * DIAMETER / GRAVITY);
  static dem_id ids[COUNT];
  for (int n = 0; n < RAFTS; n++) {
    double x[3 * RAFT];
    for (int k = 0; k < RAFT; k++) {
      x[3 * k] = (k % SIDE + 0.5) * 1.1 * DIAMETER - 0.5 * EDGE + uniform(-0.04, 0.04) * DIAMETER;
      x[3 * k + 1] = (k / SIDE + 0.5) * 1.1 * DIAMETER - 0.5 * EDGE + uniform(-0.04, 0.04) * DIAMETER;
      x[3 * k + 2] = (n + 4) * DIAMETER; /* rises with the heap */
    }
    add_beads(&r, RAFT, x, ids + RAFT * n); /* at any time between steps */
    check(&r, dem_system_step(r.system, (int64_t)(1.2 * clear / DT)));
  }
  check(&r, dem_system_step(r.system, (int64_t)(0.6 / DT))); /* they come to rest */

  static double mass[COUNT], v[3 * COUNT];
  int64_t count;
  double weight = 0, fastest = 0;
  check(&r, dem_system_particle_count(r.system, &count));
  check(&r, dem_system_get_field(r.system, DEM_MASS, COUNT, ids, mass, 0));
  check(&r, dem_system_get_field(r.system, DEM_VELOCITY, COUNT, ids, v, 0));
  for (int k = 0; k < COUNT; k++) weight += mass[k] * GRAVITY;
  for (int k = 0; k < 3 * COUNT; k++) fastest = fmax(fastest, fabs(v[k]));
  dem_wall_state box_state;
  dem_wall_state_init(&box_state, sizeof box_state);
  check(&r, dem_system_wall_state(r.system, id, &box_state));
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  check(&r, dem_system_energy(r.system, &e));
  printf("%lld grains of %.4f N, the fastest at %.2g m/s\n", (long long)count, weight, fastest);
  int bad = holds("grains", (double)count, COUNT, COUNT);
  bad |= holds("force on the box over the weight", -box_state.force[2] / weight, 0.99, 1.01);
  bad |= holds("residual of the energy books", e.residual_relative, 0, 1e-12);
  close_recipe(&r);
  return bad;
}
