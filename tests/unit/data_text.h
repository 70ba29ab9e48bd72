/* The text of a LAMMPS data file with two atoms, for the tests of reading such files. Every test has a context of its own:
 *
 *   const struct CMUnitTest tests[] = {TEST(first_case), TEST(second_case)}; */
#ifndef TESTS_DATA_TEXT_H
#define TESTS_DATA_TEXT_H

#include "unit/test_io_bytes.h"

enum { DATA_TEXT_LINES = 17, DATA_TEXT_SIZE = 4096 };

/* The good file; a line of it is known by its number, from 1. The last byte is a whole word. */
extern const char *const data_text_lines[DATA_TEXT_LINES];

/* NULL before the first test. */
extern dem_context *data_text_context;
int data_text_open(void **state);
/* Refuses while anything born from the context is alive: every test also checks that nothing leaked. */
int data_text_close(void **state);
#define TEST(function) cmocka_unit_test_setup_teardown(function, data_text_open, data_text_close)

/* The good file with one line replaced, or dropped when `line` is NULL; number 0 changes nothing. */
void data_text_compose(char text[DATA_TEXT_SIZE], int number, const char *line, const char *line_end);

/* Of a source that gives at most `chunk` bytes at a time; 0: all that is asked for. *data is NULL after a refusal. */
dem_status data_text_read_bytes(const char *text, int64_t size, int64_t chunk, dem_data **data);
dem_status data_text_read(const char *text, dem_data **data);

/* The data are those of the good file, with its velocities or with none. */
void data_text_check(const dem_data *data, int velocities);
/* The text is read, and its data are those of the good file. */
void data_text_accept(const char *text, int64_t chunk, int velocities);

#endif
