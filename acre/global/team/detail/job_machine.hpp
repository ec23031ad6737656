// SPDX-License-Identifier: BSD-3-Clause
// This job's machine by ACRE_TOPOLOGY and ACRE_NODES. A specification (torus:8x8x6) is used in this
// process; `acre map`, with libraries that programs do not link, reads files.
#pragma once

#include <acre/mapping/communication.hpp>
#include <acre/mapping/metrics.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace acre::global {

struct order_of_ranks {
  std::vector<mapping::rank_t> ranks;  ///< world rank of each rank of the communication
  double seconds = 0;                  ///< estimated for one exchange
  double hop_bytes = 0;
};

class job_machine {
 public:
  virtual ~job_machine() = default;

  /// Returns the best order that is found in the time.
  [[nodiscard]] virtual order_of_ranks best(const mapping::communication& communication,
                                            std::chrono::milliseconds time) const = 0;

  /// @param hosts  name of each node's host
  /// @throws acre::error if a setting is wrong
  [[nodiscard]] static std::unique_ptr<const job_machine> make(std::vector<std::string> hosts);
};

}  // namespace acre::global
