/* The laws of the scenes, and the list of every combination of built-in parts. */
#include <dem/dem.h>
#include <stdio.h>

#include "scenes.h"

void scene_drop_unread(dem_law_options *o) {
  static const int number[] = {0, 1, 1, 0, 0, 1, 1}; /* by DEM_DAMPING_... */
  dem_law_options plain;
  dem_law_options_init(&plain, sizeof plain);
  if (o->normal == DEM_NORMAL_NONE) o->damping = DEM_DAMPING_NONE;
  if (o->normal != DEM_NORMAL_HOOKE) o->normal_stiffness = 0;
  if (o->tangential == DEM_TANGENTIAL_NONE) o->tangential_damping = DEM_DAMPING_NONE, o->friction = plain.friction;
  if (o->tangential != DEM_TANGENTIAL_LINEAR) o->tangential_stiffness = 0;
  if (!number[o->damping]) o->normal_damping = 0;
  if (!number[o->tangential_damping]) o->shear_damping = 0;
  if ((o->damping != DEM_DAMPING_RESTITUTION && o->damping != DEM_DAMPING_RESTITUTION_EXACT) &&
      o->tangential_damping != DEM_DAMPING_RESTITUTION)
    o->restitution = 1;
  if ((o->tangential == DEM_TANGENTIAL_NONE || o->tangential == DEM_TANGENTIAL_VISCOUS ||
       o->tangential == DEM_TANGENTIAL_MINDLIN_CONSERVING) &&
      o->rolling != DEM_ROLLING_SPRING && o->twisting != DEM_TWISTING_SPRING)
    o->slider = DEM_SLIDER_SERIES;
  if (o->rolling != DEM_ROLLING_SPRING) o->rolling_stiffness = o->rolling_damping = 0;
  if (o->rolling == DEM_ROLLING_NONE) o->rolling_friction = plain.rolling_friction;
  if (o->twisting == DEM_TWISTING_SPRING) return;
  o->twisting_stiffness = o->twisting_damping = 0;
  o->twisting_friction = plain.twisting_friction;
}

dem_status scene_create_law(dem_context *context, const dem_law_options *options, dem_law **law) {
  dem_law_options read = *options;
  scene_drop_unread(&read);
  return dem_law_create(context, &read, law);
}

dem_status scene_set_law(dem_context *context, dem_system *system, int32_t a, int32_t b, const dem_law_options *options) {
  dem_law *law = NULL;
  dem_status status = scene_create_law(context, options, &law);
  if (!status) status = dem_system_set_law(system, a, b, law);
  dem_law_release(law);
  return status;
}

void scene_hooke(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal = DEM_NORMAL_HOOKE;
  o->tangential = DEM_TANGENTIAL_LINEAR;
  o->damping = DEM_DAMPING_RATE;
  o->tangential_damping = DEM_DAMPING_RATE;
  o->normal_stiffness = 1e5;
  o->tangential_stiffness = 2e5 / 7;
  o->normal_damping = 100; /* e about 0.7 for two spheres of mass 1 */
  o->shear_damping = 50;
  o->friction = 0.5;
}

void scene_smooth_hooke(dem_law_options *o) {
  scene_hooke(o);
  o->damping = o->tangential_damping = DEM_DAMPING_NONE;
  o->tangential = DEM_TANGENTIAL_NONE;
}

void scene_hertz(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal = DEM_NORMAL_HERTZ;
  o->tangential = DEM_TANGENTIAL_MINDLIN;
  o->damping = DEM_DAMPING_RESTITUTION;
  o->tangential_damping = DEM_DAMPING_RESTITUTION;
  o->restitution = 0.7;
  o->friction = 0.5;
}

void scene_add_rolling(dem_law_options *o, int32_t rolling, int32_t twisting) {
  o->rolling = rolling;
  o->rolling_stiffness = 1e4;
  o->rolling_damping = 20;
  o->rolling_friction = 0.15;
  o->twisting = twisting;
  o->twisting_stiffness = 1e4;
  o->twisting_damping = 15;
  o->twisting_friction = 0.1;
  scene_drop_unread(o);
}

const char *scene_joint(int k, dem_law_options *o) {
  static const char *const names[] = {"jkr, mindlin, rolling spring, marshall", "dmt, linear, constant torque",
                                      "sjkr hooke, linear, both springs", "jkr, linear, constant torque, twisting spring",
                                      "dmt, conserving, rolling spring, marshall"};
  if (k < 0 || k >= (int)(sizeof names / sizeof *names)) return NULL;
  (k == 2 ? scene_hooke : scene_hertz)(o);
  if (k == 2)
    o->cohesion_energy_density = 1e4;
  else
    o->normal = k % 3 == 0 ? DEM_NORMAL_JKR : DEM_NORMAL_DMT, o->surface_energy = 20;
  if (k == 1 || k == 3) o->tangential = DEM_TANGENTIAL_LINEAR;
  if (k == 4) o->tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  scene_add_rolling(o, k == 1 || k == 3 ? DEM_ROLLING_CONSTANT : DEM_ROLLING_SPRING,
                    k % 4 == 0 ? DEM_TWISTING_MARSHALL
                    : k == 1   ? DEM_TWISTING_NONE
                               : DEM_TWISTING_SPRING);
  return names[k];
}

enum { HOOKE = 0, HERTZ = 1, HOOKE_SJKR = 2, HERTZ_SJKR = 3, DMT = 4, JKR = 5, NORMALS = 6 };
static const char *const normals[] = {"hooke", "hertz", "hooke and sjkr", "hertz and sjkr", "dmt", "jkr"};
static const int32_t kinds[] = {DEM_NORMAL_HOOKE, DEM_NORMAL_HERTZ, DEM_NORMAL_HOOKE,
                                DEM_NORMAL_HERTZ, DEM_NORMAL_DMT,   DEM_NORMAL_JKR};
static const char *const tangentials[] = {"none", "viscous", "linear", "mindlin", "mindlin-conserving"};
static const char *const dampings[] = {"none", "coefficient", "rate", "restitution", "exact"};

static void fill(dem_law_options *o, int normal, int tangential, int damping, int shear, int attraction) {
  dem_law_options_init(o, sizeof *o);
  o->normal = kinds[normal];
  const int hooke = o->normal == DEM_NORMAL_HOOKE;
  o->tangential = tangential;
  o->damping = damping;
  o->tangential_damping = shear;
  o->attraction = attraction;
  o->normal_stiffness = hooke ? 1e5 : 0;
  /* With JKR either is allowed. */
  const int given = hooke || (normal == JKR && attraction);
  o->tangential_stiffness = tangential == DEM_TANGENTIAL_LINEAR && given ? 3e4 : 0;
  /* At R* = 1/4 and an overlap of 0.01 a good part of the repulsion of these stiffnesses, and of Y = 1e6. */
  o->surface_energy = normal >= DMT ? 20 : 0;
  o->cohesion_energy_density = normal == HOOKE_SJKR || normal == HERTZ_SJKR ? 1e4 : 0;
  /* A coefficient [mass/time] and a rate [1/time] that both damp noticeably at m* = 1/2. */
  o->normal_damping = damping == DEM_DAMPING_COEFFICIENT ? 40 : damping == DEM_DAMPING_RATE ? 90 : 0;
  o->shear_damping = shear == DEM_DAMPING_COEFFICIENT ? 25 : shear == DEM_DAMPING_RATE ? 60 : 0;
  o->restitution = 0.7;
  o->friction = 0.4;
  scene_drop_unread(o);
}

/* Hooke and Hertz with all pairs of dampings; adhesion, which no dashpot knows of, with each of them, not with all pairs. */
int law_combination(int i, dem_law_options *o, char name[96]) {
  const int crossed = i < 200 * HOOKE_SJKR, k = crossed ? i : i - 200 * HOOKE_SJKR;
  const int attraction = k % 2, damping = (crossed ? k / 8 : k / 2) % 5, tangential = (crossed ? k / 40 : k / 10) % 5;
  const int normal = crossed ? k / 200 : HOOKE_SJKR + k / 50;
  const int shear = crossed ? k / 2 % 4 : (damping + attraction + tangential) % 4;
  if (i < 0 || normal >= NORMALS) return 0;
  fill(o, normal, tangential, damping, shear, attraction);
  snprintf(name, 96, "%s/%s, damping %s/%s, attraction %d", normals[normal], tangentials[tangential], dampings[damping],
           dampings[shear], attraction);
  return 1;
}

int law_has_meaning(const dem_law_options *o) {
  /* Mindlin's stiffness is that of a Hertz contact; a viscous part without viscosity is none. */
  if (o->tangential >= DEM_TANGENTIAL_MINDLIN && o->normal == DEM_NORMAL_HOOKE) return 0;
  /* The push of the conserving form has no bound where JKR tears. */
  if (o->tangential == DEM_TANGENTIAL_MINDLIN_CONSERVING && o->normal == DEM_NORMAL_JKR) return 0;
  return o->tangential != DEM_TANGENTIAL_VISCOUS || o->tangential_damping != DEM_DAMPING_NONE;
}

static const struct {
  const char *name;
  int32_t tangential, modulus, constant;
} peer_springs[] = {
    {"viscous", DEM_TANGENTIAL_VISCOUS, 0, 0},
    {"linear", DEM_TANGENTIAL_LINEAR, 0, 0},
    {"linear of constant stiffness", DEM_TANGENTIAL_LINEAR, 0, 1},
    {"linear with a modulus", DEM_TANGENTIAL_LINEAR, 1, 0},
    {"mindlin with a modulus", DEM_TANGENTIAL_MINDLIN, 1, 0},
    {"mindlin conserving with a modulus", DEM_TANGENTIAL_MINDLIN_CONSERVING, 1, 0},
    {"mindlin force", DEM_TANGENTIAL_MINDLIN_FORCE, 0, 0},
    {"mindlin rescaled", DEM_TANGENTIAL_MINDLIN_RESCALED, 0, 0},
};

static int peer_means(const dem_law_options *o, int32_t modulus) {
  if (o->normal == DEM_NORMAL_HOOKE) return o->tangential < DEM_TANGENTIAL_MINDLIN && !modulus;
  return o->normal != DEM_NORMAL_JKR || o->tangential != DEM_TANGENTIAL_MINDLIN_CONSERVING;
}

/* Number i of normal parts x springs x normal dashpots x tangential ones; 0 when it means nothing. */
static int peer_form(int i, dem_law_options *o, char name[96]) {
  static const int32_t of[] = {HOOKE, HERTZ, DMT, JKR}, given[] = {1, 2, 3, 4, 5}, shear[] = {0, 3, 5, 6};
  const int normal = of[i / 160], spring = i / 20 % 8, damping = given[i / 4 % 5], t = shear[i % 4];
  dem_law_options_init(o, sizeof *o);
  o->normal = kinds[normal];
  o->tangential = peer_springs[spring].tangential;
  o->normal_stiffness = normal == HOOKE ? 1e5 : 0;
  o->tangential_stiffness = peer_springs[spring].constant ? 3e4 : 0;
  o->tangential_modulus = peer_springs[spring].modulus ? 1e6 : 0;
  o->surface_energy = normal >= DMT ? 20 : 0;
  o->damping = damping;
  o->tangential_damping = t;
  /* about the same c at m* = 1/2 and a = 0.05 */
  o->normal_damping = damping == DEM_DAMPING_COEFFICIENT    ? 40
                      : damping == DEM_DAMPING_RATE         ? 90
                      : damping == DEM_DAMPING_VISCOELASTIC ? 1500
                                                            : 0;
  o->shear_damping = t == DEM_DAMPING_VISCOELASTIC ? 900 : t == DEM_DAMPING_OF_NORMAL ? 0.6 : 0;
  o->restitution = 0.7;
  o->friction = 0.4;
  snprintf(name, 96, "%s/%s, damping %d/%d", normals[normal], peer_springs[spring].name, (int)damping, (int)t);
  return peer_means(o, peer_springs[spring].modulus) && (t || o->tangential != DEM_TANGENTIAL_VISCOUS);
}

int law_peer_form(int i, dem_law_options *o, char name[96]) {
  for (int k = 0, met = 0; k < 4 * 160; k++)
    if (peer_form(k, o, name) && met++ == i) return 1;
  return 0;
}
