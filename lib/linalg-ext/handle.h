/* Inside of a dem_linalg: memory, messages, stamped structs. This library sees only the public headers of libdem. */
#ifndef DEMI_LA_HANDLE_H
#define DEMI_LA_HANDLE_H

#include <dem/linalg.h>

#if defined(__GNUC__)
#define DEMI_LA_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define DEMI_LA_PRINTF(f, a)
#endif

/* Size of a struct up to and with its member `last`: that of the first version. */
#define DEMI_LA_SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

struct demi_la_cholesky;

struct dem_linalg {
  dem_linalg_options options;
  struct demi_la_cholesky *cholesky; /* list of those that live */
  char text[512];                    /* latest refusal */
};

/* Zeroed memory of count * size bytes, aligned to 64, at least one byte; NULL when there is none or the size is too large. */
void *demi_la_allocate(dem_linalg *l, int64_t count, size_t size);
/* The same memory with another size; what is new is not cleared. NULL leaves the old one alone. */
void *demi_la_resize(dem_linalg *l, void *memory, int64_t count, size_t size);
void demi_la_free(dem_linalg *l, void *memory);

/* Writes the text and returns `status`. */
dem_status demi_la_refuse(dem_linalg *l, dem_status status, const char *format, ...) DEMI_LA_PRINTF(3, 4);
dem_status demi_la_no_memory(dem_linalg *l, const char *what);

/* Struct of a caller into ours and back, of whatever version: see dem/base.h. */
dem_status demi_la_take(void *ours, size_t size, const void *theirs, size_t v1_size);
dem_status demi_la_give(void *theirs, uint32_t struct_size, const void *ours, size_t size, size_t v1_size);

#endif
