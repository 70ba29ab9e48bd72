/* What the tests of lib/io share: byte sources and sinks in memory, an allocator that fails on demand, and a small system. */
#ifndef TESTS_IO_BYTES_H
#define TESTS_IO_BYTES_H

#include "assertions.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Bytes read from or written to memory. */
typedef struct bytes {
  char *text;
  int64_t size;
  int64_t at;      /* next byte to read */
  int64_t chunk;   /* at most so many per read; 0 = all that is asked for */
  int64_t fail_at; /* fails when this many bytes have gone by; -1 = never */
} bytes;

static inline int64_t bytes_read(void *user, void *buffer, int64_t size) {
  bytes *b = user;
  int64_t n = b->size - b->at < size ? b->size - b->at : size;
  if (b->chunk > 0 && n > b->chunk) n = b->chunk;
  if (b->fail_at >= 0 && b->at + n > b->fail_at) return -7;
  memcpy(buffer, b->text + b->at, (size_t)n);
  b->at += n;
  return n;
}

static inline int32_t bytes_write(void *user, const void *buffer, int64_t size) {
  bytes *b = user;
  assert_true(size > 0);
  if (b->fail_at >= 0 && b->size + size > b->fail_at) return 5;
  char *text = realloc(b->text, (size_t)(b->size + size + 1));
  assert_non_null(text);
  memcpy(text + b->size, buffer, (size_t)size);
  b->text = text;
  b->size += size;
  b->text[b->size] = '\0';
  return 0;
}

static inline dem_source bytes_source(bytes *b) {
  return (dem_source){.struct_size = sizeof(dem_source), .user = b, .read = bytes_read};
}
static inline dem_sink bytes_sink(bytes *b) {
  return (dem_sink){.struct_size = sizeof(dem_sink), .user = b, .write = bytes_write};
}

static inline void bytes_clear(bytes *b) {
  free(b->text);
  *b = (bytes){.fail_at = -1};
}

/* Allocations counted; number `fail` fails (and all after it when `persistent`). */
typedef struct shortage {
  int64_t calls, fail, live;
  int persistent;
} shortage;

static inline void *shortage_allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  shortage *s = user;
  void *fresh = NULL;
  if (new_size > 0) {
    s->calls++;
    if (s->fail > 0 && (s->calls == s->fail || (s->persistent && s->calls > s->fail))) return NULL;
    if (posix_memalign(&fresh, alignment, new_size)) return NULL;
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  s->live += (int64_t)new_size - (int64_t)old_size;
  free(pointer);
  return fresh;
}

static inline dem_context *shortage_context(shortage *s) {
  dem_context_options options;
  dem_context *context = NULL;
  assert_int_equal(dem_context_options_init(&options, sizeof options), DEM_OK);
  options.allocate = shortage_allocate;
  options.allocate_user = s;
  assert_int_equal(dem_context_create(&options, &context), DEM_OK);
  return context;
}

/* A system periodic in x with `count` particles whose numbers need all their digits. */
static inline dem_system *sample_system(dem_context *context, int64_t count) {
  dem_system_options options;
  dem_system *system = NULL;
  dem_particles particles;
  assert_int_equal(dem_system_options_init(&options, sizeof options), DEM_OK);
  options.dt = 1e-3;
  options.periodic[0] = 1;
  options.box_low[0] = -1;
  options.box_high[0] = 9;
  assert_int_equal(dem_system_create(context, &options, &system), DEM_OK);
  for (int i = 0; i < 3; i++) ASSERT_OK(system, dem_system_add_material(system, NULL, NULL));
  const size_t n = (size_t)count;
  double *reals = malloc((11 * n + 1) * sizeof *reals);
  int32_t *material = malloc((n + 1) * sizeof *material);
  assert_true(reals && material);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < 9; k++) reals[k / 3 * 3 * n + 3 * i + k % 3] = sin(1.0 + (double)(9 * i + k)) / 3;
    reals[3 * i] = (double)(i % 40) * 0.7 - 3; /* some are outside the box and get wrapped */
    reals[3 * i + 1] = (double)i * 1.1;
    reals[9 * n + i] = 0.1 + 0.01 * (double)(i % 7) / 3;
    reals[10 * n + i] = 2500.0 / (double)(3 + i % 4);
    material[i] = (int32_t)(i % 3);
  }
  assert_int_equal(dem_particles_init(&particles, sizeof particles), DEM_OK);
  particles.count = count;
  particles.position = reals;
  particles.velocity = reals + 3 * n;
  particles.spin = reals + 6 * n;
  particles.radius = reals + 9 * n;
  particles.density = reals + 10 * n;
  particles.material = material;
  if (count > 0) ASSERT_OK(system, dem_system_add_particles(system, &particles, NULL));
  free(reals);
  free(material);
  return system;
}

/* 0, with a remark, when the machine has no locale with a decimal comma: the test has nothing to do then. (cmocka 1.1.5 reports
 * skip() as "not ok" in TAP.) Put it back with setlocale(LC_ALL, "C"). */
static inline int use_comma(void) {
  char text[16];
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
    print_message("# skipped: no locale with a decimal comma\n");
    return 0;
  }
  snprintf(text, sizeof text, "%.1f", 0.5);
  assert_string_equal(text, "0,5");
  return 1;
}

static inline double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
