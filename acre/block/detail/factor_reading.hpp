// SPDX-License-Identifier: BSD-3-Clause
// Reads factor blocks for a range of inner indices: in place on this node, else one-sided by
// contiguous runs.
#pragma once

#include <acre/base/large_vector.hpp>
#include <acre/base/scratch.hpp>
#include <acre/base/site.hpp>
#include <acre/block/block_distribution.hpp>
#include <acre/block/detail/block_numbers.hpp>
#include <acre/block/detail/block_store.hpp>
#include <acre/block/detail/tiled_factor.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre::block_matrices {

enum class factor_side { left, right };

struct inner_range {
  std::size_t first;
  std::size_t last;
};

template <class T>
class factor_reading {
 public:
  factor_reading(std::shared_ptr<const blocks_of_others> theirs, const block_distribution& lies,
                 factor_side side, const block_numbers& outer, const block_numbers& inner);

  /// Largest norm per inner number; -1 without blocks.
  [[nodiscard]] std::vector<double> largest_norms(std::size_t inners) const;
  /// Drops blocks of which all products are below the filter.
  /// @param of_other  largest_norms() of the other factor
  void leave_out(std::span<const double> of_other, double filter);

  [[nodiscard]] const factor_blocks<T>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::vector<std::size_t> bytes_to_read(std::size_t inners) const;

  /// Blocks, complete after the next quiet().
  struct arrivals {
    factor_blocks<T> blocks;
    base::scratch<T> elements;
  };
  [[nodiscard]] arrivals begin_reading(inner_range which, const site& where);

  [[nodiscard]] std::size_t bytes_read() const noexcept { return bytes_read_; }

 private:
  struct source {
    std::uint32_t part;
    std::uint32_t elements;
    std::uint64_t offset;
  };
  struct wanted_block {
    std::size_t number;
    source from;
  };

  void add(std::size_t part, const block_numbers& outer, const block_numbers& inner,
           factor_side side, const block_distribution& lies);
  void read(std::vector<wanted_block>& wanted, arrivals& made, const site& where);

  std::shared_ptr<const blocks_of_others> theirs_;
  factor_blocks<T> blocks_;
  base::large_vector<source> sources_;
  std::size_t bytes_read_ = 0;
};

extern template class factor_reading<float>;
extern template class factor_reading<double>;
extern template class factor_reading<std::complex<float>>;
extern template class factor_reading<std::complex<double>>;

}  // namespace acre::block_matrices
