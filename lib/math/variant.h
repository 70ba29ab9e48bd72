/* One source, several compilations: one per instruction set, with the same bits from each. DEMI_VARIANT is the name of the present
 * one: base, avx2 or avx512. */
#ifndef DEMI_VARIANT_H
#define DEMI_VARIANT_H

#ifndef DEMI_VARIANT
#define DEMI_VARIANT base
#endif
#define DEMI_JOIN_NAMES(a, b) demi_##a##_##b
#define DEMI_JOIN(a, b) DEMI_JOIN_NAMES(a, b)

/* The symbol of a function in the present compilation, such as demi_run_batch_avx2 for run_batch. */
#define DEMI_VARIANT_NAME(name) DEMI_JOIN(name, DEMI_VARIANT)

/* Declares a function of this type for every instruction set. Callers choose with DEMI_SELECT (cpu.h). */
#define DEMI_DECLARE_VARIANTS(type, name) type demi_##name##_base, demi_##name##_avx2, demi_##name##_avx512

/* Lanes to loop over: the count rounded up to a multiple of 8, the width of the widest registers. */
#define DEMI_ROUND_UP(n) (((n) + 7) & ~7)
#define DEMI_LANES(batch) DEMI_ROUND_UP((batch)->count)

#if defined(__clang__)
#define DEMI_INDEPENDENT _Pragma("clang loop vectorize(enable)")
#elif defined(__GNUC__)
#define DEMI_INDEPENDENT _Pragma("GCC ivdep")
#else
#define DEMI_INDEPENDENT
#endif

#endif
