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

/* Arrays of structs without a stamp: the caller gives the size of one element, which is the stride of its array. A size below
 * `v1_size`, above 4096 or not a multiple of 8 is refused: DEM_BAD_STRUCT. */
dem_status demi_row_size(uint32_t struct_size, size_t v1_size);
const char *demi_row_flaw(size_t v1_size, uint32_t struct_size, char text[DEMI_FLAW_TEXT]);
/* Writes element `index` of such an array from ours of `size` bytes, no further than its end; what we do not know becomes 0. */
void demi_row_give(void *rows, int64_t index, uint32_t struct_size, const void *ours, size_t size);
/* Reads element `index`. DEM_UNSUPPORTED when bytes that we do not know are not 0. */
dem_status demi_row_take(void *ours, size_t size, const void *rows, int64_t index, uint32_t struct_size);

/* Size of a struct up to and including a member: what v1_size is. */
#define DEMI_SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

#endif
