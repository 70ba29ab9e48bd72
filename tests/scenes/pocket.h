/* A fine sphere of radius r that rolls out of the pocket between two fixed touching spheres of radius R, over the line that
 * joins their centres (Vyas, Ottino, Lueptow, Umbanhowar, Comput. Phys. Commun. 310 (2025) 109524).
 *
 * The angle t is that from the top. With rho = R/r:
 *   path radius  P = sqrt((R+r)^2 - R^2) = r sqrt(2 rho + 1), lever a = r P/(R+r), J = 1 + 2/5 (r/a)^2
 *   rolling      t'' = g sin(t)/(P J)
 *   friction     total m g sin(t) (J-1)/J, normal forces in radial direction m g cos(t) - m P t'^2; each contact lies at beta,
 *                tan(beta) = P/R: N = radial/(2 sin(beta)), T = tangential/2; it slides when T > mu N
 *   sliding      P t'' = g sin(t) - mu (g cos(t) - P t'^2)/sin(beta), until nothing radial is left: it leaves
 *   locked       mu > tan(beta), which is rho > 1/(sqrt(1+mu^2) - 1): friction alone can hold the sphere in the wedge */
#ifndef TESTS_POCKET_H
#define TESTS_POCKET_H

#include <dem/dem.h>

typedef struct pocket {
  double ratio;    /* rho */
  double radius;   /* r */
  double gravity;  /* along -z */
  double friction; /* mu */
} pocket;

double pocket_path(const pocket *p);    /* P */
double pocket_inertia(const pocket *p); /* J */
double pocket_rate(const pocket *p);    /* sqrt(g/(P J)), the growth rate of a small angle */
double pocket_critical(double friction);

/* How a rigid sphere that starts at rest at `angle` leaves: rolling, then sliding. */
typedef struct pocket_leave {
  double slide_angle, slide_time, leave_angle, leave_time;
} pocket_leave;
pocket_leave pocket_rigid(const pocket *p, double angle);

/* Many pockets of one friction in one system, each with a mass, stiffness and time step that are the same for all:
 *   k_n so that a fall of R costs an overlap of `overlap` r: k_n = 2 m g R/(overlap r)^2, hence r ~ rho for a given m and g;
 *   k_t = 0.82 k_n (as LAMMPS's series), dt = contact time/`steps`. They start touching, at rest, at 10 degrees.
 * That first touch presses the sphere into the wedge with more than its weight, the more the less damped, and friction locks in
 * part of that: with e = 0.8, mu >= 0.9 and R/r >= 94 it is held below too, whatever the scheme, the stiffness and the time step;
 * with e <= 0.6 or k_t = k_n/2 nowhere. */
typedef struct pocket_map {
  const char *integrator;
  double friction, restitution;
  double overlap, steps;
  int32_t count;
  const double *ratio; /* `count` of them */
} pocket_map;

/* How a case ended. Trapped: the fine sphere passes below the two large ones without having left them, where gravity and inertia
 * pull it away most; or goes nowhere in five times the time of a rigid pendulum. */
typedef struct pocket_fate {
  int32_t trapped;
  double angle, time; /* from the top, when that was seen; times the growth rate of the angle */
} pocket_fate;

/* fate[k]: of the fine sphere of ratio[k]. The pockets do not know of each other. */
dem_status pocket_map_run(dem_context *context, const pocket_map *map, pocket_fate *fate);

#endif
