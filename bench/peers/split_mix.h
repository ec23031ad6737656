/* SPDX-License-Identifier: BSD-3-Clause */
/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) in C, equal to acre/base/split_mix.hpp. */
#pragma once

#include <stdint.h>

static inline uint64_t split_mix(uint64_t state) {
  state += 0x9e3779b97f4a7c15U;
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
  state = (state ^ state >> 27) * 0x94d049bb133111ebU;
  return state ^ state >> 31;
}

static inline uint64_t split_mix_at(uint64_t seed, uint64_t i) {
  return split_mix(seed + i * 0x9e3779b97f4a7c15U);
}
