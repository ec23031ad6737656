// SPDX-License-Identifier: BSD-3-Clause
// Sections: some members of a collection, called and reduced together.
//
//     const auto row = acre::section(plate, {3, 0}, {1, 40});
//     const auto black = acre::section(plate, [](const auto& at) { return (at[0] + at[1]) % 2; });
//     acre::invoke_all(black, &cell::relax);
//     double sum = acre::invoke_reduce(row, acre::op::sum, &cell::heat);
#pragma once

#include <acre/agas/detail/call_digest.hpp>
#include <acre/agas/object_collection.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/layout/box.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace agas {

template <std::size_t N>
struct strided_box {
  layout::box<N> from;
  layout::coordinates<N> steps{};

  [[nodiscard]] bool operator()(const member_index<N>& index) const noexcept {
    const auto at = coordinates_of<N>(index);
    if (!from.contains(at)) return false;
    for (std::size_t d = 0; d < N; ++d) {
      if ((at[d] - from.first[d]) % steps[d] != 0) return false;
    }
    return true;
  }
};

template <std::size_t N>
struct listed_indices {
  std::vector<member_index<N>> indices;

  [[nodiscard]] bool operator()(const member_index<N>& index) const {
    return std::ranges::binary_search(indices, index);
  }
  friend auto acre_fields(listed_indices& l) { return std::tie(l.indices); }
};

/// @throws acre::error if an index is out of range
template <std::size_t N>
[[nodiscard]] listed_indices<N> list_indices(const collection_state& all,
                                             std::vector<member_index<N>> indices) {
  const layout::box<N> valid{.extents = extents_of<N>(all)};
  for (const auto& each : indices) {
    const auto at = coordinates_of<N>(each);
    if (!valid.contains(at)) throw_no_such_index(all, at);
  }
  std::ranges::sort(indices);
  return {std::move(indices)};
}

template <std::size_t N>
[[nodiscard]] strided_box<N> box_of(const collection_state& all, const layout::box<N>& from,
                                    const layout::coordinates<N>& steps) {
  require_section(all, from.first, from.extents, steps);
  return {from, steps};
}

template <std::size_t N>
[[nodiscard]] constexpr layout::coordinates<N> unit_steps() noexcept {
  layout::coordinates<N> steps{};
  steps.fill(1);
  return steps;
}

template <class Select, std::size_t N>
concept selects_members = std::predicate<const Select&, const member_index<N>&>;

template <class Select>
[[nodiscard]] std::uint64_t digest_of_selection(const Select& select) {
  return call_digest().add(std::string_view(typeid(Select).name())).add_function(select).number();
}
/// Predicates that the digest distinguishes.
template <class Select>
inline constexpr bool is_distinguished =
    std::is_empty_v<Select> || std::has_unique_object_representations_v<Select>;
template <std::size_t N>
inline constexpr bool is_distinguished<strided_box<N>> = true;
template <std::size_t N>
inline constexpr bool is_distinguished<listed_indices<N>> = true;
template <std::size_t N>
[[nodiscard]] std::uint64_t digest_of_selection(const strided_box<N>& select) {
  return call_digest().add(select.from.first).add(select.from.extents).add(select.steps).number();
}
template <std::size_t N>
[[nodiscard]] std::uint64_t digest_of_selection(const listed_indices<N>& select) {
  return call_digest().add(select.indices).number();
}

}  // namespace agas

/// Members that a predicate of the index selects; valid in messages while the collection exists.
template <class T, std::size_t N, class Select>
class collection_section {
 public:
  using object_type = T;
  using index_type = member_index<N>;

  collection_section() = default;
  collection_section(const collection_id<T, N>& of, Select select)
      : of_(of), select_(std::move(select)) {}

  [[nodiscard]] const collection_id<T, N>& collection() const noexcept { return of_; }
  [[nodiscard]] bool contains(const index_type& index) const {
    return static_cast<bool>(select_(index));
  }
  [[nodiscard]] std::uint64_t digest() const { return agas::digest_of_selection(select_); }

  friend auto acre_fields(collection_section& s)
    requires(!std::is_trivially_copyable_v<Select>)
  {
    return std::tie(s.of_, s.select_);
  }

 private:
  collection_id<T, N> of_;
  Select select_;
};

/// Types of section() by a box and by indices.
template <class T, std::size_t N = 1>
using box_section = collection_section<T, N, agas::strided_box<N>>;
template <class T, std::size_t N = 1>
using index_section = collection_section<T, N, agas::listed_indices<N>>;

/// Members whose index `select` accepts at their home; its captures are trivially copyable. Cost:
/// l.
template <class T, std::size_t N, agas::selects_members<N> Select>
[[nodiscard]] collection_section<T, N, Select> section(const collection_id<T, N>& of,
                                                       const Select& select) {
  constexpr bool can_be_sent =
      global::travelling_function<Select> && !global::captures_address<Select>();
  static_assert(can_be_sent,
                "this predicate cannot be sent to the homes of members: capture trivially "
                "copyable values without pointers and references, or pass a vector of indices");
  return {of, select};
}
/// Every `steps`-th index of a box. Cost: l.
/// @throws acre::error if the box exceeds the collection, or a step is 0
template <class T, std::size_t N>
  requires(N > 1)
[[nodiscard]] box_section<T, N> section(
    const collection_id<T, N>& of, const layout::coordinates<N>& first,
    const layout::coordinates<N>& extents,
    const layout::coordinates<N>& steps = agas::unit_steps<N>()) {
  return {of, agas::box_of<N>(agas::collection_access::state(of), {first, extents}, steps)};
}
template <class T>
[[nodiscard]] box_section<T> section(const collection_id<T>& of, std::size_t first,
                                     std::size_t extent, std::size_t step = 1) {
  return {of, agas::box_of<1>(agas::collection_access::state(of), {{first}, {extent}}, {step})};
}
/// Each message of a call contains the indices. Cost: l.
/// @throws acre::error if an index is out of range
template <class T, std::size_t N>
[[nodiscard]] index_section<T, N> section(const collection_id<T, N>& of,
                                          std::vector<member_index<N>> indices) {
  return {of, agas::list_indices<N>(agas::collection_access::state(of), std::move(indices))};
}

template <class T, std::size_t N, class Select>
  requires agas::selects_members<Select, N>
[[nodiscard]] auto section(const object_collection<T, N>& of, const Select& select) {
  return section(of.id(), select);
}
template <class T, std::size_t N>
  requires(N > 1)
[[nodiscard]] auto section(const object_collection<T, N>& of, const layout::coordinates<N>& first,
                           const layout::coordinates<N>& extents,
                           const layout::coordinates<N>& steps = agas::unit_steps<N>()) {
  return section(of.id(), first, extents, steps);
}
template <class T>
[[nodiscard]] auto section(const object_collection<T>& of, std::size_t first, std::size_t extent,
                           std::size_t step = 1) {
  return section(of.id(), first, extent, step);
}
template <class T, std::size_t N>
[[nodiscard]] auto section(const object_collection<T, N>& of,
                           std::vector<member_index<N>> indices) {
  return section(of.id(), std::move(indices));
}

namespace agas {

using members_by_rank = std::vector<std::pair<rank_t, std::vector<gid>>>;

/// Members with this home, by presumed owner.
template <class T, std::size_t N>
[[nodiscard]] members_by_rank members_homed_here(const collection_id<T, N>& all) {
  return collection_access::state(all).members_by_owner();
}
template <class T, std::size_t N>
[[nodiscard]] members_by_rank members_homed_here(const object_collection<T, N>& all) {
  return collection_access::state(all).members_by_owner();
}
template <class T, std::size_t N, class Select>
[[nodiscard]] members_by_rank members_homed_here(const collection_section<T, N, Select>& some) {
  const collection_state& all = collection_access::state(some.collection());
  members_by_rank found = all.members_by_owner();
  for (auto& [owner, names] : found) {
    std::erase_if(names, [&](const gid& each) {
      const auto number = all.number_of(each);
      return !number || !some.contains(agas::index_of<N>(all, *number));
    });
  }
  std::erase_if(found, [](const auto& each) { return each.second.empty(); });
  return found;
}

}  // namespace agas
}  // namespace acre
