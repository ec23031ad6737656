// SPDX-License-Identifier: BSD-3-Clause
// Results as text: a line "vertex value" for each vertex, in order.
#pragma once

#include <acre/global/team/team.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace acre::graph {

/// In the members' order. Collective. @throws acre::error on all members
void store_texts(const team& members, const std::string& path, std::string_view own);

/// Writes the members' values in their order; the largest integer is written as -1. Collective.
/// @param first  vertex of the first own value
/// @throws acre::error on all members
template <class T>
void store_values(const team& members, const std::string& path, std::uint64_t first,
                  std::span<const T> own) {
  std::string text;
  for (const T& value : own) {
    fmt::format_to(std::back_inserter(text), "{} ", first++);
    if (std::is_integral_v<T> && value == std::numeric_limits<T>::max()) {
      text += "-1\n";
    } else {
      fmt::format_to(std::back_inserter(text), "{}\n", value);
    }
  }
  store_texts(members, path, text);
}

/// As above for a vector by rows; without effect if `path` is empty.
template <class Vector>
void store_vector(const std::string& path, const Vector& values) {
  using value = typename Vector::value_type;
  if (path.empty()) return;
  store_values(values.members(), path, values.local_offset(),
               std::span<const value>(values.local()));
}

}  // namespace acre::graph
