// SPDX-License-Identifier: BSD-3-Clause
// Partition of one dimension (cut.hpp) at given bounds.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/shared_object.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace acre::layout {

/// Number of the last block that begins at or before `index`. Cost: a binary search.
/// @param places  block begins, ascending from 0, then the extent
template <class Places>
[[nodiscard]] constexpr std::size_t block_at(const Places& places,
                                             typename Places::value_type index) noexcept {
  std::size_t below = 0;
  std::size_t above = places.size();
  while (above - below > 1) {
    const std::size_t middle = below + (above - below) / 2;
    (places[middle] <= index ? below : above) = middle;
  }
  return below;
}

/// Blocks of any sizes, possibly empty; copies share the bounds. block_of() costs a binary search.
class cut_at {
 public:
  static constexpr bool is_regular = false;
  static constexpr bool is_balanced = false;
  static constexpr bool is_one_a_part = true;

  cut_at() : cut_at(std::vector<std::size_t>{0}) {}
  /// @param places  block begins, never decreasing from 0, then the extent
  explicit cut_at(std::vector<std::size_t> places)
      : places_(shared_places::make(std::move(places))) {
    for (std::size_t block = 0; block < blocks(); ++block) {
      largest_ = larger(largest_, first(block + 1) - first(block));
    }
  }

  [[nodiscard]] std::size_t extent() const noexcept { return places_->back(); }
  [[nodiscard]] std::size_t blocks() const noexcept { return places_->size() - 1; }
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::size_t block_of(std::size_t index) const noexcept {
    return block_at(*places_, index);
  }
  [[nodiscard]] std::size_t first(std::size_t block) const noexcept { return (*places_)[block]; }

  friend bool operator==(const cut_at& a, const cut_at& b) noexcept {
    return a.places_ == b.places_ || *a.places_ == *b.places_;
  }

 private:
  using shared_places = base::shared_object<const std::vector<std::size_t>>;

  shared_places places_;
  std::size_t largest_ = 1;
};

}  // namespace acre::layout
