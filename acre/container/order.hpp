// SPDX-License-Identifier: BSD-3-Clause
// Order of keys.
#pragma once

#include <concepts>
#include <type_traits>

namespace acre {

struct less_by_operator {
  [[nodiscard]] constexpr bool operator()(const auto& a, const auto& b) const
      noexcept(noexcept(a < b)) {
    return a < b;
  }
};

/// Stateless and thread-safe, equal on all ranks. NaN is no key.
template <class Compare, class K>
concept order_for = std::is_empty_v<Compare> && std::default_initializable<Compare> &&
                    std::predicate<const Compare&, const K&, const K&>;

}  // namespace acre
