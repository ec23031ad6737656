// SPDX-License-Identifier: BSD-3-Clause
// Counting rules that calls.txt names. MPI_Init reads the environment variables of docs/mpi.md.
#pragma once

#include "collective_patterns.hpp"
#include "fortran_handles.hpp"
#include "mpi_header.hpp"
#include "recording.hpp"
#include "topologies.hpp"
#include "world.hpp"

#include <cstdint>
#include <type_traits>

#define ACRE_MPI_ENTRY extern "C" [[gnu::visibility("default")]]

namespace acre::mpi {

void started();
void ending();

/// Bytes per rank from common or per-rank counts and types.
template <class Counts, class Types>
class parts {
 public:
  parts(const Counts& counts, const Types& types) : counts_(counts), types_(types) {
    if constexpr (one_type) size_ = size_of(types);
  }
  [[nodiscard]] std::uint64_t operator[](int rank) const {
    const std::int64_t count = count_of(rank);
    if (count <= 0) return 0;  // the type may be invalid
    if constexpr (one_type) {
      return static_cast<std::uint64_t>(count) * size_;
    } else {
      return bytes_of(count, types_[rank]);
    }
  }

 private:
  [[nodiscard]] std::int64_t count_of(int rank) const {
    if constexpr (std::is_integral_v<Counts>) {
      return counts_;
    } else {
      return counts_[rank];
    }
  }

  static constexpr bool one_type = std::is_same_v<Types, MPI_Datatype>;

  Counts counts_;
  Types types_;
  std::uint64_t size_ = 0;
};

inline void send(MPI_Comm comm, int to, std::int64_t count, MPI_Datatype type) {
  if (to >= 0) sender::among(comm).send(to, bytes_of(count, type));
}

template <class Requests>
void start_all(int count, const Requests& requests) {
  for (int i = 0; i < count; ++i) start(requests[i]);
}

inline void put(MPI_Win win, int target, std::int64_t count, MPI_Datatype type) {
  if (target >= 0) sender::into(win).send(target, bytes_of(count, type));
}

inline void get(MPI_Win win, int target, std::int64_t count, MPI_Datatype type) {
  if (target >= 0) sender::into(win).fetch(target, bytes_of(count, type));
}

inline void get_accumulate(MPI_Win win, int target, std::int64_t count, MPI_Datatype type,
                           std::int64_t result_count, MPI_Datatype result_type, MPI_Op operation) {
  if (operation != MPI_NO_OP) put(win, target, count, type);
  get(win, target, result_count, result_type);
}

inline void compare_and_swap(MPI_Win win, int target, MPI_Datatype type) {
  put(win, target, 2, type);  // sends comparand and new value
  get(win, target, 1, type);
}

inline void barrier(MPI_Comm comm) {
  sender from = sender::among(comm);
  dissemination(from.place(), [&](int to) { from.send(to, 0); });
}

inline void broadcast(MPI_Comm comm, int root, std::int64_t count, MPI_Datatype type) {
  sender from = sender::among(comm);
  binomial_children(from.place(), root, [&](int to) { from.send(to, bytes_of(count, type)); });
}

inline void reduce(MPI_Comm comm, int root, std::int64_t count, MPI_Datatype type) {
  sender from = sender::among(comm);
  binomial_parent(from.place(), root, [&](int to) { from.send(to, bytes_of(count, type)); });
}

inline void all_reduce(MPI_Comm comm, std::int64_t count, MPI_Datatype type) {
  sender from = sender::among(comm);
  recursive_doubling(from.place(), [&](int to) { from.send(to, bytes_of(count, type)); });
}

inline void scan(MPI_Comm comm, std::int64_t count, MPI_Datatype type) {
  sender from = sender::among(comm);
  prefix_doubling(from.place(), [&](int to) { from.send(to, bytes_of(count, type)); });
}

inline void gather(MPI_Comm comm, int root, std::int64_t count, MPI_Datatype type) {
  sender from = sender::among(comm);
  if (has_rank(from.place(), root) && from.place().rank != root) {
    from.send(root, bytes_of(count, type));
  }
}

template <class Counts>
void scatter(MPI_Comm comm, int root, const Counts& counts, MPI_Datatype type) {
  sender from = sender::among(comm);
  // Other arguments are valid at the root only.
  if (!has_rank(from.place(), root) || from.place().rank != root) return;
  const parts part(counts, type);
  all_others(from.place(), [&](int to) { from.send(to, part[to]); });
}

template <class Counts>
void all_gather(MPI_Comm comm, const Counts& counts, MPI_Datatype type) {
  sender from = sender::among(comm);
  const parts part(counts, type);
  ring(from.place(), [&](int to, int block) { from.send(to, part[block]); });
}

template <class Counts>
void all_to_all(MPI_Comm comm, const Counts& counts, MPI_Datatype type) {
  sender from = sender::among(comm);
  const parts part(counts, type);
  all_others(from.place(), [&](int to) { from.send(to, part[to]); });
}

/// If sent in place, the receive counts apply.
template <class Counts, class Types>
void all_to_all(MPI_Comm comm, const void* data, const Counts& counts, const Types& types,
                const Counts& received, const Types& received_types) {
  sender from = sender::among(comm);
  if (is_in_place(data)) {
    const parts part(received, received_types);
    all_others(from.place(), [&](int to) { from.send(to, part[to]); });
  } else {
    const parts part(counts, types);
    all_others(from.place(), [&](int to) { from.send(to, part[to]); });
  }
}

template <class Counts, class Types>
void to_neighbours(MPI_Comm comm, const Counts& counts, const Types& types) {
  sender from = sender::among(comm);
  const parts part(counts, types);
  int i = 0;
  for (const int to : from.neighbours()) {
    if (to >= 0) from.send(to, part[i]);
    ++i;
  }
}

}  // namespace acre::mpi
