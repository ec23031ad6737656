// SPDX-License-Identifier: BSD-3-Clause
// Panel of an operand, gathered in a buffer unless its blocks are local, and large or one array.
#pragma once

#include <acre/algorithm/detail/index_set.hpp>
#include <acre/algorithm/detail/product_operand.hpp>
#include <acre/base/complex_number.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/global_box.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::algorithm {

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

template <class T>
[[nodiscard]] box_span<T, 2> dense_box(T* data, const layout::coordinates<2>& extents,
                                       bool is_by_rows) noexcept {
  return {
      data, extents,
      is_by_rows ? layout::coordinates<2>{extents[1], 1} : layout::coordinates<2>{1, extents[0]}};
}

/// Detects pieces that form one array in local memory.
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

/// @tparam Inner  dimension to sum over
template <class Operand, std::size_t Inner>
class panel_side {
  using T = typename Operand::value_type;
  static constexpr std::size_t outer = 1 - Inner;
  /// Least outer extent to multiply in place.
  static constexpr std::size_t least_outer = 192;

 public:
  struct part {
    std::size_t first;
    box_span<const T, 2> elements;
  };

  struct outlook {
    std::optional<box_span<const T, 2>> array;
    bool is_mapped = true;
    bool are_large = true;

    [[nodiscard]] bool takes_no_memory() const noexcept { return array || are_large; }
  };
  [[nodiscard]] static outlook look_at(const Operand& of, const index_set& rows,
                                       const index_set& columns) {
    const layout::coordinates<2> extents{rows.size(), columns.size()};
    array_finder<const T> finder;
    outlook found;
    each_piece_in(of, rows, columns, [&](const auto& at, const auto& piece) {
      finder.add(at, box_span<const T, 2>(piece.local()));
      found.is_mapped = found.is_mapped && piece.data().is_local();
      found.are_large = found.are_large && piece.extents()[Inner] == extents[Inner] &&
                        piece.extents()[outer] >= least_outer;
    });
    found.are_large = found.are_large && found.is_mapped && !Operand::is_conjugated;
    if constexpr (!Operand::is_conjugated) found.array = finder.find(extents);
    return found;
  }

  [[nodiscard]] std::span<const part> parts() const noexcept { return parts_; }

  void load(const Operand& of, const index_set& rows, const index_set& columns, const site& where) {
    parts_.clear();
    gathered_ = {};
    const outlook found = look_at(of, rows, columns);
    if (found.array) {
      parts_.push_back({0, *found.array});
    } else if (found.are_large) {
      each_piece_in(of, rows, columns, [this](const auto& at, const auto& piece) {
        parts_.push_back({at[outer], piece.local()});
      });
    } else {
      gather(of, rows, columns, where);
    }
  }
  void finish() noexcept {
    if constexpr (Operand::is_conjugated) {
      for (T& each : gathered_) each = base::conjugate(each);
    }
  }

 private:
  void gather(const Operand& of, const index_set& rows, const index_set& columns,
              const site& where) {
    const layout::coordinates<2> extents{rows.size(), columns.size()};
    const std::size_t count = extents[0] * extents[1];
    if (buffer_.size() < count) buffer_ = base::plain_buffer<T>(count);
    gathered_ = buffer_.span().first(count);
    const box_span<T, 2> all = dense_box(buffer_.data(), extents, Operand::is_by_rows);
    each_piece_in(of, rows, columns, [&](const auto& at, const auto& piece) {
      get_nbi(piece, all.sub({.first = at, .extents = piece.extents()}), where);
    });
    parts_.push_back({0, all});
  }

  std::vector<part> parts_;
  base::plain_buffer<T> buffer_;
  std::span<T> gathered_;
};

}  // namespace acre::algorithm
