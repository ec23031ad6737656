// SPDX-License-Identifier: BSD-3-Clause
// Elements of which each member holds as many as it likes, in the order of the members: what lists
// and ragged arrays are made of. They are one kind, so that algorithms are compiled once for both.
#pragma once

#include <acre/array/detail/array_memory.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/layout/distribution.hpp>

#include <cstddef>
#include <span>

namespace acre::arrays {

struct irregular_kind {
  using pattern = layout::distribution_type<dist::at>;
  using memory = team_memory;
  static constexpr const char* name = "list or ragged_array";
  static constexpr const char* ending = "a destructor of an object made";
  static constexpr const char* maker = "its constructor that takes a team";
};

/// @param what  "list"
/// @throws acre::error when it was not made
[[nodiscard]] const array_memory<irregular_kind>& irregular_memory(
    const array_memory<irregular_kind>* memory, const char* what);

/// The pattern of so many elements on each member.
/// @throws acre::error when they are more than 64 bits count
[[nodiscard]] irregular_kind::pattern irregular_pattern(std::span<const std::size_t> counts);

}  // namespace acre::arrays
