/* A world: one context and one system for a test, and the calls that most tests make on it.
 *
 *   world w;
 *   world_options o = world_defaults();
 *   o.system.gravity[2] = -10;
 *   world_open(&w, &o);
 *   world_add_sphere(&w, 0.5, (double[3]){0, 0, 2}, NULL, NULL);
 *   ASSERT_OK(w.system, dem_system_step(w.system, 1000));
 *   world_assert_closed(&w, "a sphere falls");
 *   world_close(&w);
 *
 * Every function here fails the running test when the library refuses a call. All spheres have the density 6/pi: one of radius 1/2
 * has mass 1 and moment of inertia 1/10. A test keeps the ids that it needs. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include <dem/dem.h>

#include "scenes.h"

typedef struct world {
  dem_context *context;
  dem_system *system;
  int32_t warnings; /* how many the library has given since world_open or world_forget_warnings */
  char said[2048];  /* their texts, one per line, cut off at the end */
} world;

typedef struct world_options {
  dem_context_options context; /* the defaults of the library; without a `log` of its own it writes to the world */
  dem_system_options system;   /* dt = 1e-4, ledger = 1, all else the defaults of the library */
  const char *integrator;      /* NULL: the default of the library */
  int32_t materials;           /* number of materials, all of them equal to `material`: 1 */
  dem_material material;       /* young = 1e6, all else the defaults of the library */
  dem_law_options law;         /* the law of every pair of materials: scene_hooke */
  int32_t without_law;         /* 1: `law` is not used and no pair has a law yet; 0 */
} world_options;

/* The values given behind the members above. */
world_options world_defaults(void);
/* NULL: the defaults. The world must stay at its address while it is open: the library writes its warnings there. */
void world_open(world *w, const world_options *options);
/* The same for a scene of scenes.h; `setup` may be NULL. */
void world_open_scene(world *w, const char *name, const scene_setup *setup);
/* Only the context, for a test that makes the system itself; NULL: the defaults. Returns the status of the library, which refuses
 * instruction sets that this CPU lacks. */
dem_status world_open_context(world *w, const dem_context_options *options);
/* Destroys the system and the context; the context must find that all its memory has been given back. */
void world_close(world *w);
void world_forget_warnings(world *w);
void world_set_law(const world *w, int32_t a, int32_t b, const dem_law_options *law);

/* ---- particles and walls ---- */

/* A sphere of material 0 at x; v and spin NULL: at rest. */
dem_id world_add_sphere(const world *w, double radius, const double x[3], const double v[3], const double spin[3]);
/* A frozen sphere of material 0. */
dem_id world_add_frozen(const world *w, double radius, const double x[3]);
/* Adds the rows and destroys them; `ids` may be NULL. */
void world_add_rows(const world *w, rows *r, dem_id *ids);
/* n^3 spheres of radii from 0.3 to 0.45 about the origin, the centres within +-half; components of velocities and spins are random
 * within +-speed. */
void world_add_cloud(const world *w, int n, double half, double speed);
int32_t world_add_wall(const world *w, const dem_wall *wall);

/* ---- fields and readings ---- */

/* A field of all particles, in listing order. */
void world_read(const world *w, int32_t field, double *values);
void world_write(const world *w, int32_t field, const double *values);
/* A field of one particle. */
void world_read_one(const world *w, dem_id id, int32_t field, double *values);
void world_write_one(const world *w, dem_id id, int32_t field, const double *values);
dem_energy world_energy(const world *w);
dem_statistics world_statistics(const world *w);
dem_wall_state world_wall_state(const world *w, int32_t wall);
int64_t world_contacts(const world *w);

/* ---- energy books ---- */

/* Fails the test, with `what` in the message, unless the books close:
 *   the sum of every account of dem_energy is the residual that the library gives (so no account can be left out there),
 *   the elastic accounts are the stored energies, less those that the host brought, plus the numerical loss,
 *   |residual| <= bound times the largest account,
 *   and the heat of sliding is not negative.
 * The first two are sums of numbers that are rounded once each: they hold to 1e-13 of the largest account. Stored energies that the
 * host brought may be larger than any account: the second allows 1e-15 of their absolute values besides. */
void energy_assert_closed(const dem_energy *e, double bound, const char *what);
/* The same for the present books of a world, with the bound of the project, 1e-12: see test_ledger.c. Returns |residual| divided
 * by the largest account. */
double world_assert_closed(const world *w, const char *what);

#endif
