/* A periodic box. Its lengths follow a servo to the pressure; in the shear the axial one falls at a constant rate.
 *
 * Servo: L = gain (stress - target) is the rate of a length. It settles while gain (C + K dt) < 1, with K the modulus of the
 * sample and C its viscosity, the stress of the dashpots over the rate: about 0.12 z k_n/d and 0.12 z c/d with z contacts per sphere. */
#include <math.h>

#include "sample.h"

static const double GAIN = 0.05;

static dem_box_motion all_pressed(void) {
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  for (int a = 0; a < 3; a++) m.control[a] = DEM_BOX_STRESS, m.stress[a] = PRESSURE;
  m.gain = GAIN;
  m.rate_limit = 0.01;
  return m;
}

static void box_approach(sample *s, double rate) {
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  for (int a = 0; a < 3; a++) m.rate[a] = -rate;
  check(s, dem_system_set_box_motion(s->system, &m));
}

static void box_press(sample *s) {
  const dem_box_motion m = all_pressed();
  check(s, dem_system_set_box_motion(s->system, &m));
}

/* At the rate L the stress is short by L/gain, which the target therefore has on top. */
static void box_drive(sample *s, double rate) {
  dem_box_motion m = all_pressed();
  for (int a = 0; a < 2; a++) {
    m.rate[a] = s->lateral_rate;
    m.stress[a] = PRESSURE - s->lateral_rate / GAIN;
  }
  m.control[DEM_BOX_ZZ] = DEM_BOX_RATE;
  m.stress[DEM_BOX_ZZ] = 0;
  m.rate[DEM_BOX_ZZ] = -rate;
  check(s, dem_system_set_box_motion(s->system, &m));
}

static void box_lengths(const sample *s, double length[3]) {
  dem_box box;
  dem_box_init(&box, sizeof box);
  check(s, dem_system_get_box(s->system, &box));
  for (int a = 0; a < 3; a++) length[a] = box.high[a] - box.low[a];
}

static void box_pressures(const sample *s, double stress[3]) {
  double all[DEM_BOX_COMPONENTS];
  check(s, dem_system_get_box_stress(s->system, all));
  for (int a = 0; a < 3; a++) stress[a] = all[a];
}

const cell box_cell = {"box", 1, box_approach, box_press, box_drive, box_lengths, box_pressures};
