// SPDX-License-Identifier: BSD-3-Clause
// Hashes that a test chooses while it runs: each type of map costs the compiler a second or more,
// so that tests of bad hashes share two.
#pragma once

#include <acre/base/bits.hpp>

#include <atomic>
#include <cstdint>

namespace acre::testing {

/// What `crowding_hash` makes of a key.
enum class crowding : std::uint8_t {
  one_home,   ///< all keys have the same hash
  two_homes,  ///< in each part: the first of a member's keys is at its home, all others are not
  few_homes,  ///< blocks of buckets fill while most of them are free
};

/// A hash that says it is good and is not.
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
  /// To be the same on all ranks while there is such a map: set it before one is made.
  static inline std::atomic<crowding> chosen = crowding::one_home;
};

/// The key itself, as std::hash most often has it; or what the test does in its place, on this
/// rank.
struct plain_hash {
  std::uint64_t operator()(std::uint64_t key) const {
    if (const auto before = disturbance.load()) before(key);
    return key;
  }
  /// Called with each key first; it may throw. Null: nothing is.
  static inline std::atomic<void (*)(std::uint64_t key)> disturbance = nullptr;
};

}  // namespace acre::testing
