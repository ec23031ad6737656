// SPDX-License-Identifier: BSD-3-Clause
// Blocks of c from one part of a product; they replace own blocks or are added at their owners.
#pragma once

#include <acre/block/detail/block_product.hpp>
#include <acre/block/detail/product_call.hpp>
#include <acre/block/stage_together.hpp>
#include <acre/global/memory/segment_block.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::block_matrices {

template <class T>
[[nodiscard]] product_pattern blocks_there(std::span<const block_entry> index,
                                           const product_part& part, const block_matrix<T>& c);

template <class T>
class product_result {
 public:
  product_result(const product_call<T>& call, block_matrix<T>& c, const product_part& part,
                 const layer_cell& cell)
      : call_(call), c_(c), part_(part), cell_(cell), is_own_(cell.layers() == 1 && is_whole()) {}

  /// Blocks that the pattern includes in any case. Within a collective's barriers.
  [[nodiscard]] product_pattern there();
  void begin(product_pattern pattern);
  [[nodiscard]] const product_pattern& pattern() const noexcept { return pattern_; }
  [[nodiscard]] T* sums() const noexcept { return sums_.template as<T>(); }
  /// Call per completed block, while in cache.
  void finish(std::size_t i, T* block, std::size_t elements);
  /// Changes c after all members finished reading. Collective.
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
  std::size_t bytes_read_ = 0;
  product_pattern pattern_;
  global::segment_block sums_;
  global::segment_block index_;
  std::vector<const T*> old_;
  std::vector<double> norms_;
};

/// c = beta c, while no member reads. Local.
template <class T>
void scale_result(const product_call<T>& call, block_matrix<T>& c);
/// c = beta c plus staged blocks, while no member reads. Collective.
template <class T>
void take_shares(const product_call<T>& call, block_matrix<T>& c);
/// Stages a part's blocks times alpha.
template <class T>
void give_shares(const product_call<T>& call, block_matrix<T>& c, const product_part& part,
                 const product_pattern& pattern, T* data, multiply_report& report);
/// c = beta c plus blocks of give(). Collective. @throws give()'s exception, acre::error elsewhere;
/// c is then unchanged
template <class T, class Give>
void add_shares(const product_call<T>& call, block_matrix<T>& c, Give&& give) {
  stage_together("multiply", c, call.where, give);
  take_shares(call, c);
}

}  // namespace acre::block_matrices
