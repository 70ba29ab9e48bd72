#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_TRANSFER = 1 << 30 };

static int open_flags(int mode) {
  if (mode == DEMI_FILE_READ) return O_RDONLY;
  return O_WRONLY | O_CREAT | (mode == DEMI_FILE_APPEND ? O_APPEND : O_TRUNC);
}

static int note(demi_file *file) {
  if (!file->error) file->error = errno;
  return -1;
}

dem_status demi_file_open(demi_file *file, const char *path, int mode) {
  const mode_t permissions = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  file->error = 0;
  do file->descriptor = open(path, open_flags(mode) | O_CLOEXEC | O_NOCTTY, permissions);
  while (file->descriptor < 0 && errno == EINTR);
  if (file->descriptor < 0) note(file);
  return file->error ? DEM_IO_ERROR : DEM_OK;
}

/* After an interrupted close the descriptor is gone and the data are with the system: not a failure. */
dem_status demi_file_close(demi_file *file) {
  if (file->descriptor >= 0 && close(file->descriptor) != 0 && errno != EINTR) note(file);
  file->descriptor = -1;
  return file->error ? DEM_IO_ERROR : DEM_OK;
}

static int64_t read_file(void *user, void *buffer, int64_t size) {
  demi_file *file = user;
  ssize_t got;
  do got = read(file->descriptor, buffer, (size_t)(size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER));
  while (got < 0 && errno == EINTR);
  return got < 0 ? note(file) : got;
}

/* A write may take only a part; the rest follows, or the error that cut it short shows. */
static int32_t write_file(void *user, const void *buffer, int64_t size) {
  demi_file *file = user;
  const char *bytes = buffer;
  while (size > 0) {
    const ssize_t done = write(file->descriptor, bytes, (size_t)(size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER));
    if (done < 0 && errno != EINTR) return note(file);
    if (done > 0) bytes += done, size -= done;
  }
  return 0;
}

dem_source demi_file_source(demi_file *file) {
  const dem_source source = {.struct_size = sizeof source, .user = file, .read = read_file};
  return source;
}

dem_sink demi_file_sink(demi_file *file) {
  const dem_sink sink = {.struct_size = sizeof sink, .user = file, .write = write_file};
  return sink;
}

const char *demi_file_reason(const demi_file *file, char text[DEMI_FILE_REASON]) {
  switch (file->error) {
    case ENOENT: return "no such file or folder";
    case EACCES: return "permission denied";
    case ENOSPC: return "no space left on the device";
    case EISDIR: return "it is a folder";
    default: snprintf(text, DEMI_FILE_REASON, "error number %d", file->error); return text;
  }
}
