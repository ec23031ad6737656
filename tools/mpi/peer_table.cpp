// SPDX-License-Identifier: BSD-3-Clause
#include "peer_table.hpp"

#include <algorithm>

namespace acre::mpi {

void peer_table::insert(int peer, std::uint64_t bytes, std::uint64_t messages) {
  if (++size_ * 2 > cells_.size()) {
    std::vector<entry> larger(cells_.size() * 2);
    for (const entry& each : cells_) {
      if (each.peer >= 0) cell_of(larger, each.peer) = each;
    }
    cells_.swap(larger);
  }
  cell_of(cells_, peer) = {peer, bytes, messages};
}

std::vector<peer_table::entry> peer_table::entries() const {
  std::vector<entry> result;
  result.reserve(size_);
  std::ranges::copy_if(cells_, std::back_inserter(result),
                       [](const entry& each) { return each.peer >= 0; });
  std::ranges::sort(result, {}, &entry::peer);
  return result;
}

}  // namespace acre::mpi
