// What a rank reads of a factor of a product: the indices of those who hold it first, then the
// blocks that have a part in the product, some inner indices at a time.
//
// Blocks on this node are multiplied where they lie. Others come one-sided, those that follow each
// other at their owner in one transfer.
#pragma once

#include <acre/base/large_vector.hpp>
#include <acre/base/scratch.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/detail/block_store.hpp>
#include <acre/block/detail/tiled_factor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre::detail {

/// Which number a rank gives to a row or column of blocks that it works on.
class block_numbers {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// @param chosen  in the order of their numbers
  block_numbers(std::span<const std::uint32_t> chosen, std::size_t blocks)
      : numbers_(blocks, none), chosen_(chosen.begin(), chosen.end()) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      numbers_[chosen[i]] = static_cast<std::uint32_t>(i);
    }
  }
  [[nodiscard]] std::uint32_t operator[](std::size_t block) const noexcept {
    return numbers_[block];
  }
  [[nodiscard]] std::size_t size() const noexcept { return chosen_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> chosen() const noexcept { return chosen_; }

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> chosen_;
};

/// Of c = a b: which of both.
enum class factor_side { left, right };

/// Inner numbers first … last - 1.
struct inner_range {
  std::size_t first;
  std::size_t last;
};

template <class T>
class factor_reading {
 public:
  /// Reads the indices of all who hold blocks with these outer and inner numbers. Between the
  /// barriers of a collective.
  factor_reading(const block_matrix<T>& matrix, factor_side side, const block_numbers& outer,
                 const block_numbers& inner, const site& where);
  /// Of indices that have been read.
  factor_reading(std::shared_ptr<const blocks_of_others> theirs, const block_distribution& lies,
                 factor_side side, const block_numbers& outer, const block_numbers& inner);

  /// Of each inner number, the largest norm of a block; -1 where there is none.
  [[nodiscard]] std::vector<double> largest_norms(std::size_t inners) const;
  /// Leaves out what has no product that passes the filter.
  /// @param of_other  largest_norms() of the other factor
  void leave_out(std::span<const double> of_other, double filter);

  /// All blocks; of those on other nodes, only their numbers and norms.
  [[nodiscard]] const factor_blocks<T>& blocks() const noexcept { return blocks_; }
  /// The bytes of blocks of other nodes, by inner number.
  [[nodiscard]] std::vector<std::size_t> bytes_to_read(std::size_t inners) const;

  /// Blocks whose elements are here, or on their way here until the next quiet().
  struct arrivals {
    factor_blocks<T> blocks;
    scratch<T> elements;
  };
  /// Begins to read those of a range.
  [[nodiscard]] arrivals begin_reading(inner_range which, const site& where);

  [[nodiscard]] std::size_t bytes_read() const noexcept { return bytes_read_; }

 private:
  struct source {
    std::uint32_t part;
    std::uint32_t elements;
    std::uint64_t offset;
  };
  struct wanted_block {
    std::size_t number;  ///< among the arrivals
    source from;
  };

  void add(std::size_t part, const block_numbers& outer, const block_numbers& inner,
           factor_side side, const block_distribution& lies);
  void read(std::vector<wanted_block>& wanted, arrivals& made, const site& where);

  std::shared_ptr<const blocks_of_others> theirs_;
  factor_blocks<T> blocks_;
  large_vector<source> sources_;
  std::size_t bytes_read_ = 0;
};

/// The indices of all who hold blocks of these rows and columns.
template <class T>
[[nodiscard]] std::shared_ptr<const blocks_of_others> read_indices(const block_matrix<T>& matrix,
                                                                   const block_numbers& rows,
                                                                   const block_numbers& columns,
                                                                   const site& where);

extern template class factor_reading<float>;
extern template class factor_reading<double>;
extern template class factor_reading<std::complex<float>>;
extern template class factor_reading<std::complex<double>>;

}  // namespace acre::detail
