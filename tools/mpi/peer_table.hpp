// SPDX-License-Identifier: BSD-3-Clause
// Hash table with linear probing; most ranks have few peers.
#pragma once

#include <acre/base/split_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::mpi {

class peer_table {
 public:
  struct entry {
    std::int64_t peer = -1;  ///< -1: free
    std::uint64_t bytes = 0;
    std::uint64_t messages = 0;
  };

  void add(int peer, std::uint64_t bytes, std::uint64_t messages = 1) {
    entry& found = cell_of(cells_, peer);
    if (found.peer < 0) return insert(peer, bytes, messages);
    found.bytes += bytes;
    found.messages += messages;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Sorted by peer.
  [[nodiscard]] std::vector<entry> entries() const;

 private:
  static entry& cell_of(std::vector<entry>& cells, std::int64_t peer) {
    const std::size_t mask = cells.size() - 1;
    std::size_t at = static_cast<std::uint64_t>(peer) * golden_gamma >> 32 & mask;
    while (cells[at].peer >= 0 && cells[at].peer != peer) at = (at + 1) & mask;
    return cells[at];
  }

  void insert(int peer, std::uint64_t bytes, std::uint64_t messages);

  std::vector<entry> cells_ = std::vector<entry>(16);
  std::size_t size_ = 0;
};

}  // namespace acre::mpi
