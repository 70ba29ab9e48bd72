#include "wall_rows.h"

#include "assertions.h"

#include "scenes/snapshot.h"

/* ---- rooms and the walls that rows start from ---- */

dem_wall base_of(base b) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.axis[1] = 1;
  if (b == BOX) {
    w.shape = DEM_WALL_BOX;
    w.axis[1] = 0;
    for (int a = 0; a < 3; a++) w.size[a] = 100;
  }
  if (b == CYLINDER) {
    w.shape = DEM_WALL_CYLINDER;
    w.radius = 100;
  }
  if (b == PLATE) {
    w.shape = DEM_WALL_PLATE;
    w.axis[1] = 0;
    w.size[0] = w.size[2] = 100;
  }
  if (b == DISC || b == CONE) {
    w.shape = b == DISC ? DEM_WALL_DISC : DEM_WALL_CONE;
    w.radius = 100;
    w.length = b == CONE ? 50 : 0;
    w.position[1] = -60;
  }
  if (b == REVOLVED) {
    const double profile[6] = {50, -90, 100, -60, 100, -30};
    w.shape = DEM_WALL_REVOLVED;
    w.profile_points = 3;
    memcpy(w.profile, profile, sizeof profile);
  }
  if (b == DRIVEN || b == SWINGING) w.motion = DEM_WALL_PRESCRIBED;
  if (b == SWINGING) w.amplitude[1] = w.frequency = 1;
  if (b == FREE) {
    w.motion = DEM_WALL_FREE;
    w.free_axis[1] = 1;
    w.mass = 1;
  }
  if (b == SERVO) {
    w.motion = DEM_WALL_SERVO;
    w.direction[1] = w.target = w.gain = w.velocity_limit = 1;
  }
  return w;
}

void room_open(room *r, where place) {
  world_options o = world_defaults();
  o.system.dimension = place == FLAT ? 2 : 3;
  o.system.periodic[0] = place == PERIODIC_X || place == PERIODIC_XY;
  o.system.periodic[1] = place == PERIODIC_XY;
  for (int a = 0; a < 3; a++) o.system.box_high[a] = 10;
  world_open(&r->world, &o);
  world_add_sphere(&r->world, 0.5, (double[3]){5, 0.501, 0}, (double[3]){1, -1, 0}, NULL);
  const dem_wall wall = base_of(SWINGING);
  r->wall = place == PERIODIC_XY ? -1 : world_add_wall(&r->world, &wall);
  ASSERT_OK(r->world.system, dem_system_step(r->world.system, 20));
}

void room_close(room *r) { world_close(&r->world); }

/* ---- rows ---- */

int message_says(const dem_system *s, const char *const words[4], const char *name) {
  int all = 1;
  for (int k = 0; k < 4 && words[k]; k++) all = all && strstr(dem_system_message(s), words[k]);
  if (!all) print_message("# %s: member, value or limit is missing in: %s\n", name, dem_system_message(s));
  return all;
}

int row_is_refused(const row *r, int by_motion) {
  room home;
  room_open(&home, r->place);
  dem_wall wall = base_of(r->from);
  int32_t id = -7;
  r->spoil(&wall);
  const uint64_t before = system_hash(home.world.system);
  dem_wall_state was = {0}, is = {0};
  if (home.wall >= 0) was = world_wall_state(&home.world, home.wall);
  const dem_status status = by_motion ? dem_system_set_wall_motion(home.world.system, home.wall, &wall)
                                      : dem_system_add_wall(home.world.system, &wall, &id);
  int good = status == r->expected && message_says(home.world.system, r->words, r->name);
  if (status != r->expected) print_message("# %s: %s\n", r->name, dem_status_name(status));
  if (home.wall >= 0) is = world_wall_state(&home.world, home.wall);
  if (id != -7 || system_hash(home.world.system) != before || memcmp(&was, &is, sizeof was) != 0) {
    print_message("# %s: the system has changed\n", r->name);
    good = 0;
  }
  ASSERT_OK(home.world.system, dem_system_step(home.world.system, 5));
  ASSERT_OK(home.world.system, dem_system_check(home.world.system));
  room_close(&home);
  return good;
}

void assert_rows_are_refused(const row *table, int count) {
  int bad = 0;
  for (int k = 0; k < count; k++) bad += !row_is_refused(&table[k], 0);
  print_message("# %d rows\n", count);
  assert_int_equal(bad, 0);
}
