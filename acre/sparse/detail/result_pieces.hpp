// Rows of a product, before anybody knows how long all of them are: entries one after the other in
// large pieces of memory.
#pragma once

#include <acre/sparse/csr_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::detail {

/// Memory for entries, huge pages where the system has them.
class piece_memory {
 public:
  explicit piece_memory(std::size_t bytes);
  ~piece_memory();
  piece_memory(piece_memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  piece_memory& operator=(piece_memory&&) = delete;
  [[nodiscard]] std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_;
  std::size_t bytes_;
};

template <class V>
class result_pieces {
 public:
  /// Where the entries of the next row are written.
  struct place {
    column_t* columns;
    V* values;
  };
  /// At most so many: how many they are is said by keep().
  [[nodiscard]] place room_for(std::size_t entries) {
    if (pieces_.empty() || pieces_.back().size - pieces_.back().used < entries) {
      pieces_.emplace_back(std::max(entries, least));
    }
    return pieces_.back().at(pieces_.back().used);
  }
  /// Entries that were written to the last room: they follow those before, of the same piece.
  void keep(std::size_t entries) noexcept { pieces_.back().used += entries; }

  /// Where the next entry would be: in which piece, and where there.
  struct mark {
    std::size_t piece;
    std::size_t entry;
  };
  /// copy(place, entries) of what was kept between two marks.
  [[nodiscard]] mark now() const noexcept {
    return pieces_.empty() ? mark{0, 0} : mark{pieces_.size() - 1, pieces_.back().used};
  }
  template <class Copy>
  void each_between(mark begin, mark end, Copy&& copy) const {
    for (std::size_t number = begin.piece; number <= end.piece && number < pieces_.size();
         ++number) {
      const piece& one = pieces_[number];
      const std::size_t first = number == begin.piece ? begin.entry : 0;
      const std::size_t last = number == end.piece ? end.entry : one.used;
      if (first < last) copy(one.at(first), last - first);
    }
  }

 private:
  static constexpr std::size_t least = std::size_t{2} << 20;

  struct piece {
    explicit piece(std::size_t entries)
        : size(entries), columns(entries * sizeof(column_t)), values(entries * sizeof(V)) {}
    [[nodiscard]] place at(std::size_t entry) const noexcept {
      return {reinterpret_cast<column_t*>(columns.data()) + entry,
              reinterpret_cast<V*>(values.data()) + entry};
    }
    std::size_t size;
    std::size_t used = 0;
    piece_memory columns;
    piece_memory values;
  };
  std::vector<piece> pieces_;
};

}  // namespace acre::detail
