/* A healthy system for the tests of bad input, and a table of calls that it refuses. Each row of a table does one wrong thing, and
 * says which status must come back and which words the message must hold (item, value, limit). Nothing may change: everything
 * readable is hashed before and after, and the system steps on afterwards. */
#ifndef TESTS_BED_H
#define TESTS_BED_H

#include <dem/dem.h>

/* x periodic, 10 long; three spheres of radius 0.5 (the third frozen) over a floor; materials 0 (no Young's modulus), 1 (with)
 * and 2 (no law for it). */
typedef struct bed {
  dem_context *context;
  dem_system *system;
  dem_system *poor; /* output of a create under test; NULL after a refusal */
  dem_law *law;
  dem_id ids[3];
  int32_t wall;
  char log[2048]; /* warnings and errors, one after the other */
} bed;

void bed_open(bed *b);
void bed_close(bed *b);
/* The options that its system was made with. */
void bed_options(dem_system_options *o);

/* One wrong call. */
#define ACTION(name) static dem_status name(bed *b)

typedef struct bed_refusal {
  const char *name;
  dem_status (*act)(bed *b);
  dem_status expected;
  const char *words[4]; /* item, value, limit: all must be in the message */
} bed_refusal;

/* Each row on a bed of its own; tells of all rows that fail. At least 30 of them. */
void bed_check_refusals(const bed_refusal *table, int count);

/* All of the words are in the text. */
void bed_assert_words(const char *text, const char *const words[]);
#define ASSERT_WORDS(text, ...) bed_assert_words((text), (const char *const[]){__VA_ARGS__, NULL})

#endif
