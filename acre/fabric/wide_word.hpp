// SPDX-License-Identifier: BSD-3-Clause
// Words of 16 bytes, exchanged by one instruction: cmpxchg16b, or a pair of exclusive accesses.
#pragma once

#include <acre/fabric/forward.hpp>

namespace acre::fabric {

struct alignas(16) wide_word {
  word low = 0;
  word high = 0;
  friend bool operator==(const wide_word&, const wide_word&) = default;
};

/// Writes `desired` if *where is `expected`, else stores *where in `expected`. Sequentially
/// consistent, also between processes. Even a failed exchange needs writable memory.
/// @throws acre::error if misaligned, or if the processor lacks the instruction
[[nodiscard]] bool exchange_if_equal(wide_word* where, wide_word& expected, wide_word desired);

/// Never torn.
/// @throws acre::error as exchange_if_equal()
[[nodiscard]] inline wide_word load_wide(wide_word* where) {
  wide_word value;
  static_cast<void>(exchange_if_equal(where, value, value));
  return value;
}

}  // namespace acre::fabric
