// SPDX-License-Identifier: BSD-3-Clause
// The blocks of c that a member makes of a part of a product: their pattern, their sums, and their
// way into c. They replace the member's own blocks, or go to their owners, which add them.
//
// Factors are read and multiplied elsewhere (part_product.hpp), which adds products to the sums.
#pragma once

#include <acre/block/detail/block_product.hpp>
#include <acre/block/detail/product_call.hpp>
#include <acre/block/stage_together.hpp>
#include <acre/global/memory/segment_block.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::block_matrices {

/// Blocks that are there, sorted by rows, as a pattern of a part, without offsets.
template <class T>
[[nodiscard]] product_pattern blocks_there(std::span<const block_entry> index,
                                           const product_part& part, const block_matrix<T>& c);

template <class T>
class product_result {
 public:
  /// @param part  in a cell of one member, this member's own blocks
  product_result(const product_call<T>& call, block_matrix<T>& c, const product_part& part,
                 const layer_cell& cell)
      : call_(call), c_(c), part_(part), cell_(cell), is_own_(cell.layers() == 1 && is_whole()) {}

  /// Blocks that the part has in any case. Between the barriers of a collective.
  [[nodiscard]] product_pattern there();
  /// Makes room for the blocks of a pattern.
  void begin(product_pattern pattern);
  [[nodiscard]] const product_pattern& pattern() const noexcept { return pattern_; }
  /// Elements of all blocks, in the order of the pattern.
  [[nodiscard]] T* sums() const noexcept { return sums_.template as<T>(); }
  /// To be called for each block, by its number in the pattern, once it has all its products and
  /// while it is in the cache.
  void finish(std::size_t i, T* block, std::size_t elements);
  /// Changes c, after all members have finished all blocks and read no more blocks. Collective.
  void accept(multiply_report& report);

 private:
  [[nodiscard]] bool is_whole() const noexcept;
  [[nodiscard]] product_pattern blocks_of_cell();
  void find_old_blocks();
  void replace_own_blocks();

  const product_call<T>& call_;
  block_matrix<T>& c_;
  const product_part& part_;
  layer_cell cell_;
  bool is_own_;
  std::size_t bytes_read_ = 0;  ///< of the others' indices
  product_pattern pattern_;
  global::segment_block sums_;
  global::segment_block index_;  ///< room for the index of its own blocks
  std::vector<const T*> old_;    ///< by number in the pattern, where beta is not 0
  std::vector<double> norms_;
};

/// c = beta c. Nobody reads it until the next barrier. Local.
template <class T>
void scale_result(const product_call<T>& call, block_matrix<T>& c);
/// c = beta c, and what waits is added. Nobody reads it until the next barrier. Collective.
template <class T>
void take_shares(const product_call<T>& call, block_matrix<T>& c);
/// Blocks of a part go to their owners, alpha times, with the next finalise().
template <class T>
void give_shares(const product_call<T>& call, block_matrix<T>& c, const product_part& part,
                 const product_pattern& pattern, T* data, multiply_report& report);
/// c = beta c, and what give(), by give_shares(), gives of each part. Collective. @throws what
/// give() throws; acre::error on the other members; c is as it was then
template <class T, class Give>
void add_shares(const product_call<T>& call, block_matrix<T>& c, Give&& give) {
  stage_together("multiply", c, call.where, give);
  take_shares(call, c);
}

}  // namespace acre::block_matrices
