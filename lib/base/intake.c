#include "intake.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST_STRUCT = 4096 };

static uint32_t stamped_size(const void *theirs) {
  uint32_t size;
  memcpy(&size, theirs, sizeof size);
  return size;
}

dem_status demi_intake(void *ours, size_t size, const void *theirs, size_t v1_size) {
  const uint32_t their_size = stamped_size(theirs);
  if (their_size < v1_size || their_size > LARGEST_STRUCT) return DEM_BAD_STRUCT;
  for (size_t i = size; i < their_size; i++)
    if (((const unsigned char *)theirs)[i]) return DEM_UNSUPPORTED;
  memset(ours, 0, size);
  memcpy(ours, theirs, their_size < size ? their_size : size);
  const uint32_t our_size = (uint32_t)size;
  memcpy(ours, &our_size, sizeof our_size);
  return DEM_OK;
}

const char *demi_intake_flaw(char text[DEMI_FLAW_TEXT], const void *theirs, size_t size, size_t v1_size) {
  const uint32_t their_size = stamped_size(theirs);
  size_t at = size;
  while (at < their_size && their_size <= LARGEST_STRUCT && ((const unsigned char *)theirs)[at] == 0) at++;
  if (their_size < v1_size || their_size > LARGEST_STRUCT)
    snprintf(text, DEMI_FLAW_TEXT, "struct_size is %u, must be %zu to %d", their_size, v1_size, LARGEST_STRUCT);
  else
    snprintf(
        text, DEMI_FLAW_TEXT,
        "byte %zu of struct_size %u is not 0, this version knows the first %zu: a member of a newer one, or memory not cleared",
        at, their_size, size);
  return text;
}

dem_status demi_outgive(void *theirs, const void *ours, size_t size, size_t v1_size) {
  const uint32_t their_size = stamped_size(theirs);
  return demi_init(theirs, their_size, ours, size, v1_size);
}

dem_status demi_init(void *theirs, uint32_t struct_size, const void *defaults, size_t size, size_t v1_size) {
  if (struct_size < v1_size || struct_size > LARGEST_STRUCT) return DEM_BAD_STRUCT;
  memset(theirs, 0, struct_size);
  memcpy(theirs, defaults, struct_size < size ? struct_size : size);
  memcpy(theirs, &struct_size, sizeof struct_size);
  return DEM_OK;
}

dem_status demi_row_size(uint32_t struct_size, size_t v1_size) {
  return struct_size < v1_size || struct_size > LARGEST_STRUCT || struct_size % 8 ? DEM_BAD_STRUCT : DEM_OK;
}

const char *demi_row_flaw(size_t v1_size, uint32_t struct_size, char text[DEMI_FLAW_TEXT]) {
  snprintf(text, DEMI_FLAW_TEXT, "struct_size of an element is %u, must be %zu to %d and a multiple of 8", struct_size, v1_size,
           LARGEST_STRUCT);
  return text;
}

void demi_row_give(void *rows, int64_t index, uint32_t struct_size, const void *ours, size_t size) {
  unsigned char *row = (unsigned char *)rows + (size_t)index * struct_size;
  if (struct_size > size) memset(row + size, 0, struct_size - size);
  memcpy(row, ours, struct_size < size ? struct_size : size);
}

dem_status demi_row_take(void *ours, size_t size, const void *rows, int64_t index, uint32_t struct_size) {
  const unsigned char *row = (const unsigned char *)rows + (size_t)index * struct_size;
  for (size_t k = size; k < struct_size; k++)
    if (row[k]) return DEM_UNSUPPORTED;
  memset(ours, 0, size);
  memcpy(ours, row, struct_size < size ? struct_size : size);
  return DEM_OK;
}
