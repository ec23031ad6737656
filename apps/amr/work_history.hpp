// SPDX-License-Identifier: BSD-3-Clause
// Work of ranks between regrids, and its critical path for one core per rank. Thread time or counts
// are used, since wall time hides imbalance if ranks share cores.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace acre::amr {

struct rank_work {
  double counted = 0;   ///< leaf stages, weighted by tree_node::cost()
  double measured = 0;  ///< seconds of stages, by node meters
  double busy = 0;
  double change = 0;  ///< CPU seconds in the preceding regrid
  double leaves = 0;
  double traffic = 0;
};

struct period {
  std::uint32_t steps = 0;
  std::vector<rank_work> ranks;
};

using work_kind = double rank_work::*;

/// Maximum over mean; 1 at best or without work.
[[nodiscard]] double imbalance(const period& of, work_kind kind);

[[nodiscard]] double critical_path(std::span<const period> periods, work_kind kind);
[[nodiscard]] double even_path(std::span<const period> periods, work_kind kind);

}  // namespace acre::amr
