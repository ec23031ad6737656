// SPDX-License-Identifier: BSD-3-Clause
// How one dimension of a matrix is cut into blocks, which need not be of one size.
//
//     auto rows = acre::block_sizes::equal(108, 23);   // 108 blocks of 23
//     acre::block_sizes water{13, 5, 5};               // one after the other
//     rows.begin_of(2) == 46
//
// It never changes, and copies share it.
#pragma once

#include <acre/base/shared_object.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/cut_at.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace acre {

class block_sizes {
 public:
  /// No blocks.
  block_sizes() : block_sizes(std::vector<std::uint32_t>()) {}
  /// One block after the other, each of at least one element.
  /// @throws acre::error when one is empty, or they are more than 2^31, or of more than 2^63
  /// elements
  explicit block_sizes(std::vector<std::uint32_t> sizes, const site& where = site::current());
  block_sizes(std::initializer_list<std::uint32_t> sizes, const site& where = site::current())
      : block_sizes(std::vector<std::uint32_t>(sizes), where) {}
  /// As many, of one size.
  [[nodiscard]] static block_sizes equal(std::size_t blocks, std::uint32_t size,
                                         const site& where = site::current());
  /// Blocks of one size, and at the end one of what is left, that have so many elements together.
  [[nodiscard]] static block_sizes covering(std::size_t elements, std::uint32_t size,
                                            const site& where = site::current());

  /// How many blocks.
  [[nodiscard]] std::size_t blocks() const noexcept { return cut_.blocks(); }
  /// How many elements all of them have.
  [[nodiscard]] std::size_t elements() const noexcept { return cut_.extent(); }
  /// The elements of the largest block; 0 without blocks.
  [[nodiscard]] std::uint32_t largest() const noexcept {
    return distinct().empty() ? 0 : distinct().back();
  }

  /// Elements of a block; 0 where there is none.
  [[nodiscard]] double mean() const noexcept {
    return blocks() == 0 ? 0 : static_cast<double>(elements()) / static_cast<double>(blocks());
  }

  [[nodiscard]] std::uint32_t size_of(std::size_t block) const noexcept {
    return kinds_->sizes[block];
  }
  /// The number of its first element; elements() for the one behind the last. l.
  [[nodiscard]] std::size_t begin_of(std::size_t block) const noexcept { return cut_.first(block); }
  /// The block that an element lies in. Logarithmic.
  [[nodiscard]] std::size_t block_of(std::size_t element) const noexcept {
    return cut_.block_of(element);
  }

  [[nodiscard]] std::span<const std::uint32_t> sizes() const noexcept { return kinds_->sizes; }
  /// The sizes that there are, each once, the smallest first.
  [[nodiscard]] std::span<const std::uint32_t> distinct() const noexcept {
    return kinds_->distinct;
  }
  /// Which of distinct() a block has.
  [[nodiscard]] std::uint32_t class_of(std::size_t block) const noexcept {
    return kinds_->classes[block];
  }

  /// Whether the same blocks follow each other.
  friend bool operator==(const block_sizes& a, const block_sizes& b) noexcept {
    return a.cut_ == b.cut_;
  }

 private:
  struct kinds {
    std::vector<std::uint32_t> sizes;
    std::vector<std::uint32_t> distinct;
    std::vector<std::uint32_t> classes;
  };
  layout::cut_at cut_;
  base::shared_object<const kinds> kinds_;
};

}  // namespace acre
