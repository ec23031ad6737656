// SPDX-License-Identifier: BSD-3-Clause
// Collectives on bytes, over teams or active sets. All but reductions are puts followed by a team
// barrier; collect() first gathers the sizes.
#pragma once

#include "transfer.hpp"
#include <acre/base/error.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace acre::shmem {

class group {
 public:
  explicit group(const team& members) noexcept : members_(members) {}

  [[nodiscard]] rank_t size() const { return members_.size(); }
  [[nodiscard]] rank_t me() const { return members_.rank(); }

  void barrier() const {
    acre::quiet();
    members_.barrier();
  }

  void broadcast(void* dest, const void* from, std::size_t bytes, rank_t root, bool to_root) const {
    if (root >= size()) {
      throw error("broadcast", "PE_root is " + std::to_string(static_cast<int>(root)) +
                                   ", but the team has " + std::to_string(size()) + " PEs");
    }
    if (me() == root) {
      for_others([&](rank_t, int rank) { put_some(dest, 0, from, bytes, rank); });
      if (to_root && dest != from && bytes != 0) std::memmove(dest, from, bytes);
    }
    barrier();
  }
  void collect(void* dest, const void* from, std::size_t bytes) const {
    const std::vector<std::uint64_t> sizes = members_.allgather(std::uint64_t{bytes});
    spread(dest, from, bytes, std::accumulate(sizes.begin(), sizes.begin() + me(), std::size_t{0}));
  }
  void fcollect(void* dest, const void* from, std::size_t bytes) const {
    spread(dest, from, bytes, me() * bytes);
  }
  void alltoall(void* dest, const void* from, std::size_t bytes) const {
    for_all([&](rank_t member, int rank) {
      put_some(dest, me() * bytes, static_cast<const std::byte*>(from) + member * bytes, bytes,
               rank);
    });
    barrier();
  }
  void alltoalls(void* dest, const void* from, std::ptrdiff_t dst, std::ptrdiff_t sst,
                 std::size_t size, std::size_t elements) const {
    const auto at = [&](auto* base, std::ptrdiff_t stride, rank_t member) {
      return base + static_cast<std::ptrdiff_t>(member * elements * size) * stride;
    };
    for_all([&](rank_t member, int rank) {
      strides(size, dst, sst, elements)
          .put(at(static_cast<std::byte*>(dest), dst, me()),
               at(static_cast<const std::byte*>(from), sst, member), rank);
    });
    barrier();
  }
  /// Combines in the order of members. `dest` may equal `from`.
  template <class T, class Operation>
  void reduce(T* dest, const T* from, std::size_t elements, Operation operation) const {
    if (elements == 0) return barrier();
    if (dest != from) std::memmove(dest, from, elements * sizeof(T));
    members_.allreduce(std::span(dest, elements), operation);
  }

 private:
  template <class F>
  void for_others(F&& f) const {
    for (rank_t i = 1; i < size(); ++i) {
      const rank_t member = (me() + i) % size();
      f(member, static_cast<int>(members_.world_rank(member)));
    }
  }
  template <class F>
  void for_all(F&& f) const {
    for_others(f);
    f(me(), static_cast<int>(members_.world_rank(me())));
  }
  static void put_some(void* dest, std::size_t offset, const void* from, std::size_t bytes,
                       int rank) {
    put<source::busy_until_quiet>(static_cast<std::byte*>(dest) + offset, from, bytes, rank);
  }
  void spread(void* dest, const void* from, std::size_t bytes, std::size_t offset) const {
    for_all([&](rank_t, int rank) { put_some(dest, offset, from, bytes, rank); });
    barrier();
  }

  const team& members_;
};

}  // namespace acre::shmem
