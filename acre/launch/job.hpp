// SPDX-License-Identifier: BSD-3-Clause
// Start and end of a job.
#pragma once

#include <acre/base/host_name.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <string>

namespace acre {

/// Joins the job on construction and leaves it on destruction; one at a time per process. Without a
/// launcher, a job of one rank.
///
///     int main() {
///       acre::job job;
///       std::printf("rank %u of %u\n", acre::rank(), acre::size());
///     }
///
/// Both are collective. Destruction by an exception does not wait: the launcher ends the job.
/// Unobserved failures make the job fail at its end.
class job {
 public:
  /// @throws acre::error if launcher, memory or network fails
  job();
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

 private:
  int exceptions_;
};

/// Name of the network between nodes: "ofi tcp;ofi_rxm 117.0"; "smp" on one node.
[[nodiscard]] std::string conduit_name();

/// Ends the whole job at once; callable on any rank.
[[noreturn]] void abort_job(int status, const std::string& why);

}  // namespace acre
