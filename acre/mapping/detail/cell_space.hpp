// SPDX-License-Identifier: BSD-3-Clause
// Cells of an unbounded grid, coordinates packed into one number: a step is an addition.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/mapping/traffic.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace acre::mapping {

using cell = std::uint64_t;
inline constexpr cell unplaced = ~cell{0};

class cell_space {
 public:
  explicit cell_space(unsigned dimensions)
      : dimensions_(dimensions), bits_(std::min(21U, 63U / dimensions)) {}

  [[nodiscard]] unsigned dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] cell unit(unsigned dimension) const noexcept {
    return cell{1} << (dimension * bits_);
  }
  [[nodiscard]] std::int64_t middle() const noexcept { return std::int64_t{1} << (bits_ - 1); }
  [[nodiscard]] cell origin() const noexcept {
    cell all = 0;
    for (unsigned d = 0; d < dimensions_; ++d) all += unit(d) * static_cast<cell>(middle());
    return all;
  }
  [[nodiscard]] std::int64_t coordinate(cell of, unsigned dimension) const noexcept {
    const cell mask = (cell{1} << bits_) - 1;
    return static_cast<std::int64_t>(of >> (dimension * bits_) & mask) - middle();
  }
  [[nodiscard]] bool is_inside(cell of) const noexcept {
    for (unsigned d = 0; d < dimensions_; ++d) {
      if (std::abs(coordinate(of, d)) >= middle() - 1) return false;
    }
    return true;
  }

 private:
  unsigned dimensions_;
  unsigned bits_;
};

class occupants {
 public:
  explicit occupants(rank_t ranks)
      : mask_(std::bit_ceil(std::size_t{ranks} * 2 + 2) - 1), cells_(mask_ + 1), ranks_(mask_ + 1) {
    std::ranges::fill(ranks_, invalid_rank);
  }
  [[nodiscard]] rank_t at(cell where) const noexcept { return ranks_[slot(where)]; }
  void put(cell where, rank_t rank) noexcept {
    const std::size_t free = slot(where);
    cells_[free] = where;
    ranks_[free] = rank;
  }

 private:
  [[nodiscard]] std::size_t slot(cell where) const noexcept {
    std::size_t i = mix_bits(where) & mask_;
    while (ranks_[i] != invalid_rank && cells_[i] != where) i = (i + 1) & mask_;
    return i;
  }
  std::size_t mask_;
  std::vector<cell> cells_;
  std::vector<rank_t> ranks_;
};

}  // namespace acre::mapping
