/* One source, several compilations: DEMI_VARIANT is base, avx2 or avx512, and DEMI_V(name) the symbol of this one. */
#ifndef DEMI_LAW_VARIANT_H
#define DEMI_LAW_VARIANT_H

#ifndef DEMI_VARIANT
#define DEMI_VARIANT base
#endif
#define DEMI_JOIN2(a, b) demi_##a##_##b
#define DEMI_JOIN(a, b) DEMI_JOIN2(a, b)
#define DEMI_V(name) DEMI_JOIN(name, DEMI_VARIANT)

/* Lanes to loop over: the count rounded up to what the widest registers take. */
#define DEMI_LANES(batch) (((batch)->count + 7) & ~7)

#if defined(__clang__)
#define DEMI_INDEPENDENT _Pragma("clang loop vectorize(enable)")
#elif defined(__GNUC__)
#define DEMI_INDEPENDENT _Pragma("GCC ivdep")
#else
#define DEMI_INDEPENDENT
#endif

#endif
