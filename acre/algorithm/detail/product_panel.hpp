// What a step of a product has of one of the matrices that are read: as it lies here, or as it was
// gathered from where it lies.
#pragma once

#include <acre/algorithm/detail/index_set.hpp>
#include <acre/algorithm/detail/plain_buffer.hpp>
#include <acre/algorithm/detail/product_operand.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/global_box.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace acre::detail {

/// f(position, piece) of what of a matrix lies in these rows and columns. l for each block.
template <class Operand, class F>
void each_piece_in(const Operand& of, const index_set& rows, const index_set& columns, F&& f) {
  std::size_t row = 0;
  for (const interval& r : rows.intervals()) {
    std::size_t column = 0;
    for (const interval& c : columns.intervals()) {
      of.each_piece(box_of(r, c), [&](const layout::box<2>& where, const auto& piece) {
        f(layout::coordinates<2>{row + (where.first[0] - r.first),
                                 column + (where.first[1] - c.first)},
          piece);
      });
      column += c.size();
    }
    row += r.size();
  }
}

/// A box of plain memory by rows or by columns, without gaps.
template <class T>
[[nodiscard]] box_span<T, 2> dense_box(T* data, const layout::coordinates<2>& extents,
                                       bool is_by_rows) noexcept {
  return {
      data, extents,
      is_by_rows ? layout::coordinates<2>{extents[1], 1} : layout::coordinates<2>{1, extents[0]}};
}

/// Pieces that may be parts of one array in plain memory, by their positions.
template <class T>
class array_finder {
 public:
  void add(const layout::coordinates<2>& at, const box_span<T, 2>& piece) noexcept {
    if (piece.data() == nullptr) is_array_ = false;
    if (!is_array_) return;
    const std::uintptr_t origin = reinterpret_cast<std::uintptr_t>(piece.data()) -
                                  sizeof(T) * (at[0] * piece.stride(0) + at[1] * piece.stride(1));
    if (number_++ == 0) {
      origin_ = origin;
      strides_ = piece.strides();
    } else {
      is_array_ = origin == origin_ && piece.strides() == strides_;
    }
  }
  /// All that was added, where it is one.
  [[nodiscard]] std::optional<box_span<T, 2>> find(
      const layout::coordinates<2>& extents) const noexcept {
    if (!is_array_ || number_ == 0) return std::nullopt;
    return box_span<T, 2>(reinterpret_cast<T*>(origin_), extents, strides_);  // NOLINT
  }

 private:
  std::uintptr_t origin_ = 0;
  layout::coordinates<2> strides_{};
  std::size_t number_ = 0;
  bool is_array_ = true;
};

/// @tparam Inner  the dimension of the matrix that the product sums over
template <class Operand, std::size_t Inner>
class panel_side {
  using T = typename Operand::value_type;
  static constexpr std::size_t outer = 1 - Inner;
  /// Pieces with as many indices of the outer dimension are worth a local product of their own.
  static constexpr std::size_t least_outer = 192;

 public:
  struct part {
    std::size_t first;  ///< position in the outer dimension
    box_span<const T, 2> elements;
  };

  /// How a panel of these rows and columns would be had.
  struct outlook {
    bool takes_no_memory;  ///< it is multiplied where it lies, however deep it is
    bool is_mapped;        ///< none of it comes from another node
  };
  [[nodiscard]] static outlook look_at(const Operand& of, const index_set& rows,
                                       const index_set& columns) {
    panel_side side;
    side.find(of, rows, columns);
    const bool is_mapped = std::ranges::all_of(
        side.pieces_, [](const placed& each) { return each.piece.data().is_local(); });
    return {side.is_in_place({rows.size(), columns.size()}), is_mapped};
  }

  /// Together they are all of the panel. Valid until the next load().
  [[nodiscard]] std::span<const part> parts() const noexcept { return parts_; }

  /// Elements that are not here come until quiet(); then finish() is called.
  void load(const Operand& of, const index_set& rows, const index_set& columns, const site& where) {
    find(of, rows, columns);
    const layout::coordinates<2> extents{rows.size(), columns.size()};
    gathered_ = {};
    if (!is_in_place(extents)) gather(extents, where);
  }
  void finish() noexcept {
    if constexpr (Operand::is_conjugated) {
      for (T& each : gathered_) each = std::conj(each);
    }
  }

 private:
  struct placed {
    layout::coordinates<2> at;
    global_box<const T, 2> piece;
  };

  void find(const Operand& of, const index_set& rows, const index_set& columns) {
    parts_.clear();
    pieces_.clear();
    each_piece_in(of, rows, columns,
                  [this](const auto& at, const auto& piece) { pieces_.push_back({at, piece}); });
  }
  [[nodiscard]] bool is_in_place(const layout::coordinates<2>& extents) {
    if constexpr (Operand::is_conjugated) return false;
    array_finder<const T> finder;
    bool are_large = true;
    for (const placed& each : pieces_) {
      finder.add(each.at, each.piece.local());
      are_large = are_large && is_large(each.piece, extents);
    }
    if (const auto array = finder.find(extents)) {
      parts_.push_back({0, *array});
    } else if (are_large) {
      for (const placed& each : pieces_) parts_.push_back({each.at[outer], each.piece.local()});
    }
    return !parts_.empty();
  }
  [[nodiscard]] static bool is_large(const global_box<const T, 2>& piece,
                                     const layout::coordinates<2>& extents) {
    return piece.data().is_local() && piece.extents()[Inner] == extents[Inner] &&
           piece.extents()[outer] >= least_outer;
  }
  void gather(const layout::coordinates<2>& extents, const site& where) {
    const std::size_t count = extents[0] * extents[1];
    if (buffer_.size() < count) buffer_ = plain_buffer<T>(count);
    gathered_ = buffer_.span().first(count);
    const box_span<T, 2> all = dense_box(buffer_.data(), extents, Operand::is_by_rows);
    for (const placed& each : pieces_) {
      get_nbi(each.piece, all.sub({.first = each.at, .extents = each.piece.extents()}), where);
    }
    parts_.push_back({0, all});
  }

  std::vector<placed> pieces_;
  std::vector<part> parts_;
  plain_buffer<T> buffer_;
  std::span<T> gathered_;
};

}  // namespace acre::detail
