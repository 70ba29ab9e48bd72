/* The scene library: systems that tests, benchmarks and the allocation test share.
 *
 * A scene builds a system in any context and may act on it while it runs. Every function returns the first status that is
 * not DEM_OK and leaves nothing behind then, so that a scene may fail at any allocation. Lengths are in units of a typical
 * diameter of 1, densities 6/pi (a sphere of diameter 1 has mass 1). */
#ifndef TESTS_SCENES_H
#define TESTS_SCENES_H

#include <dem/dem.h>

/* What a caller may choose; zero means the scene's own choice. */
typedef struct scene_setup {
  const char *integrator;     /* NULL: the engine's default */
  const dem_law_options *law; /* used for every pair of materials */
  double dt;
  double skin;
  double drag;
  int64_t particles; /* about how many */
  int32_t threads;
  int32_t ledger;
  int32_t arms;
  int32_t transport;
  int32_t reversed; /* 1: particles inserted in reverse order */
} scene_setup;

typedef struct scene {
  const char *name;
  dem_status (*build)(dem_context *context, const scene_setup *setup, dem_system **system);
  /* Advances by `steps`, doing whatever the scene does meanwhile; NULL: plain stepping. */
  dem_status (*run)(dem_system *system, int64_t steps);
  int64_t steps; /* how long it takes until something has happened */
} scene;

extern const scene scenes[];
extern const int scene_count;

/* NULL when there is none of that name. */
const scene *scene_find(const char *name);
dem_status scene_build(const scene *s, dem_context *context, const scene_setup *setup, dem_system **system);
dem_status scene_run(const scene *s, dem_system *system, int64_t steps);

/* Rows of particles in growing arrays, for scenes and tests that place them one by one. */
typedef struct rows {
  int64_t count, capacity;
  double *position, *velocity, *spin, *radius, *density;
  int32_t *material, *frozen;
} rows;

/* Room for `capacity` rows; 0 on success. */
int rows_create(rows *r, int64_t capacity);
void rows_destroy(rows *r);
/* Adds a row of density 6/pi, material 0, at rest; returns its number. */
int64_t rows_put(rows *r, double x, double y, double z, double radius);
void rows_velocity(rows *r, int64_t row, double x, double y, double z);
void rows_spin(rows *r, int64_t row, double x, double y, double z);
void rows_reverse(rows *r);
dem_status rows_add(const rows *r, dem_system *system, dem_id *ids);

/* Random numbers that are the same everywhere. */
typedef struct dice {
  uint64_t state;
} dice;
/* Uniform in [low, high). */
double dice_uniform(dice *d, double low, double high);

/* Back to its default what no chosen part reads; setting that is refused. */
void scene_drop_unread(dem_law_options *o);
/* A law of the options that are read. */
dem_status scene_create_law(dem_context *context, const dem_law_options *options, dem_law **law);
/* A law created, set for a pair and released. */
dem_status scene_set_law(dem_context *context, dem_system *system, int32_t a, int32_t b, const dem_law_options *options);
/* A plane wall of material 0. */
dem_status scene_add_plane(dem_system *system, int32_t material, const double point[3], const double normal[3]);
/* The force of the particles on a wall. */
dem_status scene_wall_force(const dem_system *system, int32_t wall, double force[3]);
/* The scenes' standard law: Hooke of stiffness 1e5, linear history, friction 0.5, restitution about 0.7. */
void scene_hooke(dem_law_options *options);
/* The same without damping and without tangential forces: contacts that conserve energy. */
void scene_smooth_hooke(dem_law_options *options);
/* Hertz and Mindlin for materials with a Young's modulus, friction 0.5, restitution 0.7. */
void scene_hertz(dem_law_options *options);

/* Adds rolling and twisting parts of these kinds to either law, with dashpots. */
void scene_add_rolling(dem_law_options *options, int32_t rolling, int32_t twisting);
/* Adhesion together with friction, rolling and twisting; returns the name of law k = 0, 1 ..., or NULL past the end. */
const char *scene_joint(int k, dem_law_options *options);

/* The combinations of built-in law parts, without rolling and twisting. law_combination(i, ...) fills number i and returns 1, or
 * 0 past the end. */
int law_combination(int i, dem_law_options *options, char name[96]);
/* 0 for the combinations that the library refuses because they mean nothing. */
int law_has_meaning(const dem_law_options *options);

/* Forms that other codes have (doc/lammps.md): dashpots that go with the contact radius or with the normal one, constant springs
 * beside Hertz, moduli of their own, Mindlin's variants. Like law_combination; all of them mean something. */
int law_peer_form(int i, dem_law_options *options, char name[96]);

#endif
