/* Six smooth walls in the planes of a box. Wall 2 a and 2 a + 1 face each other along axis a; these are also their ids.
 *
 * Servo: v = gain (target - force). With n contacts on a wall its stiffness is K = n k_n, and the servo settles while gain K dt/2 < 1. A
 * quarter of that is taken (doc/walls.md). */
#include <math.h>
#include <string.h>

#include "sample.h"

static dem_wall side_wall(int k, double half) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.axis[k / 2] = k % 2 ? -1 : 1;
  w.position[k / 2] = -half * w.axis[k / 2];
  w.material = 1;
  return w;
}

static double servo_gain(const sample *s) {
  const double contacts = s->options.side * s->options.side; /* of a wall; less in truth */
  return 0.25 / (0.5 * contacts * STIFFNESS * s->dt);
}

static void press_wall(sample *s, int k, double pressure) {
  dem_wall w = side_wall(k, 0);
  w.motion = DEM_WALL_SERVO;
  memcpy(w.direction, w.axis, sizeof w.direction);
  w.target = pressure;
  w.area_walls = 4;
  for (int n = 0; n < 4; n++) w.area_wall[n] = (2 * (k / 2 + 1 + n / 2) + n % 2) % 6;
  w.gain = servo_gain(s);
  w.velocity_limit = 0.005 * s->start_length;
  check(s, dem_system_set_wall_motion(s->system, k, &w));
}

static void move_wall(sample *s, int k, double speed) {
  dem_wall w = side_wall(k, 0);
  w.motion = DEM_WALL_PRESCRIBED;
  w.velocity[k / 2] = speed * w.axis[k / 2];
  check(s, dem_system_set_wall_motion(s->system, k, &w));
}

static void wall_states(const sample *s, dem_wall_state w[6]) {
  for (int k = 0; k < 6; k++) {
    dem_wall_state_init(&w[k], sizeof w[k]);
    check(s, dem_system_wall_state(s->system, k, &w[k]));
  }
}

static void walls_approach(sample *s, double rate) {
  for (int k = 0; k < 6; k++) {
    const dem_wall w = side_wall(k, 0.5 * s->start_length);
    check(s, dem_system_add_wall(s->system, &w, NULL));
  }
  for (int k = 0; k < 6; k++) move_wall(s, k, 0.5 * rate * s->start_length);
}

static void walls_press(sample *s) {
  for (int k = 0; k < 6; k++) press_wall(s, k, PRESSURE);
}

static void walls_lengths(const sample *s, double length[3]) {
  dem_wall_state w[6];
  wall_states(s, w);
  for (int a = 0; a < 3; a++) length[a] = w[2 * a + 1].position[a] - w[2 * a].position[a];
}

/* Both axial walls move inwards. The speed follows the length, so that the rate of the logarithmic strain is constant. A lateral wall that
 * goes out at v lacks v/gain of its force, which its target therefore has on top. */
static void walls_drive(sample *s, double rate) {
  double length[3];
  walls_lengths(s, length);
  for (int k = 0; k < 4; k++) {
    const double speed = 0.5 * s->lateral_rate * length[k / 2], area = length[1 - k / 2] * length[2];
    press_wall(s, k, PRESSURE - speed / (servo_gain(s) * area));
  }
  for (int k = 4; k < 6; k++) move_wall(s, k, 0.5 * rate * length[2]);
}

/* Mean of the forces on both walls over the area between the others. */
static void walls_pressures(const sample *s, double stress[3]) {
  dem_wall_state w[6];
  double length[3];
  wall_states(s, w);
  walls_lengths(s, length);
  for (int a = 0; a < 3; a++)
    stress[a] = 0.5 * (w[2 * a + 1].force[a] - w[2 * a].force[a]) / (length[(a + 1) % 3] * length[(a + 2) % 3]);
}

const cell wall_cell = {"walls", 0, walls_approach, walls_press, walls_drive, walls_lengths, walls_pressures};
