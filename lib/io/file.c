#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strerror_l where the C library hides it otherwise */
#endif
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST_TRANSFER = 1 << 30 };

static int note(demi_file *file, int error) {
  if (!file->error) file->error = error;
  return -1;
}

/* ---- opening ---- */

static int open_again(const char *path, int flags) {
  const mode_t permissions = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  int descriptor;
  do descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, permissions);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

static int cut(int descriptor, int64_t length) {
  int failed;
  do failed = ftruncate(descriptor, (off_t)length);
  while (failed && errno == EINTR);
  return failed ? errno : 0;
}

/* The old file is opened for writing, though another one takes its place: one that may not be written is refused. */
static int open_replace(demi_file *f, const char *path) {
  struct stat old;
  const int descriptor = open_again(path, O_WRONLY), missing = descriptor < 0;
  if (missing && errno != ENOENT) return errno;
  int error = demi_replace_resolve(&f->target, path);
  if (!error && !missing && fstat(descriptor, &old)) error = errno;
  if (!error && !missing && (!S_ISREG(old.st_mode) || f->target.descriptor)) {
    f->descriptor = descriptor;
    return S_ISREG(old.st_mode) ? cut(descriptor, 0) : 0;
  }
  if (!error) error = demi_replace_open(&f->target, missing ? NULL : &old, &f->descriptor, &f->during);
  if (!missing) close(descriptor);
  return error;
}

static int open_append(demi_file *f, const char *path) {
  struct stat old;
  f->descriptor = open_again(path, O_WRONLY | O_APPEND);
  f->made = f->descriptor < 0 && errno == ENOENT;
  if (f->made) f->descriptor = open_again(path, O_WRONLY | O_APPEND | O_CREAT);
  if (f->descriptor < 0 || fstat(f->descriptor, &old)) return errno;
  f->appends = S_ISREG(old.st_mode);
  f->start = old.st_size;
  return f->made ? demi_replace_resolve(&f->target, path) : 0;
}

static int open_read(demi_file *f, const char *path) {
  f->descriptor = open_again(path, O_RDONLY);
  return f->descriptor < 0 ? errno : 0;
}

dem_status demi_file_open(demi_file *file, const char *path, int mode) {
  memset(file, 0, sizeof *file);
  file->descriptor = -1;
  file->during = "";
  const int error = path[0] == '\0'             ? ENOENT
                    : mode == DEMI_FILE_READ    ? open_read(file, path)
                    : mode == DEMI_FILE_REPLACE ? open_replace(file, path)
                                                : open_append(file, path);
  if (!error) return DEM_OK;
  note(file, error);
  return demi_file_close(file, 0);
}

/* ---- closing ---- */

/* Some file systems cannot flush; an error of the device that shows here would come too late after the file has its name. */
static void flush(demi_file *f) {
  int failed;
  do failed = fsync(f->descriptor);
  while (failed && errno == EINTR);
  if (failed && errno != EINVAL && errno != ENOTSUP && errno != EROFS) note(f, errno);
}

/* Only what was appended here: somebody else may have written behind it. */
static void cut_back(demi_file *f) {
  struct stat now;
  if (fstat(f->descriptor, &now) || now.st_size != f->start + f->written) return;
  cut(f->descriptor, f->start);
  if (f->made && f->start == 0) unlink(f->target.path);
}

/* After an interrupted close the descriptor is gone and the data are with the system: not a failure. */
static void let_go(demi_file *f) {
  if (close(f->descriptor) != 0 && errno != EINTR) note(f, errno);
  f->descriptor = -1;
}

dem_status demi_file_close(demi_file *file, int keep) {
  const int replaces = file->target.temporary[0] != '\0';
  if (file->descriptor >= 0) {
    if (keep && !file->error && (replaces || file->appends)) flush(file);
    if (file->appends && (!keep || file->error)) cut_back(file);
    let_go(file);
  }
  if (replaces && keep && !file->error) {
    const int error = demi_replace_commit(&file->target, &file->during);
    if (error) note(file, error);
  }
  demi_replace_discard(&file->target);
  return file->error ? DEM_IO_ERROR : DEM_OK;
}

/* ---- bytes ---- */

static int64_t read_file(void *user, void *buffer, int64_t size) {
  demi_file *file = user;
  ssize_t got;
  do got = read(file->descriptor, buffer, (size_t)(size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER));
  while (got < 0 && errno == EINTR);
  return got < 0 ? note(file, errno) : got;
}

/* Takes off those of `both` that are pending now and were not before. A write that wrote a part can raise one, too. */
static void take_off(const sigset_t *both, const sigset_t *before) {
  static const struct timespec at_once;
  sigset_t raised = *both;
  if (sigismember(before, SIGPIPE)) sigdelset(&raised, SIGPIPE);
  if (sigismember(before, SIGXFSZ)) sigdelset(&raised, SIGXFSZ);
  while (sigtimedwait(&raised, NULL, &at_once) > 0 || errno == EINTR) continue;
}

/* write(2) without its signals. The mask is that of the calling thread, and as before when this returns. */
static ssize_t write_quietly(int descriptor, const void *bytes, size_t size) {
  sigset_t both, before, mask;
  sigemptyset(&both);
  sigaddset(&both, SIGPIPE);
  sigaddset(&both, SIGXFSZ);
  if (pthread_sigmask(SIG_BLOCK, &both, &mask)) return write(descriptor, bytes, size);
  sigpending(&before);
  const ssize_t done = write(descriptor, bytes, size);
  const int error = errno;
  take_off(&both, &before);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = error;
  return done;
}

/* A write may take only a part; the rest follows, or the error that cut it short shows. */
static int32_t write_file(void *user, const void *buffer, int64_t size) {
  demi_file *file = user;
  const char *bytes = buffer;
  while (size > 0) {
    const ssize_t done = write_quietly(file->descriptor, bytes, (size_t)(size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER));
    if (done < 0 && errno != EINTR) return note(file, errno);
    if (done > 0) bytes += done, size -= done, file->written += done;
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

/* ---- reasons ---- */

/* strerror speaks the host's language and may share its text between threads. The "C" locale of a C library exists already:
 * asking for it allocates nothing. */
static void in_words(int error, char *text, size_t size) {
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const char *words = plain ? strerror_l(error, plain) : "it failed";
  snprintf(text, size, "%s (error number %d)", words, error);
  if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') text[0] = (char)(text[0] - 'A' + 'a');
  if (plain) freelocale(plain);
}

const char *demi_file_reason(const demi_file *file, char text[DEMI_FILE_REASON]) {
  char words[96];
  switch (file->error) {
    case ENOENT: snprintf(words, sizeof words, "no such file or folder"); break;
    case EACCES: snprintf(words, sizeof words, "permission denied"); break;
    case ENOSPC: snprintf(words, sizeof words, "no space left on the device"); break;
    case EISDIR: snprintf(words, sizeof words, "it is a folder"); break;
    default: in_words(file->error, words, sizeof words); break;
  }
  snprintf(text, DEMI_FILE_REASON, "%s%s", file->during, words);
  return text;
}
