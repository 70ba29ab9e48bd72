#include "lines.h"

#include <stdio.h>
#include <string.h>

#include "context.h"

enum { QUOTE_TEXT = 40 };

dem_status demi_lines_open(demi_lines *lines, dem_context *context, const dem_source *source, const char *path) {
  memset(lines, 0, sizeof *lines);
  lines->context = context;
  lines->source = *source;
  lines->path = path;
  lines->buffer = demi_allocate(context, DEMI_LINE_LIMIT + 1);
  if (!lines->buffer) return demi_refuse_context(context, DEM_NO_MEMORY, "no memory for the buffer of the reader");
  return DEM_OK;
}

void demi_lines_close(demi_lines *lines) {
  demi_free(lines->context, lines->buffer, DEMI_LINE_LIMIT + 1);
  lines->buffer = NULL;
}

/* Moves the unfinished line to the front and reads behind it. */
static dem_status fill(demi_lines *lines) {
  if (lines->begin > 0) memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
  lines->end -= lines->begin;
  lines->begin = 0;
  const int64_t room = DEMI_LINE_LIMIT - (int64_t)lines->end;
  const int64_t got = lines->source.read(lines->source.user, lines->buffer + lines->end, room);
  if (got < 0 || got > room)
    return demi_refuse_context(lines->context, DEM_IO_ERROR, "line %lld: the source could not be read (it returned %lld)",
                               (long long)lines->number, (long long)got);
  lines->exhausted = got == 0;
  lines->end += (size_t)got;
  return DEM_OK;
}

static dem_status refuse_length(const demi_lines *lines) {
  char found[DEMI_QUOTE_SIZE];
  snprintf(found, sizeof found, "a line of %d bytes or more", DEMI_LINE_LIMIT);
  return demi_lines_refuse(lines, found, "a shorter one");
}

/* Finds where the present line ends, reading on as needed. `next` is where the following one begins. */
static dem_status find_end(demi_lines *lines, size_t *end, size_t *next) {
  for (;;) {
    const char *newline = memchr(lines->buffer + lines->begin, '\n', lines->end - lines->begin);
    *end = newline ? (size_t)(newline - lines->buffer) : lines->end;
    *next = newline ? *end + 1 : *end;
    if (newline || lines->exhausted) return DEM_OK;
    if (lines->end - lines->begin == DEMI_LINE_LIMIT) return refuse_length(lines);
    const dem_status status = fill(lines);
    if (status) return status;
  }
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/* Cuts the next word out of [text, end); length 0 when there is none. The byte after it becomes NUL, and may be `end`. */
static demi_word cut_word(char *text, const char *end) {
  while (text < end && is_blank(*text)) text++;
  demi_word word = {text, 0};
  while (text + word.length < end && !is_blank(text[word.length])) word.length++;
  text[word.length] = '\0';
  return word;
}

static void split(demi_lines *lines, char *text, char *end) {
  char *mark = memchr(text, '#', (size_t)(end - text));
  char *stop = mark ? mark : end;
  lines->hint = cut_word(mark ? mark + 1 : end, end);
  lines->count = 0;
  while (text < stop) {
    const demi_word word = cut_word(text, stop);
    if (word.length == 0) break;
    if (lines->count < DEMI_LINE_WORDS) lines->words[lines->count] = word;
    lines->count++;
    text = word.text + word.length + 1;
  }
}

dem_status demi_lines_next(demi_lines *lines) {
  size_t end, next;
  lines->count = 0;
  lines->number++;
  const dem_status status = find_end(lines, &end, &next);
  if (status) return status;
  lines->ended = next == lines->begin;
  if (lines->ended && lines->number > 1) lines->number--;
  if (!lines->ended) split(lines, lines->buffer + lines->begin, lines->buffer + end);
  lines->begin = next;
  return DEM_OK;
}

dem_status demi_lines_next_filled(demi_lines *lines) {
  dem_status status;
  do status = demi_lines_next(lines);
  while (status == DEM_OK && !lines->ended && lines->count == 0);
  return status;
}

typedef struct quotation {
  char text[QUOTE_TEXT + 1];
  size_t length;
  int cut; /* something did not fit */
} quotation;

static void quote_word(quotation *q, const demi_word *word) {
  const size_t room = QUOTE_TEXT - q->length;
  const size_t length = word->length < room ? word->length : room;
  q->cut |= word->length > room;
  for (size_t i = 0; i < length; i++) q->text[q->length++] = word->text[i] >= ' ' && word->text[i] <= '~' ? word->text[i] : '?';
  q->text[q->length] = '\0';
}

static const char *quote_end(const quotation *q, char *quote) {
  snprintf(quote, DEMI_QUOTE_SIZE, "'%s%s'", q->text, q->cut ? "..." : "");
  return quote;
}

const char *demi_word_quote(const demi_word *word, char quote[DEMI_QUOTE_SIZE]) {
  quotation q = {.length = 0};
  quote_word(&q, word);
  return quote_end(&q, quote);
}

const char *demi_lines_quote(const demi_lines *lines, int32_t first, int32_t count, char quote[DEMI_QUOTE_SIZE]) {
  const demi_word blank = {(char[]){" "}, 1};
  quotation q = {.length = 0};
  if (lines->ended) return strcpy(quote, "the end of the file");
  for (int32_t i = first; i < first + count && i < lines->count && i < DEMI_LINE_WORDS; i++) {
    if (i > first) quote_word(&q, &blank);
    quote_word(&q, &lines->words[i]);
  }
  return quote_end(&q, quote);
}

int demi_word_is(const demi_word *word, const char *text) {
  return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

dem_status demi_lines_refuse(const demi_lines *lines, const char *found, const char *expected) {
  const long long number = (long long)lines->number;
  if (!lines->path)
    return demi_refuse_context(lines->context, DEM_BAD_FORMAT, "line %lld: found %s, expected %s", number, found, expected);
  return demi_refuse_context(lines->context, DEM_BAD_FORMAT, "line %lld: found %s, expected %s (file '%.200s')", number, found,
                             expected, lines->path);
}

dem_status demi_lines_refuse_word(const demi_lines *lines, int32_t word, const char *expected) {
  char quote[DEMI_QUOTE_SIZE];
  demi_lines_quote(lines, word < 0 ? 0 : word, word < 0 ? DEMI_LINE_WORDS : 1, quote);
  return demi_lines_refuse(lines, quote, expected);
}
