// SPDX-License-Identifier: BSD-3-Clause
// Hash functions of tests, chosen at run time: each map type costs a second of compile time.
#pragma once

#include <acre/container/hash/hash_map.hpp>

#include <atomic>
#include <cstdint>

namespace acre::testing {

enum class crowding : std::uint8_t {
  one_home,
  two_homes,
  few_homes,
};

struct crowding_hash {
  using is_avalanching = void;
  std::uint64_t operator()(std::uint64_t key) const noexcept {
    switch (chosen) {
      case crowding::two_homes:
        return key << 63;
      case crowding::few_homes:
        return key << 58;
      default:
        return 0;
    }
  }
  /// Equal on all ranks; set before a map is made.
  static inline std::atomic<crowding> chosen = crowding::one_home;
};

using crowded = hash_map<std::uint64_t, std::uint64_t, crowding_hash>;

struct plain_hash {
  std::uint64_t operator()(std::uint64_t key) const {
    if (const auto before = disturbance.load()) before(key);
    return key;
  }
  /// Called with each key; may throw.
  static inline std::atomic<void (*)(std::uint64_t key)> disturbance = nullptr;
};

}  // namespace acre::testing
