/* The random sequences of calls of tests/fault, far more of them: the first eight bytes of an input are the seed. After each call what
 * the test asserts must hold. A failed assertion ends the process. */
#include "fuzz.h"

#define main main_of_the_test
#include FUZZ_SEQUENCES
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes b = {data, data + size};
  const uint64_t word = fuzz_word(&b), seed = word >> 1;
  (void)main_of_the_test;
  FUZZ_RUN
  return 0;
}

size_t fuzz_example(uint64_t seed, uint8_t *bytes, size_t room) {
  uint64_t numbers = seed;
  const uint64_t word = fuzz_random(&numbers);
  (void)room;
  memcpy(bytes, &word, sizeof word);
  return sizeof word;
}
