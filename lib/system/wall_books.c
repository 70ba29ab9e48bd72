/* Forces on walls, and the work of what moves them.
 *
 * Contact classes are booked with velocities relative to the wall, so between evaluations they book not only the work on the
 * particles but also F.(v + v')/2 H + T.(w + w')/2 H on the wall, with F and T of the particles on it. For a free wall that is
 * the change of its kinetic energy, less gravity and host. For any other wall, whatever moves it has to make up for it: it
 * supplies the change of kinetic energy less that work. */
#include <string.h>

#include "state.h"

/* ---- forces ---- */

/* Force and torque about the centre of the wall that contact c exerts on it: -f, and -lever x f less its moment if it has one. */
static void add_contact(demi_wall_load *sum, const demi_loads *l, int64_t c, int moments) {
  const double *f = l->rows + 8 * c, *lever = l->lever + 4 * (c - l->wall_base);
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    demi_sum_add(&sum->component[a], -f[a]);
    demi_sum_add(&sum->component[3 + a], -(lever[b] * f[d] - lever[d] * f[b]));
    if (moments) demi_sum_add(&sum->component[3 + a], -l->moment[4 * (c - l->moment_base) + a]);
  }
}

void demi_walls_add_loads(const demi_loads *l, const demi_list *list, int32_t index, demi_wall_load *sum) {
  for (int32_t b = 0; b < list->motion.blocks; b++)
    for (int32_t k = DEMI_SECTION_WALL; k <= DEMI_SECTION_WALL_GAP; k += DEMI_SECTION_WALL_GAP - DEMI_SECTION_WALL)
      for (int64_t c = l->first[k][b]; c < l->first[k][b] + l->count[k][b]; c++) {
        const int32_t wall = list->faces->face[demi_face_of_partner(l->j[c])].wall;
        if (index < 0 || wall == index) add_contact(&sum[index < 0 ? wall : 0], l, c, l->rolls && k == DEMI_SECTION_WALL);
      }
}

static void get_load(const demi_wall_load *sum, double out[6]) {
  for (int a = 0; a < 6; a++) out[a] = demi_sum_get(&sum->component[a]);
}

void demi_wall_sum_load(const dem_system *s, int32_t index, double out[6]) {
  demi_wall_load sum;
  memset(&sum, 0, sizeof sum);
  if (s->contacts.valid) demi_walls_add_loads(&s->contacts.loads, &s->list, index, &sum);
  get_load(&sum, out);
}

/* From the first plane to the second, along the normal of the first; 0 when they have passed each other. */
static double between(const dem_system *s, const int32_t id[2]) {
  const demi_face *f[2];
  double sum = 0;
  for (int k = 0; k < 2; k++) f[k] = &s->faces.face[s->walls.wall[demi_wall_find(s, id[k])].first];
  for (int a = 0; a < 3; a++) sum += f[0]->frame[a] * (f[1]->point[a] - f[0]->point[a]);
  return sum > 0 ? sum : 0;
}

double demi_wall_area(const dem_system *s, const demi_wall *wall) {
  double area = wall->given.area > 0 ? wall->given.area : 1.0;
  for (int32_t k = 0; k < wall->given.area_walls; k += 2) area *= between(s, wall->given.area_wall + k);
  return area;
}

void demi_walls_measure(dem_system *s) {
  if (!s->faces.moving) return;
  memset(s->walls.load, 0, (size_t)s->walls.count * sizeof *s->walls.load);
  if (s->contacts.valid) demi_walls_add_loads(&s->contacts.loads, &s->list, -1, s->walls.load);
  for (int32_t k = 0; k < s->walls.count; k++) {
    demi_wall *wall = &s->walls.wall[k];
    const double *d = wall->given.direction;
    double load[6];
    get_load(&s->walls.load[k], load);
    memcpy(wall->force, load, sizeof wall->force);
    memcpy(wall->torque, load + 3, sizeof wall->torque);
    if (wall->given.motion != DEM_WALL_SERVO) continue;
    const double measured = -(wall->force[0] * d[0] + wall->force[1] * d[1] + wall->force[2] * d[2]);
    wall->area = demi_wall_area(s, wall);
    wall->servo_error = wall->given.target * wall->area - measured;
  }
}

/* ---- books ---- */

double demi_wall_kinetic(const demi_wall *wall) {
  const double *v = wall->velocity;
  return 0.5 * wall->given.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double demi_walls_kinetic(const dem_system *s) {
  demi_sum sum = {0, 0};
  for (int32_t k = 0; k < s->walls.count; k++) demi_sum_add(&sum, demi_wall_kinetic(&s->walls.wall[k]));
  return demi_sum_get(&sum);
}

static void supply(dem_system *s, demi_wall *wall, double energy) {
  demi_sum_add(&wall->work, energy);
  demi_ledger_add(&s->ledger, &s->ledger.walls, energy);
}

static void book_wall(dem_system *s, demi_wall *wall, double duration) {
  const double *v = wall->velocity, *v0 = wall->booked_velocity;
  double power = 0;
  for (int a = 0; a < 3; a++)
    power += wall->force[a] * (v0[a] + v[a]) + wall->torque[a] * (wall->booked_spin[a] + wall->spin[a]);
  supply(s, wall, -0.5 * duration * power);
  /* one after the other, so that old and new kinetic energies of successive intervals cancel exactly */
  supply(s, wall, demi_wall_kinetic(wall));
  supply(s, wall, -0.5 * wall->given.mass * (v0[0] * v0[0] + v0[1] * v0[1] + v0[2] * v0[2]));
}

void demi_walls_book(dem_system *s, double duration) {
  if (!s->faces.moving) return;
  for (int32_t k = 0; k < s->walls.count; k++) {
    demi_wall *wall = &s->walls.wall[k];
    if (wall->given.motion == DEM_WALL_PRESCRIBED || wall->given.motion == DEM_WALL_SERVO) book_wall(s, wall, duration);
    memcpy(wall->booked_velocity, wall->velocity, sizeof wall->velocity);
    memcpy(wall->booked_spin, wall->spin, sizeof wall->spin);
  }
}
