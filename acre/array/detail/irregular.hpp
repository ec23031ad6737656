// SPDX-License-Identifier: BSD-3-Clause
// Kind of list and ragged_array, shared so that algorithms compile once.
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

[[nodiscard]] const array_memory<irregular_kind>& irregular_memory(
    const array_memory<irregular_kind>* memory, const char* what);

[[nodiscard]] irregular_kind::pattern irregular_pattern(std::span<const std::size_t> counts);

}  // namespace acre::arrays
