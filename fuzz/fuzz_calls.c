/* Random calls with extreme values and memory that fails, as a host gone wrong would make them. Each call ends with a status that is
 * documented; a refusal has a message and changes nothing that can be read; a system that failed says so ever after; everything
 * is given back. Bytes of the input are decisions. Finds what the sanitizers see, too. */
#include "fuzz.h"

#include <math.h>

#include <dem/dem.h>

enum { CALLS = 80, MOST = 48, IDS = 64, LAWS = 3, MATERIALS = 3 };

typedef struct world {
  fuzz_bytes in;
  fuzz_memory memory;
  dem_context *context;
  dem_system *system;
  dem_law *law[LAWS];
  dem_id ids[IDS], bonds[IDS];
  int32_t wall;
  int steps_left;
} world;

/* ---- values ---- */

static double extreme(world *w) {
  static const double values[] = {0,      -0.0, 1,    -1,  0.5,  2,     1e-300, 4e-324, 1e300, 1.7e308, -1e300, 1e15, 1e100,
                                  1e-100, 1e12, -1e9, 1e6, 1e-6, 1e-12, 3.7,    100,    9e15,  1e154,   1e-154, 0.1,  10};
  const int n = (int)(sizeof values / sizeof *values), k = fuzz_pick(&w->in, n + 4);
  if (k < n) return values[k];
  if (k == n) return NAN;
  if (k == n + 1) return INFINITY;
  if (k == n + 2) return -INFINITY;
  const uint64_t bits = fuzz_word(&w->in);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Mostly within reason, so that things happen. */
static double value(world *w, double low, double high) {
  const uint32_t byte = fuzz_byte(&w->in);
  return byte < 6 ? extreme(w) : low + (high - low) * (byte / 256.0 + fuzz_byte(&w->in) / 65536.0);
}

static int32_t integer(world *w) {
  static const int32_t values[] = {0, 1, -1, 2, 3, 4, 16, 17, 64, 65, INT32_MIN, INT32_MAX, 1 << 29, -(1 << 29), 1 << 30, 255};
  return values[fuzz_pick(&w->in, 16)];
}

/* Those that a library can know to be wrong, and small ones. */
static int64_t stride(world *w, int64_t usual) {
  static const int64_t values[] = {-1, 1, 2, INT64_MAX, INT64_MIN, INT64_MAX - 7};
  const int k = fuzz_pick(&w->in, 40);
  return k < 6 ? values[k] : k < 20 ? 0 : usual;
}

/* Overwrites some members behind the first, whatever they are; nothing in these structs is a pointer. */
static void spoil(world *w, void *object, size_t size) {
  for (int n = fuzz_pick(&w->in, 8) - 5; n > 0; n--) {
    const size_t at = 4 + 4 * ((size_t)fuzz_byte(&w->in) % ((size - 4) / 4));
    const double real = extreme(w);
    const int32_t whole = integer(w);
    if (at % 8 == 0 && at + 8 <= size && fuzz_pick(&w->in, 2))
      memcpy((char *)object + at, &real, 8);
    else
      memcpy((char *)object + at, &whole, 4);
  }
}

static dem_id some_id(world *w, const dem_id *ids) {
  const int k = fuzz_pick(&w->in, IDS + 4);
  return k < IDS ? ids[k] : fuzz_word(&w->in);
}

static void keep_id(world *w, dem_id *ids, dem_id id) { ids[fuzz_pick(&w->in, IDS)] = id; }

/* ---- what must hold ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  for (size_t k = 0; k < size; k++) hash = (hash ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001B3);
  return hash;
}

/* Of what a refusal may not change. Forces may be evaluated anew where memory failed. */
static uint64_t readable(const world *w) {
  static const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_RADIUS, DEM_MASS, DEM_HOST_FORCE, DEM_HOST_TORQUE};
  double values[3 * MOST], time = 0;
  int64_t count = 0;
  if (!w->system || dem_system_particle_count(w->system, &count) || dem_system_time(w->system, &time)) return 0;
  uint64_t hash = mix(1469598103934665603u, &count, sizeof count);
  hash = mix(hash, &time, sizeof time);
  for (int k = 0; k < 7; k++) {
    memset(values, 0, sizeof values);
    FUZZ_MUST(dem_system_get_field(w->system, fields[k], count, NULL, values, k == 3 || k == 4 ? 1 : 3) == DEM_OK);
    hash = mix(hash, values, sizeof values);
  }
  return hash;
}

static void check(world *w, dem_status status, uint64_t before) {
  FUZZ_MUST(strcmp(dem_status_name(status), "DEM_UNKNOWN") != 0);
  if (status == DEM_OK) return;
  if (status > 0) {
    FUZZ_MUST(strlen(dem_system_message(w->system)) > 0);
    if (status != DEM_CANCELLED) FUZZ_MUST(readable(w) == before);
    FUZZ_MUST(status != DEM_NO_MEMORY || w->memory.failed);
    return;
  }
  FUZZ_MUST(status != DEM_FAILED_MEMORY || w->memory.failed);
  FUZZ_MUST(dem_system_step(w->system, 1) == DEM_POISONED && strlen(dem_system_message(w->system)) > 0);
}

/* ---- calls ---- */

static dem_status call_add(world *w) {
  double x[3 * 8], v[3 * 8], spin[3 * 8], radius[8], density[8];
  int32_t material[8], frozen[8], image[24];
  dem_id ids[8];
  int64_t count = 0;
  FUZZ_MUST(dem_system_particle_count(w->system, &count) == DEM_OK);
  const int n = fuzz_pick(&w->in, 9);
  if (count + n > MOST) return DEM_OK;
  for (int k = 0; k < n; k++) {
    frozen[k] = fuzz_pick(&w->in, 16) == 0;
    for (int a = 0; a < 3; a++) {
      x[3 * k + a] = value(w, 0, 6);
      v[3 * k + a] = frozen[k] ? 0 : value(w, -2, 2);
      spin[3 * k + a] = frozen[k] ? 0 : value(w, -2, 2);
      image[3 * k + a] = fuzz_pick(&w->in, 8) ? 0 : integer(w);
    }
    radius[k] = value(w, 0.2, 0.6), density[k] = value(w, 0.5, 2);
    material[k] = fuzz_pick(&w->in, 32) ? fuzz_pick(&w->in, MATERIALS) : integer(w);
  }
  dem_particles p = {.struct_size = sizeof p, .count = n, .position = x, .radius = radius, .density = density};
  if (fuzz_pick(&w->in, 4)) p.velocity = v;
  if (fuzz_pick(&w->in, 4)) p.spin = spin;
  if (fuzz_pick(&w->in, 4)) p.material = material;
  if (fuzz_pick(&w->in, 4)) p.frozen = frozen;
  if (fuzz_pick(&w->in, 4) == 0) p.image = image;
  if (fuzz_pick(&w->in, 64) == 0) p.count = -1 - n;
  const dem_status status = dem_system_add_particles(w->system, &p, ids);
  for (int k = 0; k < n && status == DEM_OK; k++) keep_id(w, w->ids, ids[k]);
  return status;
}

static dem_status call_remove(world *w) {
  dem_id ids[3];
  for (int k = 0; k < 3; k++) ids[k] = some_id(w, w->ids);
  return dem_system_remove_particles(w->system, fuzz_pick(&w->in, 4), ids);
}

static dem_status call_freeze(world *w) {
  const dem_id id = some_id(w, w->ids);
  return dem_system_set_frozen(w->system, 1, &id, fuzz_pick(&w->in, 8) ? fuzz_pick(&w->in, 2) : integer(w));
}

static dem_status call_set(world *w) {
  double v[24];
  dem_id ids[2] = {some_id(w, w->ids), some_id(w, w->ids)};
  for (int k = 0; k < 24; k++) v[k] = value(w, -1, 6);
  return dem_system_set_field(w->system, fuzz_pick(&w->in, 20), fuzz_pick(&w->in, 3), ids, v, stride(w, 3));
}

static dem_status call_get(world *w) {
  double v[8 * MOST];
  int32_t m[3 * MOST];
  int64_t count = 0;
  const dem_id ids[2] = {some_id(w, w->ids), some_id(w, w->ids)};
  dem_system_particle_count(w->system, &count);
  if (fuzz_pick(&w->in, 3) == 0)
    return dem_system_get_field_int(w->system, fuzz_pick(&w->in, 20), count, NULL, m, stride(w, 3));
  if (fuzz_pick(&w->in, 2)) return dem_system_get_field(w->system, fuzz_pick(&w->in, 20), count, NULL, v, stride(w, 8));
  return dem_system_get_field(w->system, fuzz_pick(&w->in, 20), fuzz_pick(&w->in, 3), ids, v, stride(w, 8));
}

static dem_status call_material(world *w) {
  const int32_t m[8] = {fuzz_pick(&w->in, 4), 0, 1};
  const dem_id ids[2] = {some_id(w, w->ids), some_id(w, w->ids)};
  return dem_system_set_field_int(w->system, DEM_MATERIAL, fuzz_pick(&w->in, 3), ids, m, stride(w, 1));
}

static void law_options(world *w, dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = value(w, 100, 1e4);
  o->normal = fuzz_pick(&w->in, 6), o->tangential = fuzz_pick(&w->in, 6);
  if (fuzz_pick(&w->in, 2)) o->normal = DEM_NORMAL_HOOKE, o->tangential = DEM_TANGENTIAL_LINEAR;
  o->damping = fuzz_pick(&w->in, 6), o->tangential_damping = fuzz_pick(&w->in, 5);
  o->restitution = value(w, 0.1, 1), o->normal_damping = value(w, 0, 10), o->shear_damping = value(w, 0, 10);
  o->rolling = fuzz_pick(&w->in, 4), o->twisting = fuzz_pick(&w->in, 3);
  o->rolling_stiffness = o->twisting_stiffness = value(w, 1, 1e3);
  if (fuzz_pick(&w->in, 4) == 0) o->surface_energy = value(w, 0, 3);
  if (fuzz_pick(&w->in, 4) == 0) o->viscosity = value(w, 0, 3);
  spoil(w, o, sizeof *o);
}

static dem_status call_law(world *w) {
  dem_law_options o;
  dem_law *law = NULL;
  const int k = fuzz_pick(&w->in, LAWS), a = fuzz_pick(&w->in, MATERIALS), b = fuzz_pick(&w->in, MATERIALS);
  law_options(w, &o);
  const dem_status status = dem_law_create(w->context, &o, &law);
  FUZZ_MUST((status == DEM_OK) == (law != NULL) && status >= 0);
  if (status == DEM_OK) dem_law_release(w->law[k]), w->law[k] = law;
  return w->law[k] ? dem_system_set_law(w->system, fuzz_pick(&w->in, 32) ? a : integer(w), b, w->law[k]) : DEM_OK;
}

static void vector(world *w, double *v, double low, double high) {
  for (int a = 0; a < 3; a++) v[a] = value(w, low, high);
}

static dem_status call_wall(world *w) {
  dem_wall o;
  dem_wall_init(&o, sizeof o);
  o.shape = fuzz_pick(&w->in, 3), o.side = fuzz_pick(&w->in, 2), o.motion = fuzz_pick(&w->in, 4);
  o.axis[fuzz_pick(&w->in, 3)] = fuzz_pick(&w->in, 2) ? 1 : -1;
  o.direction[fuzz_pick(&w->in, 3)] = 1;
  o.free_axis[fuzz_pick(&w->in, 3)] = o.motion == DEM_WALL_FREE;
  vector(w, o.position, -1, 7), vector(w, o.size, 1, 9);
  o.radius = o.shape == DEM_WALL_CYLINDER ? value(w, 1, 5) : 0;
  if (o.shape != DEM_WALL_BOX) memset(o.size, 0, sizeof o.size);
  if (o.shape == DEM_WALL_BOX) memset(o.axis, 0, sizeof o.axis);
  if (o.motion == DEM_WALL_PRESCRIBED) vector(w, o.velocity, -1, 1);
  if (o.motion == DEM_WALL_FREE) o.mass = value(w, 0.1, 9);
  if (o.motion == DEM_WALL_SERVO)
    o.target = value(w, 1, 9), o.gain = value(w, 1e-4, 1e-2), o.velocity_limit = value(w, 0.1, 1);
  else
    memset(o.direction, 0, sizeof o.direction);
  spoil(w, &o, sizeof o);
  if (w->wall > 0 && fuzz_pick(&w->in, 3) == 0) return dem_system_set_wall_motion(w->system, w->wall, &o);
  if (w->wall > 0 && fuzz_pick(&w->in, 2)) return dem_system_remove_wall(w->system, w->wall);
  return dem_system_add_wall(w->system, &o, &w->wall);
}

static dem_status call_bond_type(world *w) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = value(w, 10, 1e4), t.tangential_stiffness = value(w, 0, 1e3), t.bending_stiffness = value(w, 0, 100);
  t.normal_damping = value(w, 0, 3);
  if (fuzz_pick(&w->in, 3) == 0) t.break_strain = value(w, 1e-3, 0.1);
  if (fuzz_pick(&w->in, 3) == 0) t.relaxation_time = value(w, 1e-3, 1);
  spoil(w, &t, sizeof t);
  return dem_system_add_bond_type(w->system, &t, NULL);
}

static dem_status call_bonds(world *w) {
  dem_bond b[2];
  dem_id ids[2];
  int64_t made = 0;
  memset(b, 0, sizeof b);
  for (int k = 0; k < 2; k++) {
    b[k].i = some_id(w, w->ids), b[k].j = some_id(w, w->ids), b[k].type = fuzz_pick(&w->in, 3);
    if (fuzz_pick(&w->in, 3) == 0) spoil(w, &b[k], sizeof b[k]);
  }
  if (fuzz_pick(&w->in, 3) == 0)
    return dem_system_bond_neighbours(w->system, fuzz_pick(&w->in, 3), 0, fuzz_pick(&w->in, 3), value(w, -0.1, 0.3), &made);
  const int count = fuzz_pick(&w->in, 3);
  const dem_status status = dem_system_add_bonds(w->system, count, b, sizeof *b, ids);
  for (int k = 0; k < count && status == DEM_OK; k++) keep_id(w, w->bonds, ids[k]);
  return status;
}

static dem_status call_unbond(world *w) {
  const dem_id id = some_id(w, w->bonds);
  dem_bond_break breaks[4];
  int64_t count;
  const dem_status status = dem_system_take_bond_breaks(w->system, fuzz_pick(&w->in, 6) - 1, breaks, sizeof *breaks, &count);
  return status ? status : dem_system_remove_bonds(w->system, 1, &id);
}

static dem_status call_view(world *w) {
  dem_view view = {.struct_size = sizeof view};
  const int32_t field = fuzz_pick(&w->in, 20), mode = fuzz_pick(&w->in, 3);
  const dem_status status = dem_view_acquire(w->system, field, mode, &view);
  if (status) return status;
  if (mode == DEM_WRITE)
    for (int64_t k = 0; k < view.count; k++)
      if (fuzz_pick(&w->in, 4) == 0) view.data[k * view.stride + fuzz_pick(&w->in, view.components)] = value(w, -1, 6);
  return dem_view_release(w->system, &view);
}

static int32_t progress(void *user, const dem_progress *p) {
  world *w = user;
  (void)p;
  return --w->steps_left < 0;
}

static dem_status call_step(world *w) {
  static const int64_t counts[] = {1, 3, 10, 30, 0, -1, INT64_MAX, INT64_MIN};
  double time = 0;
  dem_status status = dem_system_set_progress(w->system, 1, progress, w);
  if (status) return status;
  w->steps_left = fuzz_pick(&w->in, 40);
  if (fuzz_pick(&w->in, 4)) return dem_system_step(w->system, counts[fuzz_pick(&w->in, 8)]);
  dem_system_time(w->system, &time);
  return dem_system_run_until(w->system, time + value(w, 0, 0.02));
}

static dem_status call_setting(world *w) {
  static const char *const names[] = {"velocity-verlet", "euler", "improved-velocity-verlet", "", "none"};
  double v[3];
  vector(w, v, -10, 10);
  switch (fuzz_pick(&w->in, 3)) {
    case 0: return dem_system_set_gravity(w->system, v);
    case 1: return dem_system_set_dt(w->system, value(w, 1e-4, 2e-3));
    default: return dem_system_set_integrator_name(w->system, names[fuzz_pick(&w->in, 5)]);
  }
}

static dem_status call_energy(world *w) {
  dem_energy e;
  dem_energy_share s;
  dem_advice a;
  dem_energy_init(&e, sizeof e), dem_energy_share_init(&s, sizeof s), dem_advice_init(&a, sizeof a);
  switch (fuzz_pick(&w->in, 5)) {
    case 0: return dem_system_energy(w->system, &e);
    case 1: return dem_system_energy_of_materials(w->system, fuzz_pick(&w->in, 3), fuzz_pick(&w->in, 4), &s);
    case 2: return dem_system_energy_of_wall(w->system, w->wall, &s);
    case 3: a.fraction = value(w, 0.01, 1); return dem_system_advise(w->system, &a);
    default: return w->law[0] ? dem_system_energy_of_law(w->system, w->law[0], &s) : DEM_OK;
  }
}

static int32_t swallow(void *user, const void *buffer, int64_t size) {
  (void)buffer;
  (void)size;
  return fuzz_pick(&((world *)user)->in, 16) == 0;
}

static dem_status call_write(world *w) {
  const dem_sink sink = {.struct_size = sizeof sink, .user = w, .write = swallow};
  switch (fuzz_pick(&w->in, 6)) {
    case 0: return dem_system_write_data(w->system, &sink);
    case 1: return dem_system_write_dump(w->system, &sink);
    case 2: return dem_system_write_vtp(w->system, &sink);
    case 3: return dem_energy_write_row(w->system, &sink);
    case 4: return dem_system_write_dump_path(w->system, "/dev/null", fuzz_pick(&w->in, 3));
    default: return dem_system_write_vtp_path(w->system, fuzz_pick(&w->in, 2) ? "/dev/full" : "a\x01");
  }
}

/* What a stepping host reads; a search that was found wanting is the library's fault. */
static dem_status call_check(world *w) {
  dem_contact contacts[1500];
  int64_t count = 0;
  double dt;
  FUZZ_MUST(dem_system_stable_dt(w->system, &dt) == DEM_OK && dem_system_contact_count(w->system, &count) == DEM_OK);
  if (count <= 1500) FUZZ_MUST(dem_system_contacts(w->system, 1500, contacts, sizeof *contacts) == DEM_OK);
  const dem_status status = dem_system_check(w->system);
  if (status == DEM_FAILED_PLUGIN) fprintf(stderr, "check: %s\n", dem_system_message(w->system));
  FUZZ_MUST(status != DEM_FAILED_PLUGIN);
  return DEM_OK; /* numbers may have overflowed: the next drift says so */
}

typedef dem_status call(world *w);
static call *const calls[] = {call_add,  call_add,      call_remove,    call_freeze, call_set,    call_set,
                              call_get,  call_material, call_law,       call_wall,   call_bonds,  call_unbond,
                              call_view, call_setting,  call_bond_type, call_write,  call_energy, call_step,
                              call_step, call_step,     call_step,      call_check};

/* ---- life ---- */

static void create(world *w) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.dimension = fuzz_pick(&w->in, 4) ? 3 : 2;
  o.ledger = fuzz_pick(&w->in, 3);
  o.threads = 1 + fuzz_pick(&w->in, 3);
  for (int a = 0; a < o.dimension; a++) {
    o.periodic[a] = fuzz_pick(&w->in, 2);
    o.box_high[a] = o.periodic[a] ? value(w, 5, 9) : 0;
    o.gravity[a] = value(w, -10, 10);
  }
  if (fuzz_pick(&w->in, 4) == 0) o.skin = value(w, 0.01, 0.3);
  if (fuzz_pick(&w->in, 4) == 0) o.drag = value(w, 0, 1);
  spoil(w, &o, sizeof o);
  const dem_status status = dem_system_create(w->context, &o, &w->system);
  FUZZ_MUST((status == DEM_OK) == (w->system != NULL));
  if (status) FUZZ_MUST(strlen(dem_context_message(w->context)) > 0);
}

static void set_up(world *w) {
  const uint32_t fail = w->memory.fail;
  dem_law_options o;
  dem_material m;
  w->memory.fail = 0;
  dem_material_init(&m, sizeof m);
  m.young = 1e4, m.poisson = 0.3;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e3, o.damping = DEM_DAMPING_RESTITUTION, o.restitution = 0.5;
  if (!w->law[0]) FUZZ_MUST(dem_law_create(w->context, &o, &w->law[0]) == DEM_OK);
  for (int a = 0; a < MATERIALS; a++) {
    FUZZ_MUST(dem_system_add_material(w->system, &m, NULL) == DEM_OK);
    for (int b = 0; b <= a; b++) FUZZ_MUST(dem_system_set_law(w->system, a, b, w->law[0]) >= 0);
  }
  w->wall = 0;
  w->memory.fail = fail;
}

static void one_call(world *w) {
  const uint64_t before = readable(w);
  w->memory.failed = 0;
  const dem_status status = calls[fuzz_pick(&w->in, (int)(sizeof calls / sizeof *calls))](w);
  check(w, status, before);
  if (status >= 0) return;
  dem_system_destroy(w->system);
  w->system = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  world w;
  dem_context_options o;
  memset(&w, 0, sizeof w);
  w.in = (fuzz_bytes){data, data + size};
  w.memory.state = fuzz_byte(&w.in);
  const uint32_t fail = fuzz_byte(&w.in);
  dem_context_options_init(&o, sizeof o);
  o.allocate = fuzz_allocate, o.allocate_user = &w.memory;
  FUZZ_MUST(dem_context_create(&o, &w.context) == DEM_OK);
  w.memory.fail = fail < 128 ? 0 : fail - 96;
  for (int k = 0; k < CALLS && w.in.at < w.in.end; k++) {
    if (!w.system) {
      create(&w);
      if (w.system) set_up(&w);
    } else {
      one_call(&w);
    }
  }
  dem_system_destroy(w.system);
  for (int k = 0; k < LAWS; k++) dem_law_release(w.law[k]);
  FUZZ_MUST(dem_context_destroy(w.context) == DEM_OK && w.memory.blocks == 0);
  return 0;
}

size_t fuzz_example(uint64_t seed, uint8_t *bytes, size_t room) {
  uint64_t state = seed;
  const size_t size = 500 + fuzz_random(&state) % 7000;
  const uint64_t tame = fuzz_random(&state) % 4; /* fewer extremes in most */
  for (size_t k = 0; k < size && k < room; k++) {
    bytes[k] = (uint8_t)fuzz_random(&state);
    if (tame && bytes[k] < 6 && fuzz_random(&state) % 4) bytes[k] = (uint8_t)(bytes[k] + 64);
  }
  return size;
}
