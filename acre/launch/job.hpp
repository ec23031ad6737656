// SPDX-License-Identifier: BSD-3-Clause
// The job: this process as one rank among many.
#pragma once

#include <acre/base/host_name.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <string>

namespace acre {

/// Joins the job when it is made and leaves it when it ends; one at a time in
/// a process. Started by `acre run`, by anything that speaks PMI or PMIx
/// (mpirun, mpiexec, srun), or alone, as a job of one rank.
///
///     int main() {
///       acre::job job;
///       std::printf("rank %u of %u\n", acre::rank(), acre::size());
///     }
///
/// Making and ending it are collective. When it ends because an exception
/// passes, it does not wait for the others: the launcher ends the job. Failures
/// that nobody has looked at by the end make the job fail.
class job {
 public:
  /// @throws acre::error when the launcher, the memory or the network fails
  job();
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

 private:
  int exceptions_;
};

/// What moves bytes between nodes: "ofi tcp;ofi_rxm 117.0", or "smp" in a job of one node.
[[nodiscard]] std::string conduit_name();

/// Ends the whole job at once with this exit status, from any rank.
[[noreturn]] void abort_job(int status, const std::string& why);

}  // namespace acre
