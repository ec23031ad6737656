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

namespace acre::runtime {

/// What rooms above do when a job starts and before it ends: all ranks call
/// them at the same point, in the order of registration (backwards at the end).
struct job_hooks {
  void (*started)() = nullptr;
  void (*ending)() = nullptr;
  void (*ended)() = nullptr;  ///< when all have ended: nobody calls this rank any more
};
bool add_job_hooks(job_hooks hooks);

/// Whether the job ended because an exception passed: the others may be anywhere.
[[nodiscard]] bool job_is_abandoned() noexcept;

/// How many CPUs there are for each rank of this host; 0 when it has fewer than ranks (crowded()).
[[nodiscard]] std::size_t cpus_a_rank() noexcept;

/// Throws acre::error when there is no job: for calls that a newcomer may make too early.
void require_job(const char* call);

}  // namespace acre::runtime
