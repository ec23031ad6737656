// SPDX-License-Identifier: BSD-3-Clause
// Searches in the strings of a text_array. Collective. The array's own lower_bound() is one-sided.
//
//     const acre::list<std::size_t> places = acre::indices_containing(names, "ACGT");
#pragma once

#include <acre/array/list.hpp>
#include <acre/array/text_array.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

/// Indices of the strings for which the condition holds, ascending; each is at the string's owner.
/// Cost: l for each string, 2 B, 1 allgather, 1 allreduce.
/// @throws the exception of `holds`, acre::error on others
template <std::predicate<std::string_view> Holds>
[[nodiscard]] list<std::size_t> indices_where(const text_array& text, const Holds& holds,
                                              const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  list<std::size_t> found(text.members(), where);
  global::succeed_together(text.members(), "indices_where", where, [&] {
    std::size_t index = text.first_local();
    for (const std::string_view each : text.local()) {
      if (holds(each)) found.push_back(index);
      ++index;
    }
  });
  found.commit(where);
  return found;
}

/// Indices of the strings that contain `part`, as indices_where().
[[nodiscard]] list<std::size_t> indices_containing(const text_array& text, std::string_view part,
                                                   const site& where = site::current());

/// Index of the first string of sorted strings that is not less than keys[i], or size(). Members
/// may have different keys. Cost: 1 allgather of a string, 2 allreduces, 2 alltoallv of keys and
/// indices, l for each comparison.
/// @throws acre::error on all members for short memory
[[nodiscard]] std::vector<std::size_t> lower_bound(const text_array& sorted,
                                                   std::span<const std::string> keys,
                                                   const site& where = site::current());
/// As lower_bound(), for the first string that is greater than keys[i].
[[nodiscard]] std::vector<std::size_t> upper_bound(const text_array& sorted,
                                                   std::span<const std::string> keys,
                                                   const site& where = site::current());

}  // namespace acre
