/* Walls and contacts in VTK files: areas and extents against closed forms, lines against the contacts they stand for, and every
 * failure of sink and memory. With a folder as argument it leaves the files there, to look at. */
#include "scenes/scenes.h"
#include "test_io_bytes.h"

static const double PI = 3.14159265358979323846;
enum { PARTS = 48, WALLS = 10 };

static dem_context *the_context;

static int make_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &the_context) != DEM_OK;
}

static int drop_context(void **state) {
  (void)state;
  return dem_context_destroy(the_context) != DEM_OK;
}

/* ---- a room with one wall of each kind, and particles that touch ---- */

static dem_wall wall_of(int k) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  static const int32_t shapes[WALLS] = {DEM_WALL_PLANE, DEM_WALL_BOX,  DEM_WALL_CYLINDER, DEM_WALL_CYLINDER, DEM_WALL_CYLINDER,
                                        DEM_WALL_PLATE, DEM_WALL_DISC, DEM_WALL_CONE,     DEM_WALL_REVOLVED, DEM_WALL_PLATE};
  w.shape = shapes[k];
  w.material = 1;
  if (w.shape != DEM_WALL_BOX && w.shape != DEM_WALL_PLATE) w.axis[2] = 1;
  if (k == 0) w.position[2] = -3; /* floor */
  for (int a = 0; a < 3 && k > 0; a++) w.position[a] = a == 0 ? 3.0 * k - 16 : -2;
  if (k > 0) w.rotation[0] = 0.6, w.rotation[1 + k % 3] = 0.8;
  if (k == 1)
    for (int a = 0; a < 3; a++) w.size[a] = 1 + 0.5 * a;
  if (k >= 2 && k <= 4) w.radius = 0.7;
  if (k == 2 || k == 3) w.length = 1.5;
  w.open = k == 3;
  w.side = k == 1 || k == 2 || k == 4; /* the particles are outside */
  if (k == 5) w.size[0] = 1, w.size[1] = 2;
  if (k == 6) w.radius = 0.8;
  if (k == 7) w.radius = 1, w.end_radius = 0.4, w.length = 0.8;
  if (k == 8) {
    const double profile[] = {0, 0, 0.4, 0, 0.4, 0.5, 1, 1.3};
    w.profile_points = 4;
    memcpy(w.profile, profile, sizeof profile);
  }
  if (k == 9) w.size[0] = INFINITY, w.size[2] = 1;
  return w;
}

/* Edges of the area a part of 48 sides has. */
static double band(double r0, double z0, double r1, double z1) {
  const double half = PI / PARTS, c = cos(half) * (r1 - r0), slant = sqrt(c * c + (z1 - z0) * (z1 - z0));
  return PARTS * sin(half) * (r0 + r1) * slant;
}
static double lid(double r) { return 0.5 * PARTS * r * r * sin(2 * PI / PARTS); }

/* 0: endless */
static double area_of(int k) {
  switch (k) {
    case 1: return 2 * (1 * 1.5 + 1.5 * 2 + 2 * 1);
    case 2: return band(0.7, 0, 0.7, 1.5) + 2 * lid(0.7);
    case 3: return band(0.7, 0, 0.7, 1.5);
    case 5: return 2;
    case 6: return lid(0.8);
    case 7: return band(1, 0, 0.4, 0.8);
    case 8: return lid(0.4) + band(0.4, 0, 0.4, 0.5) + band(0.4, 0.5, 1, 1.3);
    default: return 0;
  }
}

static dem_system *make_room(dem_context *context) {
  dem_system_options o;
  dem_law_options hooke;
  dem_system *system = NULL;
  dem_law *law = NULL;
  double x[60], v[60] = {0}, radius[20], density[20];
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(context, &o, &system), DEM_OK);
  for (int k = 0; k < 2; k++) ASSERT_OK(system, dem_system_add_material(system, NULL, NULL));
  dem_law_options_init(&hooke, sizeof hooke);
  hooke.normal_stiffness = 1e5;
  assert_int_equal(dem_law_create(context, &hooke, &law), DEM_OK);
  for (int a = 0; a < 2; a++)
    for (int b = a; b < 2; b++) ASSERT_OK(system, dem_system_set_law(system, a, b, law));
  dem_law_release(law);
  for (int k = 0; k < 20; k++) { /* a row on the floor: 19 contacts and 20 with the floor */
    x[3 * k] = 0.99 * k - 10;
    x[3 * k + 1] = 3;
    x[3 * k + 2] = -2.51;
    v[3 * k + 1] = 0.1 * k;
    radius[k] = 0.5;
    density[k] = 2;
  }
  dem_particles p = {.struct_size = sizeof p, .count = 20, .position = x, .velocity = v, .radius = radius, .density = density};
  ASSERT_OK(system, dem_system_add_particles(system, &p, NULL));
  for (int k = 0; k < WALLS; k++) {
    const dem_wall w = wall_of(k);
    ASSERT_OK(system, dem_system_add_wall(system, &w, NULL));
  }
  ASSERT_OK(system, dem_system_step(system, 1));
  return system;
}

/* ---- reading back ---- */

typedef dem_status write_fn(const dem_system *system, const dem_sink *sink);

static bytes written_by(const dem_system *system, write_fn *write) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  ASSERT_OK(system, write(system, &sink));
  return b;
}

/* An array by name, a copy; `count`: of `size` bytes each. */
static void *array_of(const bytes *b, const char *name, size_t size, int64_t *count) {
  char key[64];
  uint64_t stamped;
  snprintf(key, sizeof key, " Name=\"%s\"", name);
  const char *described = strstr(b->text, key), *data = strstr(b->text, "encoding=\"raw\">\n_");
  assert_true(described && data);
  const char *at = data + 17 + strtoll(strstr(described, "offset=\"") + 8, NULL, 10);
  memcpy(&stamped, at, 8);
  assert_true(at + 8 + stamped <= b->text + b->size && stamped % size == 0);
  void *copy = malloc(stamped + 1);
  assert_non_null(copy);
  memcpy(copy, at + 8, stamped);
  *count = (int64_t)(stamped / size);
  return copy;
}

static double polygon_area(const double *p, int64_t corners) {
  double sum[3] = {0, 0, 0};
  for (int64_t k = 1; k + 1 < corners; k++)
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      sum[a] += (p[3 * k + b] - p[b]) * (p[3 * k + 3 + c] - p[c]) - (p[3 * k + c] - p[c]) * (p[3 * k + 3 + b] - p[b]);
    }
  return 0.5 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static void test_walls(void **state) {
  (void)state;
  dem_system *system = make_room(the_context);
  bytes b = written_by(system, dem_system_write_walls_vtp);
  int64_t points, cells, corners, ends;
  double *x = array_of(&b, "Points", 24, &points), area[WALLS] = {0};
  int32_t *wall = array_of(&b, "wall", 4, &cells), *material = array_of(&b, "material", 4, &ends);
  int64_t *end = array_of(&b, "offsets", 8, &ends), *corner = array_of(&b, "connectivity", 8, &corners);
  double *force = array_of(&b, "force", 24, &ends), most = 0, f[3];
  assert_true(cells == ends && corners == points && end[cells - 1] == corners);
  for (int64_t c = 0; c < cells; c++) {
    const int64_t first = c > 0 ? end[c - 1] : 0;
    for (int64_t k = first; k < end[c]; k++) assert_int_equal(corner[k], k);
    assert_true(wall[c] >= 0 && wall[c] < WALLS && material[c] == 1);
    area[wall[c]] += polygon_area(x + 3 * first, end[c] - first);
    ASSERT_OK(system, scene_wall_force(system, wall[c], f));
    ASSERT_BITS(force + 3 * c, f, sizeof f);
    most = fmax(most, -f[2]);
  }
  assert_true(most > 10000); /* the floor carries 20 spheres pressed in by 0.01 */
  for (int k = 0; k < WALLS; k++) {
    if (area_of(k) > 0) ASSERT_REL(area[k], area_of(k), 1e-12);
    assert_true(area[k] > 0);
  }
  /* the floor is cut at the box around all: x from the first sphere to the last wall, y from the walls to the spheres */
  ASSERT_REL(area[0], (11 + 10.5) * (3.5 + 2), 0.2);
  free(x), free(wall), free(material), free(end), free(corner), free(force);
  bytes_clear(&b);
  dem_system_destroy(system);
}

/* All corners of a plane lie in it, on whatever side of the particles it is. */
static void planes_are_drawn_where_they_are(void **state) {
  (void)state;
  static const double axes[3][3] = {{0, 0, 1}, {0.6, 0, 0.8}, {2.0 / 3, -1.0 / 3, 2.0 / 3}}, at[3] = {5, 1, 2};
  for (int which = 0; which < 3; which++) {
    dem_system *system = make_room(the_context);
    dem_wall w;
    dem_wall_init(&w, sizeof w);
    w.shape = DEM_WALL_PLANE;
    memcpy(w.axis, axes[which], sizeof w.axis);
    memcpy(w.position, at, sizeof at);
    ASSERT_OK(system, dem_system_add_wall(system, &w, NULL));
    bytes b = written_by(system, dem_system_write_walls_vtp);
    int64_t points, cells, corners = 0;
    double *x = array_of(&b, "Points", 24, &points);
    int32_t *wall = array_of(&b, "wall", 4, &cells);
    int64_t *end = array_of(&b, "offsets", 8, &cells);
    for (int64_t c = 1; c < cells; c++)
      for (int64_t k = end[c - 1]; k < end[c] && wall[c] == WALLS; k++, corners++) {
        double above = 0;
        for (int a = 0; a < 3; a++) above += axes[which][a] * (x[3 * k + a] - at[a]);
        ASSERT_ABS(above, 0, 1e-12);
      }
    assert_true(corners >= 3);
    free(x), free(wall), free(end);
    bytes_clear(&b);
    dem_system_destroy(system);
  }
}

static void test_contacts(void **state) {
  (void)state;
  dem_system *system = make_room(the_context);
  bytes b = written_by(system, dem_system_write_contacts_vtp);
  int64_t points, lines, count, corners;
  double *x = array_of(&b, "Points", 24, &points), *normal = array_of(&b, "normal_force", 8, &lines);
  double *overlap = array_of(&b, "overlap", 8, &lines), *sliding = array_of(&b, "tangential_force", 24, &lines);
  int32_t *wall = array_of(&b, "wall", 4, &lines), *one = array_of(&b, "material_i", 4, &lines);
  int32_t *other = array_of(&b, "material_j", 4, &lines), *limit = array_of(&b, "sliding", 4, &lines);
  int64_t *end = array_of(&b, "offsets", 8, &lines), *corner = array_of(&b, "connectivity", 8, &corners);
  ASSERT_OK(system, dem_system_contact_count(system, &count));
  assert_true(lines == count && points == 2 * count && corners == points && count == 39);
  dem_contact c[39];
  ASSERT_OK(system, dem_system_contacts(system, 39, c, sizeof *c));
  for (int64_t k = 0; k < lines; k++) {
    double square = 0, size = 0, push = 0;
    for (int a = 0; a < 3; a++) square += pow(x[6 * k + 3 + a] - x[6 * k + a], 2);
    for (int a = 0; a < 3; a++) push += c[k].force[a] * c[k].normal[a], size += pow(c[k].force[a], 2);
    ASSERT_ABS(sqrt(square), (c[k].wall < 0 ? 1.0 : 0.5) - c[k].overlap, 1e-12);
    ASSERT_BITS(&overlap[k], &c[k].overlap, sizeof *overlap);
    ASSERT_REL(normal[k], push, 1e-14);
    ASSERT_REL(normal[k], 1e5 * 0.01, 2e-2);
    double across = 0;
    for (int a = 0; a < 3; a++) across += pow(sliding[3 * k + a], 2);
    ASSERT_REL(across + normal[k] * normal[k], size, 1e-12);
    assert_true(wall[k] == c[k].wall && one[k] == 0 && other[k] == (wall[k] >= 0) && end[k] == 2 * k + 2);
    assert_int_equal(limit[k], c[k].sliding);
    if (wall[k] == 0) ASSERT_ABS(x[6 * k + 5], -3, 1e-12); /* its foot is on the floor */
  }
  free(x), free(normal), free(overlap), free(sliding), free(wall), free(one), free(other), free(limit), free(end), free(corner);
  bytes_clear(&b);
  dem_system_destroy(system);
}

/* ---- the box ---- */

/* All sums of the edges from the lowest corner, and between them the edges: three of them meet in each corner. */
static void check_box(const dem_system *system, const double low[3], const double edges[3][3], int axes) {
  bytes b = written_by(system, dem_system_write_box_vtp);
  int64_t points, ends, offsets, lines;
  double *point = array_of(&b, "Points", 24, &points);
  int64_t *end = array_of(&b, "connectivity", 8, &ends), *offset = array_of(&b, "offsets", 8, &offsets), met[8] = {0};
  int32_t *axis = array_of(&b, "axis", 4, &lines);
  assert_int_equal(points, 1 << axes);
  assert_int_equal(lines, axes << (axes - 1));
  assert_true(offsets == lines && ends == 2 * lines);
  for (int k = 0; k < points; k++)
    for (int a = 0; a < 3; a++) {
      double corner = low[a];
      for (int e = 0; e < axes; e++) corner += (k >> e & 1) * edges[e][a];
      ASSERT_ABS(point[3 * k + a], corner, 1e-14);
    }
  for (int64_t k = 0; k < lines; k++) {
    const double *p = point + 3 * end[2 * k], *q = point + 3 * end[2 * k + 1];
    assert_int_equal(offset[k], 2 * k + 2);
    for (int a = 0; a < 3; a++) ASSERT_ABS(q[a] - p[a], edges[axis[k]][a], 1e-14);
    met[end[2 * k]]++;
    met[end[2 * k + 1]]++;
  }
  for (int k = 0; k < points; k++) assert_int_equal(met[k], axes);
  free(point);
  free(end);
  free(offset);
  free(axis);
  bytes_clear(&b);
}

static void test_box(void **state) {
  (void)state;
  for (int axes = 2; axes <= 3; axes++) {
    dem_system_options o;
    dem_system *system = NULL;
    const double low[3] = {-1, 0.5, axes == 3 ? 2 : 0}, edges[3][3] = {{8, 0, 0}, {2, 6, 0}, {-3, 1, 5}};
    dem_system_options_init(&o, sizeof o);
    o.dt = 1e-4;
    o.dimension = axes;
    for (int a = 0; a < axes; a++) o.periodic[a] = 1, o.box_low[a] = low[a], o.box_high[a] = low[a] + edges[a][a];
    o.box_tilt[0] = 2;
    if (axes == 3) o.box_tilt[1] = -3, o.box_tilt[2] = 1;
    assert_int_equal(dem_system_create(the_context, &o, &system), DEM_OK);
    check_box(system, low, edges, axes);
    dem_system_destroy(system);
  }
}

/* Nothing to write is a file too. */
static void test_empty(void **state) {
  (void)state;
  dem_system *system = sample_system(the_context, 3);
  write_fn *const writers[] = {dem_system_write_walls_vtp, dem_system_write_contacts_vtp};
  for (int k = 0; k < 2; k++) {
    bytes b = written_by(system, writers[k]);
    int64_t points;
    free(array_of(&b, "Points", 24, &points));
    assert_int_equal(points, 0);
    assert_string_equal(b.text + b.size - 11, "</VTKFile>\n");
    bytes_clear(&b);
  }
  dem_system_destroy(system);
}

static void test_failures(void **state) {
  (void)state;
  shortage s = {.calls = 0};
  dem_context *context = shortage_context(&s);
  dem_system *system = make_room(context);
  const int64_t before = s.live;
  write_fn *const writers[] = {dem_system_write_walls_vtp, dem_system_write_contacts_vtp, dem_system_write_box_vtp};
  for (int k = 0; k < 3; k++) {
    dem_status status = DEM_NO_MEMORY;
    for (int fail = 1; status != DEM_OK; fail++) {
      bytes b = {.fail_at = -1};
      const dem_sink sink = bytes_sink(&b);
      s.calls = 0;
      s.fail = fail;
      status = writers[k](system, &sink);
      assert_true(status == DEM_OK || (status == DEM_NO_MEMORY && b.size == 0));
      assert_int_equal(s.live, before);
      bytes_clear(&b);
      assert_true(fail < 100);
    }
    s.fail = 0;
    bytes b = {.fail_at = 3};
    const dem_sink sink = bytes_sink(&b);
    ASSERT_STATUS(system, writers[k](system, &sink), DEM_IO_ERROR);
    bytes_clear(&b);
    ASSERT_STATUS(system, writers[k](system, NULL), DEM_BAD_ARGUMENT);
    ASSERT_STATUS(NULL, writers[k](NULL, &sink), DEM_BAD_ARGUMENT);
  }
  ASSERT_STATUS(system, dem_system_write_walls_vtp_path(system, "/nowhere/at/all.vtp"), DEM_IO_ERROR);
  ASSERT_STATUS(system, dem_system_write_contacts_vtp_path(system, NULL), DEM_BAD_ARGUMENT);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(int count, char **arguments) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walls),    cmocka_unit_test(planes_are_drawn_where_they_are),
      cmocka_unit_test(test_contacts), cmocka_unit_test(test_box),
      cmocka_unit_test(test_empty),    cmocka_unit_test(test_failures),
  };
  if (count > 1) {
    char path[1000];
    dem_context_create(NULL, &the_context);
    dem_system *system = make_room(the_context);
    snprintf(path, sizeof path, "%s/walls.vtp", arguments[1]);
    ASSERT_OK(system, dem_system_write_walls_vtp_path(system, path));
    snprintf(path, sizeof path, "%s/contacts.vtp", arguments[1]);
    ASSERT_OK(system, dem_system_write_contacts_vtp_path(system, path));
    dem_system_destroy(system);
    return dem_context_destroy(the_context);
  }
  return cmocka_run_group_tests_name("io surfaces", tests, make_context, drop_context);
}
