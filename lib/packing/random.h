/* Random numbers with the same bits on every machine: SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195). State and
 * numbers are 64 bits wide, additions and products are modulo 2^64:
 *
 *   s <- s + 0x9e3779b97f4a7c15      number = mix(s)
 *
 *   mix(z):  z ^= z >> 30,  z *= 0xbf58476d1ce4e5b9,  z ^= z >> 27,  z *= 0x94d049bb133111eb,  z ^= z >> 31
 *
 * The stream k = 0, 1, ... of a seed begins with s = mix(seed + k 0x9e3779b97f4a7c15), so that streams and neighbouring seeds have nothing
 * in common. A number of the unit interval is (number >> 11) / 2^53, from 0 to 1 - 2^-53. */
#ifndef DEMI_RANDOM_H
#define DEMI_RANDOM_H

#include <stdint.h>

#define DEMI_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

enum { DEMI_STREAM_RADII = 0, DEMI_STREAM_POSITIONS = 1 };

typedef struct demi_random {
  uint64_t state;
} demi_random;

static inline uint64_t demi_random_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline demi_random demi_random_stream(uint64_t seed, uint64_t stream) {
  return (demi_random){demi_random_mix(seed + stream * DEMI_RANDOM_STEP)};
}

static inline uint64_t demi_random_number(demi_random *random) { return demi_random_mix(random->state += DEMI_RANDOM_STEP); }

/* In [0, 1). */
static inline double demi_random_unit(demi_random *random) { return (double)(demi_random_number(random) >> 11) * 0x1p-53; }

#endif
