#include "cpu.h"

#include <dem/context.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Asked by hand: the compiler's own helper keeps writable global state. */
static uint64_t enabled_register_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return ((uint64_t)high << 32) | low;
}

int32_t demi_cpu_best(void) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return DEM_INSTRUCTIONS_PLAIN;
  const uint64_t state = enabled_register_state();
  const uint64_t ymm = 0x6, zmm = 0xe6;
  if ((state & ymm) != ymm || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return DEM_INSTRUCTIONS_PLAIN;
  const uint32_t avx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
  if ((state & zmm) == zmm && (b & avx512) == avx512) return DEM_INSTRUCTIONS_AVX512;
  return (b & bit_AVX2) ? DEM_INSTRUCTIONS_AVX2 : DEM_INSTRUCTIONS_PLAIN;
}
#else
int32_t demi_cpu_best(void) { return DEM_INSTRUCTIONS_PLAIN; }
#endif
