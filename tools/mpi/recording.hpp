// SPDX-License-Identifier: BSD-3-Clause
// Counts bytes and messages by peer: two look-ups per call, of true world rank and entry.
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

/// is_tracing: there is a trace; is_recording: it counts now.
extern std::atomic<bool> is_tracing;
extern std::atomic<bool> is_recording;
[[nodiscard]] inline bool tracing() { return is_tracing.load(std::memory_order_relaxed); }
[[nodiscard]] inline bool recording() { return is_recording.load(std::memory_order_relaxed); }

enum class readers { none, other_threads };

void begin_recording(readers others);
void record_traffic(bool go_on);
void end_recording();

[[nodiscard]] const peer_table& sent();
[[nodiscard]] const peer_table& fetched();

struct totals {
  std::vector<peer_table::entry> sent;
  std::vector<peer_table::entry> fetched;
  double seconds = 0;  ///< since begin_recording()
};
/// Copy for other threads.
[[nodiscard]] totals totals_until_now();

struct members;  // of a communicator or window

/// This rank in a communicator or window.
class sender {
 public:
  // No overloads: MPICH's handles are all int.
  [[nodiscard]] static sender among(MPI_Comm comm);
  [[nodiscard]] static sender into(MPI_Win win);

  /// Size 0 for intercommunicators: collectives are not counted.
  [[nodiscard]] seat place() const;
  /// Neighbours of the topology, in order; MPI_PROC_NULL at the border.
  [[nodiscard]] std::span<const int> neighbours() const;

  void send(int to, std::uint64_t bytes);
  void fetch(int from, std::uint64_t bytes);

 private:
  using lock = std::unique_lock<std::mutex>;
  sender(lock guard, members& of) : lock_(std::move(guard)), members_(of) {}

  lock lock_;
  members& members_;
};

/// Counts the sends in `sends` at every start of `request`.
void plan(MPI_Request request, const std::function<void()>& sends);
void start(MPI_Request request);
void forget(MPI_Request request);

[[nodiscard]] inline std::uint64_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return 0;  // the query would fail
  MPI_Count size = 0;
  return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0 ? static_cast<std::uint64_t>(size)
                                                                  : 0;
}
[[nodiscard]] inline std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  return count > 0 ? static_cast<std::uint64_t>(count) * size_of(type) : 0;
}

/// True for MPI_IN_PLACE of C or Fortran.
[[nodiscard]] bool is_in_place(const void* data);

}  // namespace acre::mpi
