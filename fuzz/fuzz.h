/* What harnesses share: libFuzzer's entry, a generator of inputs for the driver that stands in for it, and bytes as decisions. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One input. What must hold and does not ends the process by abort. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes input number `seed` of an endless series, at most `room` bytes; returns its size. */
size_t fuzz_example(uint64_t seed, uint8_t *bytes, size_t room);

#define FUZZ_MUST(condition)                                                         \
  do {                                                                               \
    if (!(condition)) {                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                       \
    }                                                                                \
  } while (0)

/* Random numbers that are the same everywhere (splitmix64). */
static inline uint64_t fuzz_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Decisions taken from an input; 0 when it is used up. */
typedef struct fuzz_bytes {
  const uint8_t *at, *end;
} fuzz_bytes;

static inline uint32_t fuzz_byte(fuzz_bytes *b) { return b->at < b->end ? *b->at++ : 0; }
static inline int fuzz_pick(fuzz_bytes *b, int n) { return (int)(fuzz_byte(b) % (uint32_t)n); }
static inline uint64_t fuzz_word(fuzz_bytes *b) {
  uint64_t w = 0;
  for (int k = 0; k < 8; k++) w = w << 8 | fuzz_byte(b);
  return w;
}

/* An allocator that counts, refuses large blocks and fails one time in `fail` (0: never). */
typedef struct fuzz_memory {
  uint64_t state;
  uint32_t fail;
  int64_t blocks;
  int failed;
} fuzz_memory;

static inline void *fuzz_allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  fuzz_memory *m = user;
  void *fresh = NULL;
  if (new_size > 0) {
    if (new_size > ((size_t)1 << 26) || (m->fail && fuzz_random(&m->state) % m->fail == 0)) return m->failed = 1, NULL;
    fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
    if (!fresh) return m->failed = 1, NULL;
    memset(fresh, 0xA5, new_size);
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  m->blocks += (fresh != NULL) - (pointer != NULL);
  free(pointer);
  return fresh;
}

#endif
