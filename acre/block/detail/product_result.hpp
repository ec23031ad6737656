// What becomes of c when a member has made its part of a product: the part takes the place of the
// member's own blocks, or its blocks are given to their owners, who add them.
#pragma once

#include <acre/block/detail/block_product.hpp>
#include <acre/block/detail/product_call.hpp>
#include <acre/block/stage_together.hpp>
#include <acre/global/memory/segment_block.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::detail {

/// Blocks that are there, sorted by rows, as a pattern of a part, without offsets.
template <class T>
[[nodiscard]] product_pattern blocks_there(std::span<const block_entry> index,
                                           const product_part& part, const block_matrix<T>& c);

template <class T>
class product_result {
 public:
  /// Of a part that is this member's own blocks where a cell has one member.
  product_result(const product_call<T>& call, block_matrix<T>& c, const product_part& part,
                 const layer_cell& cell)
      : call_(call), c_(c), part_(part), cell_(cell), is_own_(cell.layers() == 1 && is_whole()) {}

  /// Blocks that the part has in any case. Between the barriers of a collective.
  [[nodiscard]] product_pattern there();
  /// Whether a block may be added, by its numbers in the matrix.
  [[nodiscard]] bool wants(std::size_t row, std::size_t column) const noexcept {
    return is_stored(c_.symmetry(), row, column);
  }

  [[nodiscard]] bool wants_all() const noexcept { return c_.symmetry() == block_symmetry::none; }
  /// Room for the elements of the pattern.
  [[nodiscard]] segment_block room_for(std::size_t elements) {
    return is_own_ ? c_.store().room_for(elements) : segment_block(elements * sizeof(T));
  }
  /// Says which blocks there will be, and makes room for all but their elements.
  void begin(const product_pattern& pattern);
  /// A block, by its number in the pattern, has all its products, and is in the cache.
  void finish(std::size_t i, T* block, std::size_t elements);
  /// All are done, and nobody reads blocks any more. Collective.
  void accept(const product_pattern& pattern, segment_block data, multiply_report& report);

 private:
  [[nodiscard]] bool is_whole() const noexcept;
  [[nodiscard]] product_pattern blocks_of_cell();
  void become(const product_pattern& pattern, segment_block data);

  const product_call<T>& call_;
  block_matrix<T>& c_;
  const product_part& part_;
  layer_cell cell_;
  bool is_own_;
  std::size_t bytes_read_ = 0;  ///< of the others' indices
  segment_block index_;         ///< room for that of its own blocks
  std::vector<const T*> old_;   ///< by number in the pattern, where beta is not 0
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

}  // namespace acre::detail
