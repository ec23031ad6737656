// A member's part of a product of matrices (multiply.hpp): which panels it takes, where they are,
// and which of its own blocks they add to.
#pragma once

#include <acre/algorithm/detail/memory_of_members.hpp>
#include <acre/base/site.hpp>
#include <acre/global/completion.hpp>
#include <acre/global/team.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/global_box.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace acre::detail {

/// @throws acre::error when a b is not as large as c
void require_product(const char* call, const layout::coordinates<2>& a,
                     const layout::coordinates<2>& b, const layout::coordinates<2>& c,
                     const site& where);

/// @throws acre::error when c lies where one of the others does
void require_other_memory(const char* call, const std::vector<memory_of_member>& a,
                          const std::vector<memory_of_member>& b,
                          const std::vector<memory_of_member>& c, const site& where);

/// Indices of one dimension.
struct interval {
  std::size_t first;
  std::size_t end;

  [[nodiscard]] std::size_t size() const noexcept { return end - first; }
  friend auto operator<=>(const interval&, const interval&) = default;
};

/// Those between neighbours of these numbers.
[[nodiscard]] std::vector<interval> common_intervals(std::vector<std::size_t> cuts);
[[nodiscard]] std::vector<interval> sorted_unique(std::vector<interval> intervals);

[[nodiscard]] inline interval along(const layout::box<2>& box, std::size_t d) noexcept {
  return {box.first[d], box.first[d] + box.extents[d]};
}

/// What of a matrix a panel has: as it lies here, or as it was read. Its parts are added by the
/// number of the interval of rows or columns that they lie in, so that nobody searches for them.
template <class T>
class panel_side {
 public:
  struct part {
    layout::box<2> where;  ///< in the matrix
    box_span<const T, 2> elements;
  };

  /// Those of an interval. l.
  [[nodiscard]] std::span<const part> parts_of(std::size_t interval) const noexcept {
    const std::size_t first = first_of(interval);
    return std::span(parts_).subspan(first, first_of(interval + 1) - first);
  }
  /// Begins anew, with room for so many elements.
  void clear(std::size_t elements) {
    parts_.clear();
    firsts_.clear();
    used_ = 0;
    if (elements <= room_) return;
    buffer_ = std::make_unique_for_overwrite<T[]>(elements);
    room_ = elements;
  }
  /// Elements that are not mapped here are there after quiet().
  /// @param interval  not less than that of the one before
  void add(std::size_t interval, const layout::box<2>& where, const global_box<const T, 2>& piece,
           const site& at) {
    while (firsts_.size() <= interval) firsts_.push_back(parts_.size());
    if (piece.data().is_local()) {
      parts_.push_back({where, piece.local()});
      return;
    }
    // Its lines one after the other, as it lies there.
    const layout::coordinates<2>& extents = piece.extents();
    const bool is_by_rows = piece.strides()[1] <= piece.strides()[0];
    const layout::coordinates<2> strides =
        is_by_rows ? layout::coordinates<2>{extents[1], 1} : layout::coordinates<2>{1, extents[0]};
    const box_span<T, 2> here(buffer_.get() + used_, extents, strides);
    used_ += here.size();
    get_nbi(piece, here, at);
    parts_.push_back({where, here});
  }

 private:
  [[nodiscard]] std::size_t first_of(std::size_t interval) const noexcept {
    return interval < firsts_.size() ? firsts_[interval] : parts_.size();
  }

  std::vector<part> parts_;
  std::vector<std::size_t> firsts_;  ///< by interval: how many parts come before its own
  std::unique_ptr<T[]> buffer_;
  std::size_t room_ = 0;
  std::size_t used_ = 0;
};

template <class T, class A, class B, class C>
class summa_member {
  /// What is read from other nodes is so many deep at most.
  static constexpr std::size_t depth = 256;

 public:
  summa_member(const A& a, const B& b, const C& c, const site& where)
      : a_(a), b_(b), where_(where) {
    find_own(c);
    find_panels();
  }

  template <class Product>
  void run(Product& product) {
    if (own_.empty() || panels_.empty()) return;
    try {
      walk(product);
    } catch (...) {
      quiet();  // what is under way is read into panels that end here
      throw;
    }
  }

 private:
  struct block {
    layout::box<2> where;
    box_span<T, 2> elements;
    std::size_t row = 0;     ///< in rows_
    std::size_t column = 0;  ///< in columns_
  };
  struct panel {
    panel_side<T> of_a;
    panel_side<T> of_b;
  };

  template <class Product>
  void walk(Product& product) {
    read(panels_.front(), now_);
    quiet();
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      if (i + 1 < panels_.size()) read(panels_[i + 1], next_);
      for (const block& each : own_) add_to(each, product);
      quiet();
      std::swap(now_, next_);
    }
  }

  void find_own(const C& c) {
    c.each_own_piece(ranges::whole(c), [this](const layout::box<2>& where, const auto& piece) {
      own_.push_back({.where = where, .elements = piece.local()});
      rows_.push_back(along(where, 0));
      columns_.push_back(along(where, 1));
    });
    rows_ = sorted_unique(std::move(rows_));
    columns_ = sorted_unique(std::move(columns_));
    for (block& each : own_) {
      each.row = number_in(rows_, along(each.where, 0));
      each.column = number_in(columns_, along(each.where, 1));
    }
  }
  [[nodiscard]] static std::size_t number_in(const std::vector<interval>& sorted,
                                             const interval& one) noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(sorted, one) - sorted.begin());
  }
  /// Between two cuts of either matrix, and not deeper than what is read at once.
  void find_panels() {
    const std::size_t k = a_.extents()[1];
    if (k == 0 || own_.empty()) return;
    std::vector<std::size_t> cuts{0, k};
    a_.each_piece({.extents = {1, k}}, [&](const layout::box<2>& where, const auto&) {
      cuts.push_back(where.first[1]);
    });
    b_.each_piece({.extents = {k, 1}}, [&](const layout::box<2>& where, const auto&) {
      cuts.push_back(where.first[0]);
    });
    for (const interval& each : common_intervals(std::move(cuts))) {
      const std::size_t step = is_mapped(each) ? each.size() : depth;
      for (std::size_t first = each.first; first < each.end; first += step) {
        panels_.push_back({first, std::min(each.end, first + step)});
      }
    }
    begin_with_own();
  }
  void begin_with_own() {
    std::size_t own = 0;
    bool is_found = false;
    a_.each_own_piece(ranges::whole(a_), [&](const layout::box<2>& where, const auto&) {
      if (!std::exchange(is_found, true)) own = where.first[1];
    });
    std::ranges::rotate(panels_, std::ranges::find_if(panels_, [own](const interval& each) {
                          return each.first >= own;
                        }));
  }

  /// f(number of the interval, where, piece) of what of a matrix lies in these intervals of one
  /// dimension, and in k of the other.
  template <class Matrix, class F>
  static void each_part(const Matrix& of, std::size_t dimension,
                        const std::vector<interval>& intervals, const interval& k, F&& f) {
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      layout::box<2> part{.first = {k.first, k.first}, .extents = {k.size(), k.size()}};
      part.first[dimension] = intervals[i].first;
      part.extents[dimension] = intervals[i].size();
      of.each_piece(part, [&](const auto& where, const auto& piece) { f(i, where, piece); });
    }
  }
  [[nodiscard]] bool is_mapped(const interval& k) const {
    bool is_all = true;
    const auto look = [&](std::size_t, const auto&, const auto& piece) {
      is_all = is_all && piece.data().is_local();
    };
    each_part(a_, 0, rows_, k, look);
    each_part(b_, 1, columns_, k, look);
    return is_all;
  }
  [[nodiscard]] static std::size_t sum_of(const std::vector<interval>& all) noexcept {
    std::size_t sum = 0;
    for (const interval& each : all) sum += each.size();
    return sum;
  }
  void read(const interval& k, panel& into) const {
    const bool is_here = is_mapped(k);
    const auto read_side = [&](const auto& of, std::size_t dimension,
                               const std::vector<interval>& intervals, panel_side<T>& side) {
      side.clear(is_here ? 0 : sum_of(intervals) * k.size());
      each_part(of, dimension, intervals, k,
                [&](std::size_t number, const layout::box<2>& where, const auto& piece) {
                  side.add(number, where, piece, where_);
                });
    };
    read_side(a_, 0, rows_, into.of_a);
    read_side(b_, 1, columns_, into.of_b);
  }

  template <class Product>
  void add_to(const block& c, Product& product) const {
    for (const auto& left : now_.of_a.parts_of(c.row)) {
      for (const auto& right : now_.of_b.parts_of(c.column)) {
        const layout::box<2> part{.first = {left.where.first[0] - c.where.first[0],
                                            right.where.first[1] - c.where.first[1]},
                                  .extents = {left.where.extents[0], right.where.extents[1]}};
        product(left.elements, right.elements, c.elements.sub(part));
      }
    }
  }

  const A& a_;
  const B& b_;
  const site& where_;
  std::vector<block> own_;
  std::vector<interval> rows_;
  std::vector<interval> columns_;
  std::vector<interval> panels_;
  panel now_;
  panel next_;
};

template <class T, class A, class B, class C, class Product>
void summa(const A& a, const B& b, const C& c, Product& product, const site& where) {
  summa_member<T, A, B, C>(a, b, c, where).run(product);
}

}  // namespace acre::detail
