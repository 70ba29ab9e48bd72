/* A triaxial cell of six walls. First all press with the same pressure p, each on the area that the other four leave it; then the
 * axial pair is driven together while the others hold p. At failure the sine of the angle of friction of the bulk is
 * (s - p)/(s + p), with s the axial stress: 15 to 40 degrees for spheres of friction 0.5 between smooth walls. */
#include "recipe.h"

enum { SIDE = 9, COUNT = SIDE * SIDE * SIDE };
static const double pressure = 300; /* Pa: overlaps of p d/k, half a percent */

/* Wall 2 a and 2 a + 1 face each other along axis a. */
static dem_wall side_wall(int k, double half) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.axis[k / 2] = k % 2 ? -1 : 1;
  w.position[k / 2] = -half * w.axis[k / 2];
  return w;
}

static void press(recipe *r, int k) {
  dem_wall w = side_wall(k, 0);
  w.motion = DEM_WALL_SERVO;
  memcpy(w.direction, w.axis, sizeof w.direction);
  w.target = pressure;
  w.area_walls = 4;
  for (int n = 0; n < 4; n++) w.area_wall[n] = (2 * (k / 2 + 1 + n / 2) + n % 2) % 6; /* ids: added first, in this order */
  /* 80 contacts on a wall: C = 80 * 0.066 N s/m, K dt/2 = 80 * 500 * 1.5e-5 = 0.6 N s/m; half of 1/(C + K dt/2) */
  w.gain = 0.08;
  w.velocity_limit = 0.05; /* meets the grains with an overlap of v sqrt(m/k) = 2e-5 m */
  check(r, dem_system_set_wall_motion(r->system, k, &w));
}

/* Stress on each wall: force over the area of the face. */
static void stresses(recipe *r, double out[6]) {
  dem_wall_state s[6];
  for (int k = 0; k < 6; k++) {
    dem_wall_state_init(&s[k], sizeof s[k]);
    check(r, dem_system_wall_state(r->system, k, &s[k]));
  }
  for (int k = 0; k < 6; k++) {
    const int b = (k / 2 + 1) % 3, c = (k / 2 + 2) % 3;
    const double area = (s[2 * b + 1].position[b] - s[2 * b].position[b]) * (s[2 * c + 1].position[c] - s[2 * c].position[c]);
    out[k] = fabs(s[k].force[k / 2]) / area;
  }
}

int main(void) {
  recipe r;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  o.drag = 5; /* [1/s]: takes the kinetic energy of the filling out */
  open_recipe(&r, &o, 0.5);
  const double step = 1.1 * DIAMETER, half = 0.5 * SIDE * step;
  static double x[3 * COUNT];
  for (int n = 0; n < COUNT; n++) {
    const int at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
    for (int a = 0; a < 3; a++) x[3 * n + a] = (at[a] + 0.5) * step - half + uniform(-0.05, 0.05) * DIAMETER;
  }
  add_beads(&r, COUNT, x, NULL);
  for (int k = 0; k < 6; k++) {
    const dem_wall w = side_wall(k, half);
    check(&r, dem_system_add_wall(r.system, &w, NULL));
  }
  for (int k = 0; k < 6; k++) press(&r, k);
  check(&r, dem_system_step(r.system, 40000));
  int bad = 0;
  double stress[6], worst = 0;
  stresses(&r, stress);
  for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(stress[k] / pressure - 1));
  bad |= holds("isotropic: largest deviation from the pressure", worst, 0, 1e-2);

  for (int k = 4; k < 6; k++) {
    dem_wall w = side_wall(k, 0);
    w.motion = DEM_WALL_PRESCRIBED;
    w.velocity[2] = (k % 2 ? -1 : 1) * 0.0015; /* strain rate 0.08/s: inertial number rate d sqrt(rho/p) = 0.001 */
    check(&r, dem_system_set_wall_motion(r.system, k, &w));
  }
  double axial = 0, lateral = 0;
  for (int n = 0; n < 100; n++) {
    check(&r, dem_system_step(r.system, 300));
    stresses(&r, stress);
    if (n < 50) continue; /* strains from 4 % on */
    axial += 0.5 * (stress[4] + stress[5]) / 50;
    lateral += 0.25 * (stress[0] + stress[1] + stress[2] + stress[3]) / 50;
  }
  printf("axial stress %.0f Pa at %.0f Pa\n", axial, lateral);
  bad |= holds("driven: lateral stress over the pressure", lateral / pressure, 0.95, 1.05);
  bad |= holds("angle of friction of the bulk, degrees", asin((axial - lateral) / (axial + lateral)) * 180 / pi, 15, 40);
  close_recipe(&r);
  return bad;
}
