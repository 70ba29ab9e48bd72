#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS = 40, NAMES = 1000 };

/* Length of the folder's part of a path, its '/' included; 0 when there is none. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

/* `name` in the folder of `path`, or `name` itself when it is absolute. */
static int beside(const char *path, const char *name, char out[PATH_MAX]) {
  const size_t folder = name[0] == '/' ? 0 : folder_length(path), length = strlen(name);
  if (folder + length >= PATH_MAX) return ENAMETOOLONG;
  memmove(out, path, folder);
  memcpy(out + folder, name, length + 1);
  return 0;
}

/* Follows one link of r->path; *more = 0 when it is none, or one that must not be followed. */
static int follow(demi_replacement *r, dev_t processes, int *more) {
  char link[PATH_MAX];
  struct stat about;
  *more = lstat(r->path, &about) == 0 && S_ISLNK(about.st_mode);
  if (!*more) return 0;
  r->descriptor = about.st_dev == processes;
  if (r->descriptor) return *more = 0;
  const ssize_t length = readlink(r->path, link, sizeof link - 1);
  if (length < 0) return errno;
  link[length] = '\0';
  return beside(r->path, link, r->path);
}

/* Links to descriptors lie in the file system of processes; what they seem to lead to is only a text. */
int demi_replace_resolve(demi_replacement *r, const char *path) {
  struct stat processes;
  int more = 1, error = 0;
  memset(r, 0, sizeof *r);
  if (lstat("/proc/self", &processes)) processes.st_dev = 0;
  error = beside("", path, r->path);
  for (int k = 0; k < LINKS && more && !error; k++) error = follow(r, processes.st_dev, &more);
  return error ? error : more ? ELOOP : 0;
}

/* A name that no file has: of a process that was killed one may be left. */
static int make(demi_replacement *r, mode_t permissions, int *descriptor) {
  char name[64];
  for (int k = 0; k < NAMES; k++) {
    snprintf(name, sizeof name, ".dem-%lld-%d.tmp", (long long)getpid(), k);
    const int error = beside(r->path, name, r->temporary);
    if (error) return error;
    do *descriptor = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, permissions);
    while (*descriptor < 0 && errno == EINTR);
    if (*descriptor >= 0) return 0;
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

/* The owner first: a change of it takes the set-user-id bits off. */
static int take_after(int descriptor, const struct stat *old, const char **during) {
  struct stat fresh;
  if (fstat(descriptor, &fresh)) return errno;
  *during = "keeping its owner and group: ";
  if ((fresh.st_uid != old->st_uid || fresh.st_gid != old->st_gid) && fchown(descriptor, old->st_uid, old->st_gid))
    return errno;
  *during = "keeping its permissions: ";
  if (fchmod(descriptor, old->st_mode & 07777)) return errno;
  *during = "";
  return 0;
}

int demi_replace_open(demi_replacement *r, const struct stat *old, int *descriptor, const char **during) {
  /* nobody may read the new file who could not read the old one, not for a moment */
  const mode_t all = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH, owner = S_IRUSR | S_IWUSR;
  int error = make(r, old ? owner : all, descriptor);
  if (error) {
    r->temporary[0] = '\0';
    *during = old ? "making a new file in its folder: " : "";
    return error;
  }
  if (old) error = take_after(*descriptor, old, during);
  if (error) {
    close(*descriptor);
    *descriptor = -1;
    demi_replace_discard(r);
  }
  return error;
}

/* The name is kept by the folder. Where folders cannot be read or flushed nothing more can be done. */
static int flush_folder(const char *path) {
  char folder[PATH_MAX];
  const size_t length = folder_length(path);
  memcpy(folder, path, length);
  memcpy(folder + length, length ? "" : ".", length ? 1 : 2);
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int error = fsync(descriptor) ? errno : 0;
  close(descriptor);
  return error == EINVAL || error == ENOTSUP || error == EROFS || error == EINTR ? 0 : error;
}

int demi_replace_commit(demi_replacement *r, const char **during) {
  *during = "giving the new file its name: ";
  int failed;
  do failed = rename(r->temporary, r->path);
  while (failed && errno == EINTR);
  if (failed) return errno;
  r->temporary[0] = '\0';
  *during = "the new file is in place, but flushing its folder failed: ";
  const int error = flush_folder(r->path);
  if (!error) *during = "";
  return error;
}

void demi_replace_discard(demi_replacement *r) {
  if (r->temporary[0]) unlink(r->temporary);
  r->temporary[0] = '\0';
}
