/* Text read line by line from a byte source, split into words. Comments run from '#' to the end of the line; lines end in LF
 * or CR LF, the last one may have no end. */
#ifndef DEMI_LINES_H
#define DEMI_LINES_H

#include <dem/io.h>

enum {
  DEMI_LINE_LIMIT = 65536, /* bytes of a line */
  DEMI_LINE_WORDS = 16,    /* words of a line that are kept */
  DEMI_QUOTE_SIZE = 64     /* room for demi_lines_quote */
};

/* Followed by a NUL that is not counted; may hold NULs of the file itself. */
typedef struct demi_word {
  char *text;
  size_t length;
} demi_word;

typedef struct demi_lines {
  dem_context *context;
  dem_source source;
  const char *path; /* named in messages; may be NULL */
  char *buffer;     /* DEMI_LINE_LIMIT + 1 bytes */
  size_t begin;     /* first byte not yet given out */
  size_t end;       /* end of the bytes read */
  int exhausted;    /* the source has no more */
  int ended;        /* no line left: no words */
  int64_t number;   /* of the present line, from 1 */
  int32_t count;    /* words of the present line; only the first DEMI_LINE_WORDS are kept */
  demi_word words[DEMI_LINE_WORDS];
  demi_word hint; /* first word of the comment; length 0 when there is none */
} demi_lines;

/* `path` may be NULL; it must outlive the lines. */
dem_status demi_lines_open(demi_lines *lines, dem_context *context, const dem_source *source, const char *path);
void demi_lines_close(demi_lines *lines);

/* Goes to the next line, blank or not; sets `ended` after the last. */
dem_status demi_lines_next(demi_lines *lines);
/* Goes to the next line that has a word. */
dem_status demi_lines_next_filled(demi_lines *lines);

/* Words first ... first + count - 1 between quotes, shortened, with '?' for what cannot be printed; "the end of the file"
 * without quotes when there is no line. Returns `quote`. */
const char *demi_lines_quote(const demi_lines *lines, int32_t first, int32_t count, char quote[DEMI_QUOTE_SIZE]);

/* The same for one word, such as the hint. */
const char *demi_word_quote(const demi_word *word, char quote[DEMI_QUOTE_SIZE]);
int demi_word_is(const demi_word *word, const char *text);

/* "line N: found ..., expected ..." as message of the context; returns DEM_BAD_FORMAT. */
dem_status demi_lines_refuse(const demi_lines *lines, const char *found, const char *expected);
/* The same with one word, or all words of the line when `word` is -1, as found. */
dem_status demi_lines_refuse_word(const demi_lines *lines, int32_t word, const char *expected);

#endif
