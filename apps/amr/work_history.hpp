// SPDX-License-Identifier: BSD-3-Clause
// What the ranks did between changes of the mesh, and what it would take on as many cores as ranks.
//
// Ranks that share cores even out: who waits gives its core to who works, and the clock on the wall
// shows nothing. So the time of a run is that of its critical path: in each period the rank that
// takes longest, by the clock of its own thread or by what it counts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace acre::amr {

/// In one period.
struct rank_work {
  double counted = 0;   ///< stages of leaves, by tree_node::cost()
  double measured = 0;  ///< seconds of those stages, as the nodes' meters say
  double busy = 0;      ///< seconds of its thread in steps, with messages, without waiting
  double change = 0;    ///< the same, in the change of the mesh before them and its balancing
  double leaves = 0;
  double traffic = 0;  ///< bytes of ghosts and fluxes to other ranks
};

/// From one change of the mesh to the next.
struct period {
  std::uint32_t steps = 0;
  std::vector<rank_work> ranks;
};

using work_kind = double rank_work::*;

/// The largest by the mean of all ranks: 1 at best, and where there is no work.
[[nodiscard]] double imbalance(const period& of, work_kind kind);

/// The sum over the periods of the largest share.
[[nodiscard]] double critical_path(std::span<const period> periods, work_kind kind);
/// The sum over the periods of the mean: the critical path if all were even.
[[nodiscard]] double even_path(std::span<const period> periods, work_kind kind);

}  // namespace acre::amr
