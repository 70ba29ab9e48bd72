#include "pocket.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

static const double PI = 3.14159265358979323846;

double pocket_path(const pocket *p) { return p->radius * sqrt(2 * p->ratio + 1); }

double pocket_inertia(const pocket *p) {
  const double lever = pocket_path(p) / (p->ratio + 1);
  return 1 + 0.4 * (p->radius / lever) * (p->radius / lever);
}

double pocket_rate(const pocket *p) { return sqrt(p->gravity / (pocket_path(p) * pocket_inertia(p))); }

double pocket_critical(double friction) { return 1 / (sqrt(1 + friction * friction) - 1); }

/* ---- the rigid sphere ---- */

typedef struct motion {
  double angle, rate;
} motion;

/* sin(beta) of tan(beta) = P/R */
static double wedge(const pocket *p) { return pocket_path(p) / (p->radius * (p->ratio + 1)); }

static double radial(const pocket *p, motion m) { return p->gravity * cos(m.angle) - pocket_path(p) * m.rate * m.rate; }

static int slides(const pocket *p, motion m) {
  const double j = pocket_inertia(p);
  return p->gravity * sin(m.angle) * (j - 1) / j > p->friction * radial(p, m) / wedge(p);
}

static double acceleration(const pocket *p, motion m, int sliding) {
  if (!sliding) return p->gravity * sin(m.angle) / (pocket_path(p) * pocket_inertia(p));
  return (p->gravity * sin(m.angle) - p->friction * radial(p, m) / wedge(p)) / pocket_path(p);
}

/* Classical Runge-Kutta. */
static motion advance(const pocket *p, motion m, double h, int sliding) {
  motion k[4], at = m;
  for (int s = 0; s < 4; s++) {
    k[s] = (motion){at.rate, acceleration(p, at, sliding)};
    const double part = s < 2 ? h / 2 : h;
    at = (motion){m.angle + part * k[s].angle, m.rate + part * k[s].rate};
  }
  return (motion){m.angle + h / 6 * (k[0].angle + 2 * k[1].angle + 2 * k[2].angle + k[3].angle),
                  m.rate + h / 6 * (k[0].rate + 2 * k[1].rate + 2 * k[2].rate + k[3].rate)};
}

pocket_leave pocket_rigid(const pocket *p, double angle) {
  const double h = 1e-4 / pocket_rate(p);
  pocket_leave found = {0, 0, 0, 0};
  motion m = {angle, 0};
  double t = 0;
  for (; !slides(p, m) && radial(p, m) > 0; t += h) m = advance(p, m, h, 0);
  found.slide_angle = m.angle;
  found.slide_time = t;
  for (; radial(p, m) > 0; t += h) m = advance(p, m, h, 1);
  found.leave_angle = m.angle;
  found.leave_time = t;
  return found;
}

/* ---- many pockets ---- */

typedef struct field {
  dem_system *system;
  dem_id *ids;         /* 3 per pocket: the large ones and the fine one */
  double (*centre)[3]; /* where the large ones touch */
  char *done;
} field;

static dem_status create(dem_context *context, const pocket_map *map, double gravity, double dt, dem_system **system) {
  dem_system_options o;
  dem_law_options law;
  dem_system_options_init(&o, sizeof o);
  dem_law_options_init(&law, sizeof law);
  o.dt = dt;
  o.gravity[2] = -gravity;
  law.normal_stiffness = 1;
  law.tangential_stiffness = 0.82;
  law.damping = DEM_DAMPING_RESTITUTION;
  law.restitution = map->restitution;
  law.friction = map->friction;
  dem_status status = dem_system_create(context, &o, system);
  if (!status) status = dem_system_set_integrator_name(*system, map->integrator);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  return status ? status : scene_set_law(context, *system, 0, 0, &law);
}

static pocket pocket_at(const pocket_map *map, double gravity, int32_t k) {
  return (pocket){.ratio = map->ratio[k], .radius = map->ratio[k], .gravity = gravity, .friction = map->friction};
}

/* On the points of a cubic lattice, far enough from each other for any list. */
static dem_status place(const pocket_map *map, const field *f, double gravity) {
  double largest = 0;
  for (int32_t k = 0; k < map->count; k++) largest = fmax(largest, map->ratio[k] * map->ratio[k]);
  const int32_t side = (int32_t)ceil(cbrt(map->count));
  rows r;
  if (rows_create(&r, 3 * (int64_t)map->count)) return DEM_NO_MEMORY;
  for (int32_t k = 0; k < map->count; k++) {
    const pocket p = pocket_at(map, gravity, k);
    const double large = p.ratio * p.radius, path = pocket_path(&p), angle = PI / 18;
    const int32_t at[3] = {k % side, k / side % side, k / side / side};
    double *c = f->centre[k];
    for (int a = 0; a < 3; a++) c[a] = 5 * largest * at[a];
    for (int s = -1; s <= 1; s += 2) r.frozen[rows_put(&r, c[0] + s * large, c[1], c[2], large)] = 1;
    const int64_t fine = rows_put(&r, c[0], c[1] + path * sin(angle), c[2] + path * cos(angle), p.radius);
    r.density[fine] = 1 / (4.0 / 3 * PI * p.radius * p.radius * p.radius);
  }
  const dem_status status = rows_add(&r, f->system, f->ids);
  rows_destroy(&r);
  return status;
}

/* 0: still in the pocket; 1: below it; 2: gone. */
static dem_status look(const field *f, int32_t k, double ratio, int32_t *place, double *angle) {
  double x[3];
  const dem_status status = dem_system_get_field(f->system, DEM_POSITION, 1, f->ids + 3 * k + 2, x, 0);
  if (status) return status;
  const double dx = x[0] - f->centre[k][0], dy = x[1] - f->centre[k][1], dz = x[2] - f->centre[k][2];
  const double large = ratio * ratio, touch = large + ratio, away = 0.05 * ratio;
  const double left = sqrt((dx + large) * (dx + large) + dy * dy + dz * dz) - touch;
  const double right = sqrt((dx - large) * (dx - large) + dy * dy + dz * dz) - touch;
  *place = left > away && right > away ? 2 : dz < 0 && dy < 0;
  *angle = atan2(dy, dz);
  return DEM_OK;
}

/* Where it stands with pocket k; `left` counts those still open, which it leaves with its spheres once its fate is known. A rigid
 * pendulum from 10 degrees needs 3.8 times the inverse rate to get below, or a creeping one longer; the factor only guards
 * against an endless run. */
static dem_status judge(const pocket_map *map, const field *f, const pocket *p, int32_t k, double t, int32_t *left,
                        pocket_fate *fate) {
  int32_t place = 0;
  dem_status status = look(f, k, map->ratio[k], &place, &fate[k].angle);
  fate[k].time = t * pocket_rate(p);
  if (status || (!place && fate[k].time <= 20)) return status;
  fate[k].trapped = place < 2;
  f->done[k] = 1;
  --*left;
  return dem_system_remove_particles(f->system, 3, f->ids + 3 * k);
}

/* Steps until the fate of all is known. */
static dem_status run(const pocket_map *map, const field *f, double gravity, pocket_fate *fate) {
  int32_t left = map->count;
  dem_status status = DEM_OK;
  for (double t = 0; !status && left > 0;) {
    status = dem_system_step(f->system, 2000);
    if (!status) status = dem_system_time(f->system, &t);
    for (int32_t k = 0; k < map->count && !status; k++) {
      const pocket p = pocket_at(map, gravity, k);
      if (!f->done[k]) status = judge(map, f, &p, k, t, &left, fate);
    }
  }
  return status;
}

dem_status pocket_map_run(dem_context *context, const pocket_map *map, pocket_fate *fate) {
  /* m = 1, k_n = 1, r = rho */
  const double gravity = map->overlap * map->overlap / 2, dt = PI / map->steps;
  const size_t n = (size_t)map->count;
  field f = {NULL, calloc(n, 3 * sizeof *f.ids), calloc(n, sizeof *f.centre), calloc(n, sizeof *f.done)};
  dem_status status = f.ids && f.centre && f.done ? DEM_OK : DEM_NO_MEMORY;
  if (!status) status = create(context, map, gravity, dt, &f.system);
  if (!status) status = place(map, &f, gravity);
  if (!status) status = run(map, &f, gravity, fate);
  dem_system_destroy(f.system);
  free(f.ids);
  free(f.centre);
  free(f.done);
  return status;
}
