// SPDX-License-Identifier: BSD-3-Clause
// Partition of one dimension into consecutive blocks, the first stage of a pattern (composed.hpp).
//
//     blocked_cut(10, 4);      // 3 3 3 1   equal, the last shorter
//     balanced_cut(10, 4);     // 3 3 2 2   differ by at most 1
//     tiled_cut(10, 4);        // 4 4 2     given size
//     cut_at({0, 1, 7, 10});   // 1 6 3     given bounds
//     whole_cut(10);           // 10
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/divisor.hpp>
#include <acre/layout/cut_at.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace acre::layout {

/// A cut of one dimension into blocks. Index < extent(), block < blocks().
/// Traits:
/// - is_regular: all blocks but the last have largest() elements
/// - is_balanced: block sizes differ by at most 1
/// - is_one_a_part: at most one block per part
template <class C>
concept cut = std::copyable<C> && std::equality_comparable<C> &&
              requires(const C& c, std::size_t index, std::size_t block) {
                { c.extent() } noexcept -> std::same_as<std::size_t>;
                { c.blocks() } noexcept -> std::same_as<std::size_t>;
                /// Upper bound of block sizes, at least 1.
                { c.largest() } noexcept -> std::same_as<std::size_t>;
                { c.block_of(index) } noexcept -> std::same_as<std::size_t>;
                /// First index of a block; first(blocks()) is extent().
                { c.first(block) } noexcept -> std::same_as<std::size_t>;
                requires std::same_as<decltype(C::is_regular), const bool>;
                requires std::same_as<decltype(C::is_balanced), const bool>;
                requires std::same_as<decltype(C::is_one_a_part), const bool>;
              };

/// Size given at run time.
inline constexpr std::size_t dynamic = ~std::size_t{0};

/// Blocks of `Size` elements, or of a run-time size; the last may be shorter.
template <std::size_t Size = dynamic>
class tiled_cut {
  static_assert(Size != 0, "tiled_cut<0> is invalid: a tile must have at least 1 element");

 public:
  static constexpr bool is_regular = true;
  static constexpr bool is_balanced = Size == 1;
  static constexpr bool is_one_a_part = false;

  constexpr tiled_cut() noexcept = default;
  constexpr explicit tiled_cut(std::size_t extent) noexcept
    requires(Size != dynamic)
      : extent_(extent) {}
  /// @param size  clamped to 1 … half of the std::size_t range
  constexpr tiled_cut(std::size_t extent, std::size_t size) noexcept
    requires(Size == dynamic)
      : extent_(extent), size_{divisor(larger(smaller(size, dynamic / 2), std::size_t{1}))} {}

  [[nodiscard]] constexpr std::size_t extent() const noexcept { return extent_; }
  [[nodiscard]] constexpr std::size_t blocks() const noexcept {
    return extent_ == 0 ? 0 : block_of(extent_ - 1) + 1;
  }
  [[nodiscard]] constexpr std::size_t largest() const noexcept {
    if constexpr (Size == dynamic) {
      return size_.value.value();
    } else {
      return Size;
    }
  }
  [[nodiscard]] constexpr std::size_t block_of(std::size_t index) const noexcept {
    if constexpr (Size == dynamic) {
      return index / size_.value;
    } else {
      return index / Size;
    }
  }
  [[nodiscard]] constexpr std::size_t first(std::size_t block) const noexcept {
    return smaller(block * largest(), extent_);
  }

  friend constexpr bool operator==(const tiled_cut&, const tiled_cut&) noexcept = default;

 private:
  struct known {
    friend constexpr bool operator==(known, known) noexcept = default;
  };
  struct unknown {
    divisor value;
    friend constexpr bool operator==(unknown, unknown) noexcept = default;
  };

  std::size_t extent_ = 0;
  [[no_unique_address]] std::conditional_t<Size == dynamic, unknown, known> size_{};
};
tiled_cut(std::size_t, std::size_t) -> tiled_cut<dynamic>;

/// Blocks of ceil(extent / parts) elements, at most one per part; the last may be shorter.
class blocked_cut {
 public:
  static constexpr bool is_regular = true;
  static constexpr bool is_balanced = false;
  static constexpr bool is_one_a_part = true;

  constexpr blocked_cut() noexcept = default;
  /// @param parts  0 counts as 1
  constexpr blocked_cut(std::size_t extent, std::size_t parts) noexcept
      : tiles_(extent, divide_up(extent, larger(parts, std::size_t{1}))) {}

  [[nodiscard]] constexpr std::size_t extent() const noexcept { return tiles_.extent(); }
  [[nodiscard]] constexpr std::size_t blocks() const noexcept { return tiles_.blocks(); }
  [[nodiscard]] constexpr std::size_t largest() const noexcept { return tiles_.largest(); }
  [[nodiscard]] constexpr std::size_t block_of(std::size_t index) const noexcept {
    return tiles_.block_of(index);
  }
  [[nodiscard]] constexpr std::size_t first(std::size_t block) const noexcept {
    return tiles_.first(block);
  }

  friend constexpr bool operator==(const blocked_cut&, const blocked_cut&) noexcept = default;

 private:
  tiled_cut<> tiles_;
};

/// Blocks whose sizes differ by at most 1, at most one per part; the first ones are longer.
class balanced_cut {
 public:
  static constexpr bool is_regular = false;
  static constexpr bool is_balanced = true;
  static constexpr bool is_one_a_part = true;

  constexpr balanced_cut() noexcept = default;
  /// @param parts  0 counts as 1
  constexpr balanced_cut(std::size_t extent, std::size_t parts) noexcept
      : extent_(extent),
        least_(extent / larger(parts, std::size_t{1})),
        longer_(extent % larger(parts, std::size_t{1})),
        blocks_(smaller(extent, larger(parts, std::size_t{1}))),
        by_least_(larger(least_, std::size_t{1})),
        by_longer_(least_ + 1) {}

  [[nodiscard]] constexpr std::size_t extent() const noexcept { return extent_; }
  [[nodiscard]] constexpr std::size_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr std::size_t largest() const noexcept {
    return larger(least_ + (longer_ != 0 ? 1 : 0), std::size_t{1});
  }
  [[nodiscard]] constexpr std::size_t block_of(std::size_t index) const noexcept {
    const std::size_t in_longer = longer_ * (least_ + 1);
    if (index < in_longer) return index / by_longer_;
    return longer_ + (index - in_longer) / by_least_;
  }
  [[nodiscard]] constexpr std::size_t first(std::size_t block) const noexcept {
    return block * least_ + smaller(block, longer_);
  }

  friend constexpr bool operator==(const balanced_cut&, const balanced_cut&) noexcept = default;

 private:
  std::size_t extent_ = 0;
  std::size_t least_ = 0;
  std::size_t longer_ = 0;
  std::size_t blocks_ = 0;
  divisor by_least_;
  divisor by_longer_;
};

class whole_cut {
 public:
  static constexpr bool is_regular = true;
  static constexpr bool is_balanced = true;
  static constexpr bool is_one_a_part = true;

  constexpr whole_cut() noexcept = default;
  constexpr explicit whole_cut(std::size_t extent) noexcept : extent_(extent) {}

  [[nodiscard]] constexpr std::size_t extent() const noexcept { return extent_; }
  [[nodiscard]] constexpr std::size_t blocks() const noexcept { return extent_ == 0 ? 0 : 1; }
  [[nodiscard]] constexpr std::size_t largest() const noexcept {
    return larger(extent_, std::size_t{1});
  }
  [[nodiscard]] constexpr std::size_t block_of(std::size_t) const noexcept { return 0; }
  [[nodiscard]] constexpr std::size_t first(std::size_t block) const noexcept {
    return block == 0 ? 0 : extent_;
  }

  friend constexpr bool operator==(const whole_cut&, const whole_cut&) noexcept = default;

 private:
  std::size_t extent_ = 0;
};

static_assert(cut<tiled_cut<>> && cut<tiled_cut<4>> && cut<blocked_cut> && cut<balanced_cut> &&
              cut<whole_cut> && cut<cut_at>);

/// Returns the block begins, then the extent; parts without a block begin at the extent.
template <cut C>
[[nodiscard]] std::vector<std::size_t> places_of(const C& cut, std::size_t parts) {
  std::vector<std::size_t> places;
  places.reserve(parts + 1);
  for (std::size_t part = 0; part < parts; ++part) {
    places.push_back(part < cut.blocks() ? cut.first(part) : cut.extent());
  }
  places.push_back(cut.extent());
  return places;
}

}  // namespace acre::layout
