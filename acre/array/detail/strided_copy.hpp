// Copies of boxes of plain memory, of any element: the shape is found out once, then it is loops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::detail {

/// Runs of bytes, repeated in some dimensions at other distances on both sides. Dimensions that lie
/// without gaps on both sides are one.
class strided_copy {
 public:
  static constexpr std::size_t most_dimensions = 8;

  /// @param extents  none 0
  /// @param to, from  distances of neighbours in each dimension, in elements of `size` bytes
  strided_copy(std::size_t size, std::span<const std::size_t> extents,
               std::span<const std::size_t> to, std::span<const std::size_t> from) noexcept;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  void operator()(std::byte* to, const std::byte* from) const noexcept;

 private:
  struct dimension {
    std::size_t count = 1;
    std::size_t to = 0;
    std::size_t from = 0;
  };

  std::size_t bytes_ = 0;
  std::size_t run_ = 0;
  std::size_t used_ = 0;
  std::array<dimension, most_dimensions> dimensions_{};  ///< the fastest first
};

}  // namespace acre::detail
