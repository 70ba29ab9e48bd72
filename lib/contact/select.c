/* Which compilation of the inner loops a context runs. */
#include "context.h"
#include "kernels.h"

#if defined(__x86_64__)
#define VARIANTS 1
#else
#define VARIANTS 0
#endif

demi_block_kernel *demi_select_block_kernel(const dem_context *context) {
#if VARIANTS
  if (context->options.instructions == DEM_INSTRUCTIONS_AVX512) return demi_evaluate_block_avx512;
  if (context->options.instructions == DEM_INSTRUCTIONS_AVX2) return demi_evaluate_block_avx2;
#endif
  (void)context;
  return demi_evaluate_block_base;
}

demi_power_kernel *demi_select_power_kernel(const dem_context *context) {
#if VARIANTS
  if (context->options.instructions == DEM_INSTRUCTIONS_AVX512) return demi_power_block_avx512;
  if (context->options.instructions == DEM_INSTRUCTIONS_AVX2) return demi_power_block_avx2;
#endif
  (void)context;
  return demi_power_block_base;
}
