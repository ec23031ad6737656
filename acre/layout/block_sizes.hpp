// SPDX-License-Identifier: BSD-3-Clause
// Immutable partition of one dimension into blocks of any sizes; copies share it.
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
  block_sizes() : block_sizes(std::vector<std::uint32_t>()) {}
  /// @throws acre::error if a size is 0, or for 2^31 or more blocks
  explicit block_sizes(std::vector<std::uint32_t> sizes, const site& where = site::current());
  block_sizes(std::initializer_list<std::uint32_t> sizes, const site& where = site::current())
      : block_sizes(std::vector<std::uint32_t>(sizes), where) {}
  [[nodiscard]] static block_sizes equal(std::size_t blocks, std::uint32_t size,
                                         const site& where = site::current());
  /// Blocks of `size` that cover `elements`; the last one may be shorter.
  [[nodiscard]] static block_sizes covering(std::size_t elements, std::uint32_t size,
                                            const site& where = site::current());

  [[nodiscard]] std::size_t blocks() const noexcept { return cut_.blocks(); }
  [[nodiscard]] std::size_t elements() const noexcept { return cut_.extent(); }
  /// Size of the largest block; 0 without blocks.
  [[nodiscard]] std::uint32_t largest() const noexcept {
    return distinct().empty() ? 0 : distinct().back();
  }

  /// Mean block size; 0 without blocks.
  [[nodiscard]] double mean() const noexcept {
    return blocks() == 0 ? 0 : static_cast<double>(elements()) / static_cast<double>(blocks());
  }

  [[nodiscard]] std::uint32_t size_of(std::size_t block) const noexcept {
    return kinds_->sizes[block];
  }
  /// First element of a block; elements() at the end. Cost: l.
  [[nodiscard]] std::size_t begin_of(std::size_t block) const noexcept { return cut_.first(block); }
  /// Block that contains `element`. Cost: logarithmic.
  [[nodiscard]] std::size_t block_of(std::size_t element) const noexcept {
    return cut_.block_of(element);
  }

  [[nodiscard]] std::span<const std::uint32_t> sizes() const noexcept { return kinds_->sizes; }
  /// Distinct sizes, ascending.
  [[nodiscard]] std::span<const std::uint32_t> distinct() const noexcept {
    return kinds_->distinct;
  }
  /// Index of the block's size in distinct().
  [[nodiscard]] std::uint32_t class_of(std::size_t block) const noexcept {
    return kinds_->classes[block];
  }

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
