/* Walls that make no sense, row by row: each row spoils one thing of a wall that would be taken, and says which status must come
 * back and which words (member, value, limit) the message must hold. The system must not have changed, and must step on. */
#ifndef TESTS_WALL_ROWS_H
#define TESTS_WALL_ROWS_H

#include <dem/dem.h>

#include "scenes/world.h"

/* The wall that a row starts from: one of the seven shapes at rest, or a plane that moves in one of four ways. */
typedef enum base { PLANE, BOX, CYLINDER, PLATE, DISC, CONE, REVOLVED, DRIVEN, SWINGING, FREE, SERVO } base;
/* The room that it is added to. */
typedef enum where { OPEN, PERIODIC_X, PERIODIC_XY, FLAT } where;

dem_wall base_of(base b);

/* A world with a particle that has met a plane which oscillates; periodic along x and y there is no plane. */
typedef struct room {
  world world;
  int32_t wall; /* the plane, or -1 */
} room;
void room_open(room *r, where place);
void room_close(room *r);

typedef void spoil_fn(dem_wall *w);
typedef struct row {
  const char *name;
  where place;
  base from;
  spoil_fn *spoil;
  dem_status expected;
  const char *words[4];
} row;

#define SPOIL(name, change) \
  static void name(dem_wall *w) { change; }

/* 1 when the message of the system has all the words (up to four, the rest NULL); else it is printed with `name`. */
int message_says(const dem_system *s, const char *const words[4], const char *name);
/* 1 when the wall of the row is refused as the row says: by dem_system_add_wall or, with by_motion, by dem_system_set_wall_motion. */
int row_is_refused(const row *r, int by_motion);
/* Fails the test unless all rows are refused when they are added. */
void assert_rows_are_refused(const row *table, int count);

#endif
