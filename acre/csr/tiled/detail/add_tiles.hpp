// SPDX-License-Identifier: BSD-3-Clause
// Adds the tile sums of a grid row from left to right: bitwise reproducible.
#pragma once

#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/tiled/detail/tile_sums.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/transfer/completion.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace acre::csr {

struct run_of_rows {
  std::size_t first;
  std::size_t count;
  std::size_t width = 1;
};

/// Calls use(element index, sum), row by row. Requires a barrier after writing the sums.
template <additive S, class Use>
void add_tiles(const tile_cut& cut, const tile_sums& sums, const run_of_rows& run, Use&& use) {
  using value = typename S::value_type;
  const rank_t tiles = cut.grid().columns;
  const auto each_row_of_grid = [&](auto&& act) {
    for (std::size_t begin = 0; begin < run.count;) {
      const rank_t row = cut.rows().owner(run.first + begin);
      const std::size_t end = std::min(cut.rows().first_of(row + 1) - run.first, run.count);
      act(row, begin, end);
      begin = end;
    }
  };
  const auto copies = std::make_unique_for_overwrite<value[]>(run.count * run.width * tiles);
  std::vector<const value*> parts;
  const global::quiet_on_failure reads_end;
  each_row_of_grid([&](rank_t row, std::size_t begin, std::size_t end) {
    const std::size_t place = (run.first + begin - cut.rows().first_of(row)) * run.width;
    const std::size_t elements = (end - begin) * run.width;
    for (rank_t column = 0; column < tiles; ++column) {
      const auto there =
          sums.of<value>(cut.grid().member(row, column)) + static_cast<std::ptrdiff_t>(place);
      parts.push_back(there.local());
      if (parts.back() != nullptr) continue;
      value* const copy = copies.get() + begin * run.width * tiles + column * elements;
      get_nbi(there, std::span<value>(copy, elements));
      parts.back() = copy;
    }
  });
  quiet();
  const value* const* part = parts.data();
  each_row_of_grid([&](rank_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < (end - begin) * run.width; ++i) {
      value sum = part[0][i];
      for (rank_t column = 1; column < tiles; ++column) sum = S::add(sum, part[column][i]);
      use(begin * run.width + i, sum);
    }
    part += tiles;
  });
}

}  // namespace acre::csr
