// SPDX-License-Identifier: BSD-3-Clause
// Numbers the chosen block rows or columns of a matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::block_matrices {

class block_numbers {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// @param chosen  block chosen[i] receives number i
  block_numbers(std::span<const std::uint32_t> chosen, std::size_t blocks)
      : numbers_(blocks, none) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      numbers_[chosen[i]] = static_cast<std::uint32_t>(i);
    }
  }
  [[nodiscard]] std::uint32_t operator[](std::size_t block) const noexcept {
    return numbers_[block];
  }

 private:
  std::vector<std::uint32_t> numbers_;
};

}  // namespace acre::block_matrices
