/* The scenes of `dem-bench books`. Units: diameter about 1, density 6/pi (a sphere of diameter 1 has mass 1). */
#ifndef BOOKS_H
#define BOOKS_H

#include <dem/dem.h>

/* Laws that a scene can run under. */
enum {
  BOOKS_HOOKE = 0,   /* with a linear tangential spring */
  BOOKS_HERTZ = 1,   /* with Mindlin in its conserving form */
  BOOKS_MINDLIN = 2, /* Hertz with Mindlin as usual, which has no potential */
  BOOKS_ROLLING = 3, /* Hooke with rolling and twisting springs */
  BOOKS_LAWS = 4
};

typedef struct books_setup {
  const char *integrator;
  int32_t law;
  int32_t attraction; /* see dem_law_options */
  int32_t threads;
} books_setup;

typedef struct books_scene {
  const char *name;
  dem_status (*build)(dem_context *context, const books_setup *setup, dem_system **system);
  int64_t steps, quick_steps;
  int32_t laws;   /* number of laws, from the first, that it is run under */
  int32_t damped; /* 1: normal dashpots, so that attraction matters */
  int32_t half;   /* 1: half of the combinations, for long runs */
  int32_t alone;  /* 1: runs only when named by --scene */
} books_scene;

extern const books_scene books_scenes[];
extern const int books_scene_count;

#endif
