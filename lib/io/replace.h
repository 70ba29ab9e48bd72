/* Replacing a file as a whole: a temporary file beside it takes the bytes, is flushed to the device and then takes the name, so
 * that after any failure, also of power, there is the old file or the new one.
 *
 * Symbolic links stay links: the file they lead to is replaced. The new file has the permissions, owner and group of the old
 * one; a replacement that cannot keep the owner is refused. A further hard link goes on to name the old file. */
#ifndef DEMI_REPLACE_H
#define DEMI_REPLACE_H

#include <limits.h>
#include <sys/stat.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

typedef struct demi_replacement {
  char path[PATH_MAX];      /* of the file itself, behind all links */
  char temporary[PATH_MAX]; /* "" when there is none */
  int descriptor; /* 1: the path is a name of an open descriptor (/dev/stdout, /dev/fd/3), whose file must stay the one
                               that the host has open */
} demi_replacement;

/* All return 0 or errno. */

/* Follows the links of `path`. ELOOP, ENAMETOOLONG. The file need not exist. */
int demi_replace_resolve(demi_replacement *r, const char *path);
/* Makes the temporary file, with the permissions and the owner of `old`, which may be NULL. `during` says what failed. */
int demi_replace_open(demi_replacement *r, const struct stat *old, int *descriptor, const char **during);
/* Gives the temporary file, which has been closed, the name; then flushes the folder. */
int demi_replace_commit(demi_replacement *r, const char **during);
/* Removes the temporary file. */
void demi_replace_discard(demi_replacement *r);

#endif
