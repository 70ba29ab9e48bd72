/* Byte source and sink over a file. The descriptor is used directly: no stream buffer outside the context's allocator, every
 * error seen at its call, and closed on exec. */
#ifndef DEMI_FILE_H
#define DEMI_FILE_H

#include <dem/io.h>

enum { DEMI_FILE_READ = 0, DEMI_FILE_REPLACE = 1, DEMI_FILE_APPEND = 2 };

enum { DEMI_FILE_REASON = 48 /* room for demi_file_reason */ };

typedef struct demi_file {
  int descriptor; /* -1 when closed */
  int error;      /* errno of the first failure; 0 when all went well */
} demi_file;

/* DEM_IO_ERROR, with file->error set, when the file cannot be opened. */
dem_status demi_file_open(demi_file *file, const char *path, int mode);
/* DEM_IO_ERROR when this or an earlier call on the file failed. */
dem_status demi_file_close(demi_file *file);

dem_source demi_file_source(demi_file *file);
dem_sink demi_file_sink(demi_file *file);

/* Why it failed, in words or as a number. strerror shares a buffer between threads and speaks the host's language. */
const char *demi_file_reason(const demi_file *file, char text[DEMI_FILE_REASON]);

#endif
