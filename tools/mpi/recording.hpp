// SPDX-License-Identifier: BSD-3-Clause
// What this rank sends and fetches, summed up by the peer.
//
// A call costs a look at the communicator's ranks, which are translated to ranks of the true
// MPI_COMM_WORLD once, and an addition in a hash table of peers.
#pragma once

#include "collective_patterns.hpp"
#include "mpi_header.hpp"
#include "peer_table.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace acre::mpi {

/// Whether there is a trace at all, and whether what is sent now is counted: a program may have
/// that stopped for a while.
extern std::atomic<bool> is_tracing;
extern std::atomic<bool> is_recording;
[[nodiscard]] inline bool tracing() { return is_tracing.load(std::memory_order_relaxed); }
[[nodiscard]] inline bool recording() { return is_recording.load(std::memory_order_relaxed); }

/// Who else looks at what is counted.
enum class readers { none, other_threads };

void begin_recording(readers others);
/// Stops the counting, or goes on with it, where there is a trace.
void record_traffic(bool go_on);
void end_recording();

/// What was counted so far.
[[nodiscard]] const peer_table& sent();
[[nodiscard]] const peer_table& fetched();

struct totals {
  std::vector<peer_table::entry> sent;
  std::vector<peer_table::entry> fetched;
  double seconds = 0;  ///< since the recording began
};
/// The same as a copy, for other threads.
[[nodiscard]] totals totals_until_now();

struct members;  // of a communicator or window

/// This rank as one that sends to the members of a communicator or window.
class sender {
 public:
  // Handles of MPICH are all ints.
  [[nodiscard]] static sender among(MPI_Comm comm);
  [[nodiscard]] static sender into(MPI_Win win);

  /// Of size 0 between two groups, where no collective call is counted.
  [[nodiscard]] seat place() const;
  /// Those that a topology names, in its order; MPI_PROC_NULL where a grid ends.
  [[nodiscard]] std::span<const int> neighbours() const;

  void send(int to, std::uint64_t bytes);
  void fetch(int from, std::uint64_t bytes);

 private:
  using lock = std::unique_lock<std::mutex>;
  sender(lock guard, members& of) : lock_(std::move(guard)), members_(of) {}

  lock lock_;
  members& members_;
};

/// What `sends` does is counted whenever the request is started.
void plan(MPI_Request request, const std::function<void()>& sends);
void start(MPI_Request request);
void forget(MPI_Request request);

[[nodiscard]] inline std::uint64_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return 0;  // to ask is an error, which may end the program
  MPI_Count size = 0;
  return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0 ? static_cast<std::uint64_t>(size)
                                                                  : 0;
}
[[nodiscard]] inline std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  return count > 0 ? static_cast<std::uint64_t>(count) * size_of(type) : 0;
}

/// Whether it is MPI_IN_PLACE, of C or of Fortran.
[[nodiscard]] bool is_in_place(const void* data);

}  // namespace acre::mpi
