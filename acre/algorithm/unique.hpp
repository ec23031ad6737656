// SPDX-License-Identifier: BSD-3-Clause
// Removes equal neighbours. Collective in the range's team.
//
//     acre::sort(a);
//     const auto rest = acre::unique(a);              // the distinct elements are before `rest`
#pragma once

#include <acre/algorithm/detail/range_blocks.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre {

namespace algorithm {

/// Element before a block; null at the beginning.
template <class T>
[[nodiscard]] global_ptr<T> element_before(const range_blocks& blocks, const range_block& own) {
  for (const range_block& each : blocks) {
    if (each.count != 0 && each.first + each.count == own.first) {
      return each.data<T>() + static_cast<std::ptrdiff_t>(each.count - 1);
    }
  }
  return nullptr;
}

/// Starts writes from index `first` on; complete after quiet().
template <class T>
void write_to_blocks(const range_blocks& blocks, std::size_t first, std::span<const T> values,
                     const site& where) {
  for (const range_block& each : blocks) {
    const std::size_t from = larger(first, each.first);
    const std::size_t to = smaller(first + values.size(), each.first + each.count);
    if (from >= to) continue;
    put_nbi(each.data<T>() + static_cast<std::ptrdiff_t>(from - each.first),
            values.subspan(from - first, to - from), where);
  }
}

/// Copies the first of equal neighbours. @return their number
template <class T, class Equal, class Projection>
[[nodiscard]] std::size_t keep_unequal(const range_blocks& blocks, const range_block& own, T* kept,
                                       const Equal& equal, const Projection& projection,
                                       const site& where) {
  const std::span<const T> elements = own.local<T>();
  if (elements.empty()) return 0;
  const auto are_equal = [&](const T& a, const T& b) {
    return base::invoke(equal, base::invoke(projection, a), base::invoke(projection, b));
  };
  std::size_t count = 0;
  const auto keep = [&](const T& each) {
    base::move_elements(kept + count++, std::span(&each, 1));
  };
  const global_ptr<T> before = element_before<T>(blocks, own);
  if (!before || !are_equal(get(before, where), elements[0])) keep(elements[0]);
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (!are_equal(elements[i - 1], elements[i])) keep(elements[i]);
  }
  return count;
}

}  // namespace algorithm

/// Removes all but the first of equal neighbours, as std::ranges::unique; sort() before for
/// numpy.unique. `equal` must be transitive. Returns the range of the others, whose values are
/// unspecified. Cost: 2 B, 2 allgathers, 1 allreduce; R of one element; W per member. Memory: a
/// copy of own elements. Several runs per member: as sort().
/// @throws acre::error on all members for short memory; the exception of `equal`, acre::error on
/// others, and then the range is unchanged
template <ranges::memory_range R, class Equal = std::ranges::equal_to,
          class Projection = std::identity>
  requires ranges::writable_range<R> && algorithm::takes_equality<R, Equal, Projection>
auto unique(R&& range, const Equal& equal = {}, const Projection& projection = {},
            const site& where = site::current()) {
  using T = ranges::value_of<R>;
  view::begin_collective_call("unique", where, {{"the comparison", typeid(Equal)}}, range);
  const team& members = ranges::members(range);
  std::size_t kept_by_all = 0;
  algorithm::in_blocks(range, "unique", where, [&](const algorithm::range_blocks& blocks) {
    const algorithm::range_block& own = blocks[members.rank()];
    base::plain_buffer<T> kept;
    std::size_t count = 0;
    global::succeed_together(members, "unique", where, [&] {
      kept = base::plain_buffer<T>(own.count);
      count = algorithm::keep_unequal(blocks, own, kept.data(), equal, projection, where);
    });
    const std::vector<std::size_t> counts = members.allgather(count, where);
    std::size_t before = 0;
    for (rank_t member = 0; member < members.size(); ++member) {
      kept_by_all += counts[member];
      if (blocks[member].first < own.first) before += counts[member];
    }
    algorithm::then_barrier(members, where, [&] {
      algorithm::write_to_blocks(blocks, before, std::span<const T>(kept.data(), count), where);
      quiet();
    });
  });
  const auto begin = std::ranges::begin(range);
  return std::ranges::subrange(begin + static_cast<std::ptrdiff_t>(kept_by_all),
                               begin + std::ranges::ssize(range));
}

}  // namespace acre
