/* The reader of LAMMPS data files: any bytes are read or refused with a message, with memory that fails, in pieces of any size; what
 * was read can be written and read again, and is the same. The first four bytes choose pieces and memory, the rest is the file. */
#include "fuzz.h"

#include <dem/dem.h>

/* ---- sources and sinks ---- */

typedef struct reading {
  const uint8_t *at, *end;
  int64_t piece; /* at most so many bytes per read */
} reading;

static int64_t read_text(void *user, void *buffer, int64_t size) {
  reading *t = user;
  int64_t n = t->end - t->at < size ? t->end - t->at : size;
  if (n > t->piece) n = t->piece;
  memcpy(buffer, t->at, (size_t)n);
  t->at += n;
  return n;
}

typedef struct heap {
  char *bytes;
  size_t size;
} heap;

static int32_t write_heap(void *user, const void *buffer, int64_t size) {
  heap *h = user;
  char *fresh = realloc(h->bytes, h->size + (size_t)size);
  if (!fresh) return 1;
  memcpy(fresh + h->size, buffer, (size_t)size);
  h->bytes = fresh;
  h->size += (size_t)size;
  return 0;
}

/* ---- what was read is written and read again ---- */

static dem_system *system_of(dem_context *context, const dem_data *data) {
  dem_system_options o;
  dem_system *system = NULL;
  dem_particles p = {.struct_size = sizeof p};
  int32_t types = 0;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  FUZZ_MUST(dem_data_box(data, o.box_low, o.box_high) == DEM_OK && dem_data_types(data, &types) == DEM_OK);
  FUZZ_MUST(dem_data_particles(data, &p) == DEM_OK);
  if (types > 64 || dem_system_create(context, &o, &system)) return NULL;
  for (int32_t k = 0; k < types; k++) FUZZ_MUST(dem_system_add_material(system, NULL, NULL) == DEM_OK);
  if (dem_system_add_particles(system, &p, NULL) == DEM_OK) return system;
  FUZZ_MUST(strlen(dem_system_message(system)) > 0);
  dem_system_destroy(system);
  return NULL;
}

static void same(const double *a, const double *b, int64_t count) {
  if (count > 0) FUZZ_MUST(memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

/* Only on open axes, where positions stay as they are; -0 as well. */
static void check_round_trip(dem_context *context, const dem_data *data) {
  heap h = {NULL, 0};
  dem_data *again = NULL;
  dem_particles p = {.struct_size = sizeof p}, q = {.struct_size = sizeof q};
  dem_system *system = system_of(context, data);
  if (!system) return;
  const dem_sink sink = {.struct_size = sizeof sink, .user = &h, .write = write_heap};
  FUZZ_MUST(dem_system_write_data(system, &sink) == DEM_OK);
  reading t = {(const uint8_t *)h.bytes, (const uint8_t *)h.bytes + h.size, 1 << 20};
  const dem_source source = {.struct_size = sizeof source, .user = &t, .read = read_text};
  if (dem_data_read(context, &source, &again)) fprintf(stderr, "%s\n", dem_context_message(context)), abort();
  dem_data_particles(data, &p);
  dem_data_particles(again, &q);
  FUZZ_MUST(p.count == q.count);
  same(p.position, q.position, 3 * p.count);
  same(p.velocity, q.velocity, 3 * p.count);
  same(p.spin, q.spin, 3 * p.count);
  same(p.radius, q.radius, p.count);
  same(p.density, q.density, p.count);
  dem_data_destroy(again);
  dem_system_destroy(system);
  free(h.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes b = {data, data + size};
  fuzz_memory memory = {.state = fuzz_byte(&b), .fail = 0};
  dem_context_options o;
  dem_context *context = NULL;
  dem_data *read = NULL;
  const uint32_t fail = fuzz_byte(&b);
  reading t = {NULL, b.end, 1 + (int64_t)fuzz_byte(&b) * (int64_t)fuzz_byte(&b)};
  t.at = b.at;
  dem_context_options_init(&o, sizeof o);
  o.allocate = fuzz_allocate, o.allocate_user = &memory;
  FUZZ_MUST(dem_context_create(&o, &context) == DEM_OK);
  memory.fail = fail < 192 ? 0 : fail - 191;
  const dem_source source = {.struct_size = sizeof source, .user = &t, .read = read_text};
  const dem_status status = dem_data_read(context, &source, &read);
  memory.fail = 0;
  FUZZ_MUST(status == DEM_OK || status == DEM_BAD_FORMAT || (status == DEM_NO_MEMORY && memory.failed));
  FUZZ_MUST((status == DEM_OK) == (read != NULL));
  if (status) FUZZ_MUST(strlen(dem_context_message(context)) > 0);
  if (status == DEM_OK) check_round_trip(context, read);
  dem_data_destroy(read);
  FUZZ_MUST(dem_context_destroy(context) == DEM_OK && memory.blocks == 0);
  return 0;
}

/* ---- inputs: good files with something wrong ---- */

static const char good[] =
    "LAMMPS data file\n\n2 atoms\n2 atom types\n\n-1 1.5 xlo xhi\n0 2 ylo yhi\n-0.5 +3e0 zlo zhi\n\nAtoms # sphere\n\n"
    "1 1 0.5 2.5 0.1 0.2 0.3 0 0 0\n7 2 0.25 2 0.4 0.5 0.6 -1 0 1\n\nVelocities\n\n7 1 2 3 4 5 6\n1 -1 -2 -3 -4 -5 -6\n";

static const char *const words[] = {"atoms",
                                    "Atoms",
                                    "Velocities",
                                    "atom types",
                                    "xlo xhi",
                                    "# sphere",
                                    "#",
                                    "\n",
                                    "\n\n",
                                    " ",
                                    "\t",
                                    "\r\n",
                                    "0",
                                    "-0",
                                    "1e308",
                                    "1e309",
                                    "-1e-308",
                                    "4e-324",
                                    "1e-400",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "-9223372036854775808",
                                    "2147483648",
                                    "-2147483649",
                                    "0x10",
                                    "nan",
                                    "inf",
                                    "1e",
                                    "+",
                                    ".",
                                    "1.",
                                    ".5",
                                    "1,5",
                                    "18446744073709551616",
                                    "1 1 1 1 0 0 0\n",
                                    "Bonds",
                                    "xy xz yz",
                                    "bonds",
                                    "3",
                                    "1000000000",
                                    "9999999999999999"};

static size_t change(uint8_t *text, size_t size, size_t room, uint64_t *state) {
  const size_t at = size ? fuzz_random(state) % size : 0;
  const char *word = words[fuzz_random(state) % (sizeof words / sizeof *words)];
  const size_t length = strlen(word);
  switch (fuzz_random(state) % 6) {
    case 0:
      if (size) text[at] = (uint8_t)fuzz_random(state);
      return size;
    case 1: /* a word in */
      if (size + length > room) return size;
      memmove(text + at + length, text + at, size - at);
      memcpy(text + at, word, length);
      return size + length;
    case 2: /* a word over */
      if (at + length <= size) memcpy(text + at, word, length);
      return size;
    case 3: { /* a piece out */
      const size_t some = fuzz_random(state) % 20, gone = some < size - at ? some : size - at;
      memmove(text + at, text + at + gone, size - at - gone);
      return size - gone;
    }
    case 4: { /* a piece twice */
      const size_t some = fuzz_random(state) % 60, more = some < size - at ? some : size - at;
      if (size + more > room) return size;
      memmove(text + at + more, text + at, size - at);
      return size + more;
    }
    default: return fuzz_random(state) % 8 ? size : at;
  }
}

/* Rows with ids in any order. */
static size_t many_rows(uint8_t *text, size_t room, uint64_t *state) {
  const unsigned rows = (unsigned)(fuzz_random(state) % 200);
  const uint64_t step = fuzz_random(state) | 1;
  size_t size = (size_t)snprintf((char *)text, room,
                                 "t\n\n%u atoms\n3 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms\n\n", rows);
  for (unsigned k = 1; k <= rows && size + 200 < room; k++)
    size += (size_t)snprintf((char *)text + size, room - size, "%llu %u %.17g %g %.17g %g %g\n",
                             (unsigned long long)(k * step >> 1 | 1), 1 + k % 3, (double)k / 7, 2.5, (double)(k * step) / 3e9,
                             0.1 * k, -1e-300 * k);
  return size;
}

size_t fuzz_example(uint64_t seed, uint8_t *bytes, size_t room) {
  uint64_t state = seed;
  for (int k = 0; k < 4; k++) bytes[k] = (uint8_t)fuzz_random(&state);
  uint8_t *text = bytes + 4;
  size_t size = sizeof good - 1;
  memcpy(text, good, size);
  if (fuzz_random(&state) % 16 == 0) size = many_rows(text, room - 4, &state);
  for (uint64_t n = fuzz_random(&state) % 8; n > 0; n--) size = change(text, size, room - 4, &state);
  return size + 4;
}
