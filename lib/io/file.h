/* Byte source and sink over a file. The descriptor is used directly: no stream buffer outside the context's allocator, every
 * error seen at its call, and closed on exec.
 *
 * What is written replaces a file as a whole or not at all (replace.h), or goes behind what is there; then a failure cuts the
 * file back to the length it had. Devices, pipes and whatever else is no regular file are written in place.
 *
 * A write may raise SIGPIPE (nobody reads the pipe) or SIGXFSZ (larger than the host allows files to be), whose default is to
 * end the process. Both are blocked in the calling thread during the call of write(2) alone; one that this call raised is taken
 * off before the thread gets its mask back, and the failure shows as an error of the file. No handler is installed, and other
 * threads do not notice. */
#ifndef DEMI_FILE_H
#define DEMI_FILE_H

#include <dem/io.h>

#include "replace.h"

enum { DEMI_FILE_READ = 0, DEMI_FILE_REPLACE = 1, DEMI_FILE_APPEND = 2 };

enum { DEMI_FILE_REASON = 160 /* room for demi_file_reason */ };

typedef struct demi_file {
  int descriptor;          /* -1 when closed */
  int error;               /* errno of the first failure; 0 when all went well */
  const char *during;      /* what failed, where that is not the file itself; else "" */
  int appends;             /* to a regular file */
  int made;                /* by appending to a file that was not there */
  int64_t start, written;  /* length before, bytes so far; of a file that is appended to */
  demi_replacement target; /* of a file that is replaced or made */
} demi_file;

/* DEM_IO_ERROR, with file->error set, when the file cannot be opened. */
dem_status demi_file_open(demi_file *file, const char *path, int mode);
/* Closes. What was written stays only when `keep` is not 0 and nothing failed; else the file is as it was. DEM_IO_ERROR when
 * this or an earlier call on the file failed. */
dem_status demi_file_close(demi_file *file, int keep);

dem_source demi_file_source(demi_file *file);
dem_sink demi_file_sink(demi_file *file);

/* Why it failed, in English words in every locale. */
const char *demi_file_reason(const demi_file *file, char text[DEMI_FILE_REASON]);

#endif
