/* Stands in for libFuzzer where the compiler has none: runs the series of inputs of a seed, or files.
 * usage: HARNESS [-n INPUTS] [-t SECONDS] [-s SEED] [FILE ...]
 * HARNESS -s N -n 1 leaves input N in fuzz-failed.bin of the present folder. */
#include "fuzz.h"

#include <time.h>

enum { ROOM = 1 << 16 };

static uint8_t bytes[ROOM];

static int run_file(const char *name) {
  FILE *f = fopen(name, "rb");
  if (!f) return fprintf(stderr, "cannot read %s\n", name), 1;
  const size_t size = fread(bytes, 1, ROOM, f);
  fclose(f);
  LLVMFuzzerTestOneInput(bytes, size);
  return 0;
}

/* Written before it is tried: afterwards may be too late. */
static void keep(size_t size) {
  FILE *f = fopen("fuzz-failed.bin", "wb");
  if (f) fwrite(bytes, 1, size, f), fclose(f);
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(int count, char **arguments) {
  uint64_t inputs = UINT64_MAX, seed = 1, done = 0;
  double limit = 1e9;
  int files = 0;
  for (int k = 1; k < count; k++) {
    const char *value = k + 1 < count ? arguments[k + 1] : "0";
    if (strcmp(arguments[k], "-n") == 0)
      inputs = strtoull(value, NULL, 10), k++;
    else if (strcmp(arguments[k], "-s") == 0)
      seed = strtoull(value, NULL, 10), k++;
    else if (strcmp(arguments[k], "-t") == 0)
      limit = strtod(value, NULL), k++;
    else if (run_file(arguments[k]))
      return 1;
    else
      files++;
  }
  if (files) return printf("%d files\n", files), 0;
  fprintf(stderr, "from input %llu on; the last number told is at most 1000 before one that fails\n", (unsigned long long)seed);
  for (; done < inputs && seconds() < limit; done++) {
    const size_t size = fuzz_example(seed + done, bytes, ROOM);
    if (inputs == 1) keep(size);
    if (done % 1000 == 0) fprintf(stderr, "\r%llu", (unsigned long long)(seed + done));
    LLVMFuzzerTestOneInput(bytes, size);
  }
  printf("\n%llu inputs in %.0f s of CPU\n", (unsigned long long)done, seconds());
  return 0;
}
