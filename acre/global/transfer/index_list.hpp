// SPDX-License-Identifier: BSD-3-Clause
// Lists of indices for indexed puts and gets, and for gather() of arrays.
#pragma once

#include <acre/base/site.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>

namespace acre {

/// Range of integers with a size: vector, span, iota_view.
template <class Indices>
concept index_list = requires(const Indices& indices) {
  std::size(indices);
  { std::begin(indices) } -> std::input_iterator;
  requires std::integral<std::iter_value_t<decltype(std::begin(indices))>>;
};

namespace global {

[[noreturn]] void throw_unequal_lists(const char* call, std::size_t indices, std::size_t values,
                                      const site& where);

template <class Indices>
void check_equal_lists(const Indices& indices, std::size_t values, const char* call,
                       const site& where) {
  const auto count = static_cast<std::size_t>(std::size(indices));
  if (count != values) [[unlikely]] {
    throw_unequal_lists(call, count, values, where);
  }
}

}  // namespace global
}  // namespace acre
