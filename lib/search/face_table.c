/* The arrays of the faces: they grow with the walls. */
#include <string.h>

#include "face.h"
#include "memory.h"

void demi_faces_free(demi_faces *faces, dem_context *context) {
  const size_t n = (size_t)faces->capacity;
  demi_free(context, faces->face, n * sizeof *faces->face);
  demi_free(context, faces->velocity, n * sizeof *faces->velocity);
  demi_free(context, faces->centre, n * sizeof *faces->centre);
  demi_free(context, faces->mobility, n * sizeof *faces->mobility);
  memset(faces, 0, sizeof *faces);
}

static void copy_faces(demi_faces *to, const demi_faces *from) {
  const size_t n = (size_t)from->count;
  to->count = from->count;
  to->moving = from->moving;
  if (n == 0) return;
  memcpy(to->face, from->face, n * sizeof *to->face);
  memcpy(to->velocity, from->velocity, n * sizeof *to->velocity);
  memcpy(to->centre, from->centre, n * sizeof *to->centre);
  memcpy(to->mobility, from->mobility, n * sizeof *to->mobility);
}

dem_status demi_faces_reserve(demi_faces *faces, dem_context *context, int32_t capacity) {
  if (capacity <= faces->capacity) return DEM_OK;
  const size_t n = (size_t)capacity + (size_t)capacity / 2;
  demi_faces fresh = {.capacity = (int32_t)n};
  fresh.face = demi_allocate_zero(context, n * sizeof *fresh.face);
  fresh.velocity = demi_allocate_zero(context, n * sizeof *fresh.velocity);
  fresh.centre = demi_allocate_zero(context, n * sizeof *fresh.centre);
  fresh.mobility = demi_allocate_zero(context, n * sizeof *fresh.mobility);
  if (!fresh.face || !fresh.velocity || !fresh.centre || !fresh.mobility) {
    demi_faces_free(&fresh, context);
    return DEM_NO_MEMORY;
  }
  copy_faces(&fresh, faces);
  demi_faces_free(faces, context);
  *faces = fresh;
  return DEM_OK;
}
