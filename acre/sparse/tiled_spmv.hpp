// The product of a sparse matrix in tiles and a vector: y = A x over any semiring.
//
//     acre::spmv<acre::semirings::plus_times<double>>(t, x, y);
//
// Each member reads the elements of x that its column of the grid has, and multiplies its tile. Who
// has elements of y reads the sums of the tiles of their row of the grid, and adds them from left
// to right: so the same call gives the same bits.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/completion.hpp>
#include <acre/global/put_get.hpp>
#include <acre/sparse/dense_vector.hpp>
#include <acre/sparse/semiring.hpp>
#include <acre/sparse/spmv.hpp>
#include <acre/sparse/tiled_csr_matrix.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace acre {

namespace detail {

/// Elements of a vector that follow each other, in plain memory: in place where one member has all
/// of them and they are mapped here, else a copy.
template <class X>
class run_at_hand {
 public:
  template <row_vector V>
  run_at_hand(const V& vector, std::size_t first, std::size_t count) {
    const row_cut cut = cut_of(vector);
    for (std::size_t done = 0; done < count;) {
      const std::size_t index = first + done;
      const std::size_t behind = cut.first_of(cut.owner(index) + 1);
      const std::size_t here = std::min(behind - index, count - done);
      const auto place = vector.pointer(index);
      if (here == count && place.local() != nullptr) {
        values_ = place.local();
        return;
      }
      if (copies_ == nullptr) copies_ = std::make_unique_for_overwrite<X[]>(count);
      get_nbi(place, std::span<X>(copies_.get() + done, here));
      done += here;
    }
    quiet();
    values_ = copies_.get();
  }

  [[nodiscard]] const X* values() const noexcept { return values_; }

 private:
  const X* values_ = nullptr;
  std::unique_ptr<X[]> copies_;
};

/// The sums that the tiles have for elements of a vector that follow each other: use(index among
/// these, sum of all tiles of its row of the grid). The members have met after they made them.
template <class S, class Use>
void add_tiles(const tile_cut& cut, const tile_sums& sums, std::size_t first, std::size_t count,
               Use&& use) {
  using value = typename S::value_type;
  const rank_t tiles = cut.grid().columns;
  const auto each_row_of_grid = [&](auto&& act) {
    for (std::size_t begin = 0; begin < count;) {
      const rank_t row = cut.rows().owner(first + begin);
      const std::size_t end = std::min(cut.rows().first_of(row + 1) - first, count);
      act(row, begin, end);
      begin = end;
    }
  };
  const auto copies = std::make_unique_for_overwrite<value[]>(count * tiles);
  std::vector<const value*> parts;  // of the rows of the grid in turn, from left to right
  each_row_of_grid([&](rank_t row, std::size_t begin, std::size_t end) {
    for (rank_t column = 0; column < tiles; ++column) {
      const auto there = sums.of<value>(cut.grid().member(row, column)) +
                         static_cast<std::ptrdiff_t>(first + begin - cut.rows().first_of(row));
      parts.push_back(there.local());
      if (parts.back() != nullptr) continue;
      value* const copy = copies.get() + begin * tiles + column * (end - begin);
      get_nbi(there, std::span<value>(copy, end - begin));
      parts.back() = copy;
    }
  });
  quiet();
  const value* const* part = parts.data();
  each_row_of_grid([&](rank_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      value sum = part[0][i - begin];
      for (rank_t column = 1; column < tiles; ++column) {
        sum = S::add(sum, part[column][i - begin]);
      }
      use(i, sum);
    }
    part += tiles;
  });
}

}  // namespace detail

/// y = A x, of the elements of y that are chosen. x and y are cut in any way; x is not y.
/// Collective. Cost: 2 B, and 1 allgather the first time; R for each member that has elements of x
/// of this member's column of the grid, all of them at once, and then R for each column of the
/// grid. Of n rows and columns on p members in a square grid these are 2 n / sqrt(p) elements.
/// @param rows  of this member's elements of y, by their number here
/// @throws acre::error on all members when x has another size than A has columns, y than A has
/// rows, or one is of more or fewer members
template <class S, class T, row_vector X, row_vector Y, class Rows = all_rows>
  requires semiring<S, T, typename X::value_type>
void spmv(const tiled_csr_matrix<T>& a, const X& x, Y& y, into target = into::result,
          Rows rows = {}, const site& where = site::current()) {
  using value = typename S::value_type;
  using element = typename Y::value_type;
  const team& members = a.members();
  const row_cut cut_of_y = cut_of(y);
  detail::check_equal("spmv", "the columns", a.columns(), "the elements of x", x.size(), where);
  detail::check_equal("spmv", "the rows", a.rows(), "the elements of y", cut_of_y.rows(), where);
  detail::check_equal("spmv", "the members of the matrix", members.size(), "those of y",
                      cut_of_y.members(), where);
  const detail::tile_sums& sums = detail::tiled_access::sums(a, sizeof(value), where);
  members.barrier(where);
  const csr_rows<T> tile = a.local();
  {
    const detail::run_at_hand<typename X::value_type> elements(x, a.first_local_column(),
                                                               a.cut().columns_of(members.rank()));
    value* const mine = sums.mine<value>();
    for (std::size_t row = 0; row < tile.count; ++row) {
      mine[row] = detail::row_sum<S>(tile, tile.columns, elements.values(), tile.begin_of(row),
                                     tile.end_of(row));
    }
  }
  members.barrier(where);
  const auto results = y.local();
  detail::add_tiles<S>(
      a.cut(), sums, cut_of_y.first_of(members.rank()), results.size(),
      [&](std::size_t i, const value& sum) {
        if (!rows(i)) return;
        results[i] = static_cast<element>(target == into::sum ? S::add(results[i], sum) : sum);
      });
}

}  // namespace acre
