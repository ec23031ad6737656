// SPDX-License-Identifier: BSD-3-Clause
// Copies finished chunks to their position, as soon as all earlier ones are finished.
#pragma once

#include <acre/csr/detail/chunk_board.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/csr/detail/huge_page_front.hpp>
#include <acre/csr/detail/result_pieces.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::csr {

template <class V>
class row_placing {
 public:
  row_placing(chunk_board& board, rank_t own, const csr_entries& room)
      : board_(board), own_(own), columns_(room.columns), values_(room.values) {}

  [[nodiscard]] result_pieces<V> pieces() {
    if (free_.empty()) return {};
    result_pieces<V> last = std::move(free_.back());
    free_.pop_back();
    return last;
  }
  void add(const chunk_board::chunk& chunk, result_pieces<V> pieces) {
    board_.finish(chunk, pieces.entries());
    waiting_.push_back({chunk, std::move(pieces)});
    place();
  }
  void place() {
    // Later chunks of an owner must wait too, as begin_of() requires ascending calls.
    std::vector<rank_t> late;
    std::erase_if(waiting_, [&](waiting& each) {
      const rank_t owner = each.chunk.owner;
      if (std::ranges::find(late, owner) != late.end()) return false;
      const auto begin = board_.begin_of(each.chunk);
      if (!begin) {
        late.push_back(owner);
        return false;
      }
      if (owner == own_) {
        const std::size_t end = *begin + each.pieces.entries();
        columns_.reach(end * sizeof(column_t));
        values_.reach(end * sizeof(V));
      }
      // No race: rows have one writer and are read after a barrier.
      each.pieces.copy_to({reinterpret_cast<column_t*>(board_.columns_of(owner)) + *begin,
                           reinterpret_cast<V*>(board_.values_of(owner)) + *begin});
      each.pieces.clear();
      free_.push_back(std::move(each.pieces));
      return true;
    });
  }

 private:
  struct waiting {
    chunk_board::chunk chunk;
    result_pieces<V> pieces;
  };

  chunk_board& board_;
  rank_t own_;
  huge_page_front columns_;
  huge_page_front values_;
  std::vector<waiting> waiting_;
  std::vector<result_pieces<V>> free_;
};

}  // namespace acre::csr
