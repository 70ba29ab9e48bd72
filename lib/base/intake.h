/* Taking in and giving out structs that carry their size: smaller than v1 is refused, a missing tail means zero, an unknown
 * tail must be zero. */
#ifndef DEMI_INTAKE_H
#define DEMI_INTAKE_H

#include <dem/base.h>

/* Copies a caller's struct (first member uint32_t struct_size) into ours of `size` bytes.
 * DEM_BAD_STRUCT below `v1_size` or above 4096; DEM_UNSUPPORTED when an unknown tail is not zero. */
dem_status demi_intake(void *ours, size_t size, const void *theirs, size_t v1_size);

/* Why an intake refused, in words: the size, or the first byte of the unknown tail that is not 0. */
enum { DEMI_FLAW_TEXT = 192 };
const char *demi_intake_flaw(char text[DEMI_FLAW_TEXT], const void *theirs, size_t size, size_t v1_size);

/* Copies ours into the caller's struct, no further than the caller's struct_size, which stays as it is. */
dem_status demi_outgive(void *theirs, const void *ours, size_t size, size_t v1_size);

/* Fills the caller's `struct_size` bytes from `defaults` (ours), zero beyond, and stamps the size. */
dem_status demi_init(void *theirs, uint32_t struct_size, const void *defaults, size_t size, size_t v1_size);

/* Size of a struct up to and including a member: what v1_size is. */
#define DEMI_SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

#endif
