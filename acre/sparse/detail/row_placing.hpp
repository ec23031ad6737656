// Chunks of rows on their way from where they were made to where they belong: each as soon as all
// chunks before it are made, so that it is known how far behind these it goes.
#pragma once

#include <acre/sparse/detail/chunk_board.hpp>
#include <acre/sparse/detail/result_pieces.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace acre::detail {

template <class V>
class row_placing {
 public:
  explicit row_placing(chunk_board& board) : board_(board) {}

  /// Empty ones, for the next chunk.
  [[nodiscard]] result_pieces<V> pieces() {
    if (free_.empty()) return {};
    result_pieces<V> last = std::move(free_.back());
    free_.pop_back();
    return last;
  }
  /// They hold a chunk.
  void add(const chunk_board::chunk& chunk, result_pieces<V> pieces) {
    board_.finish(chunk, pieces.entries());
    waiting_.push_back({chunk, std::move(pieces)});
    place();
  }
  /// Those that can be, which are all when all members have added theirs.
  void place() {
    std::erase_if(waiting_, [this](waiting& each) {
      const auto begin = board_.begin_of(each.chunk);
      if (!begin) return false;
      const rank_t owner = each.chunk.owner;
      // Nobody reads the result yet, and nobody else has these rows.
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
  std::vector<waiting> waiting_;  ///< of each owner in order
  std::vector<result_pieces<V>> free_;
};

}  // namespace acre::detail
