/* The packings of the case `relax`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relax.h"

static int reserve(packing *p, int64_t count) {
  double *position = realloc(p->position, ((size_t)count + 1) * 3 * sizeof(double));
  if (position) p->position = position;
  double *radius = realloc(p->radius, ((size_t)count + 1) * sizeof(double));
  if (radius) p->radius = radius;
  return !position || !radius;
}

void packing_close(packing *p) {
  free(p->position);
  free(p->radius);
}

double packing_least_radius(const packing *p) {
  double least = p->radius[0];
  for (int64_t i = 1; i < p->count; i++) least = fmin(least, p->radius[i]);
  return least;
}

/* "# periodic box L=...", a heading, then id,type,x,y,r. */
static int read_discs(packing *p, FILE *file) {
  char line[512];
  int64_t room = 0;
  if (!fgets(line, sizeof line, file) || !strstr(line, "L=")) return fail("CSV", "line 1 must give the box as L=LENGTH");
  p->length[0] = p->length[1] = strtod(strstr(line, "L=") + 2, NULL);
  if (!(p->length[0] > 0)) return fail("CSV", "line 1: L must be above 0");
  if (!fgets(line, sizeof line, file)) return fail("CSV", "line 2 must be the heading id,type,x,y,r");
  for (; fgets(line, sizeof line, file); p->count++) {
    if (p->count == room && reserve(p, room = 2 * room + 1024)) return fail("CSV", "out of memory");
    double *x = p->position + 3 * p->count;
    if (sscanf(line, "%*d,%*d,%lf,%lf,%lf", x, x + 1, p->radius + p->count) != 3)
      return fail("CSV", "a line is not id,type,x,y,r");
    x[2] = 0;
  }
  return p->count > 0 ? 0 : fail("CSV", "no discs");
}

/* Upper 53 bits of a multiplicative generator of 64 bits. */
static double next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

static int make(packing *p, const options *o) {
  const double pi = 3.14159265358979323846;
  const int dims = p->dimension;
  uint64_t state = (uint64_t)o->seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  double volume = 0;
  if (reserve(p, p->count = o->count)) return fail("--count", "out of memory");
  for (int k = 0; k < 16; k++) next_random(&state);
  for (int64_t i = 0; i < p->count; i++) {
    const double r = p->radius[i] = 0.5 + 0.5 * next_random(&state);
    volume += dims == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
  }
  const double length = dims == 2 ? sqrt(volume / o->phi) : cbrt(volume / o->phi);
  for (int a = 0; a < dims; a++) p->length[a] = length;
  for (int64_t i = 0; i < p->count; i++)
    for (int a = 0; a < 3; a++) p->position[3 * i + a] = a < dims ? length * next_random(&state) : 0;
  return 0;
}

int packing_open(packing *p, const options *o) {
  memset(p, 0, sizeof *p);
  p->dimension = o->make && strcmp(o->make, "spheres") == 0 ? 3 : 2;
  p->length[2] = 1;
  if (o->make) return make(p, o);
  FILE *file = fopen(o->data, "r");
  if (!file) return fail(o->data, "cannot be opened");
  const int failed = read_discs(p, file);
  fclose(file);
  return failed;
}
