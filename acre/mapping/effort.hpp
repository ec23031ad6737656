// SPDX-License-Identifier: BSD-3-Clause
// Limits of a search for a mapping.
#pragma once

#include <chrono>
#include <cstdint>

namespace acre::mapping {

struct effort {
  std::chrono::milliseconds at_most{1000};
  /// Limit of examined exchanges. A search that ends by it repeats exactly.
  std::uint64_t most_trials = UINT64_MAX;
  std::uint64_t seed = 1;
};

}  // namespace acre::mapping
