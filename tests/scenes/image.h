/* Every byte of the durable state of a system (lib/system/state.h) and of the forces, histories, lists and faces that belong to it:
 * not its messages, nor who is using it, nor the time spent. */
#ifndef TESTS_IMAGE_H
#define TESTS_IMAGE_H

#include <dem/dem.h>

typedef struct system_image {
  size_t count, room;
  unsigned char *bytes;
} system_image;

system_image image_take(const dem_system *system);
void image_free(system_image *m);
/* Fails with the first byte that differs. */
void image_assert_same(const system_image *before, const dem_system *system);
int image_differs(const system_image *before, const dem_system *system);

#endif
