// SPDX-License-Identifier: BSD-3-Clause
// Array in one member's memory, accessible to the team. Construction, fill and destruction are
// collective.
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/hosted.hpp>

#include <concepts>
#include <cstddef>

namespace acre {

namespace arrays {

struct hosted_kind {
  using pattern = layout::hosted;
  using memory = hosted_memory;
  static constexpr const char* name = "hosted_array";
  static constexpr const char* ending = "the destructor of the hosted_array made";
  static constexpr const char* maker = "hosted_array{team, host, size}";
};

}  // namespace arrays

/// Members: detail/array_elements.hpp; local() is empty except on the host. Moves: local, iterators
/// stay valid. Destruction: collective, B; objects in the same order on all members.
template <class T>
class hosted_array : public arrays::array_elements<T, arrays::hosted_kind> {
  static_assert(
      arrays::is_array_element<T>,
      "ranks read and write the elements of a hosted_array<T> as bytes: T must be trivially "
      "copyable, and not a pointer, reference or handle. For objects store their id(). For text "
      "use std::array<char, N>, an acre::ragged_array<char> or an acre::hash_map");
  using elements = arrays::array_elements<T, arrays::hosted_kind>;

 public:
  hosted_array() = default;

  /// Fills with `initial`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members for an invalid host, short memory or differing arguments
  hosted_array(const team& members, hosted_by host, std::size_t size, const T& initial,
               const site& where = site::current())
      : elements(members, layout::hosted(size, members.size(), host.member), initial, where, host) {
  }
  /// A template, so that {} means an element.
  template <std::same_as<site> Where = site>
    requires std::default_initializable<T>
  hosted_array(const team& members, hosted_by host, std::size_t size,
               const Where& where = site::current())
      : hosted_array(members, host, size, T{}, where) {}
  template <std::integral Size, class... Rest>
  hosted_array(const team&, Size, const Rest&...) = delete;  // (team, acre::hosted_by{0}, size)

  [[nodiscard]] member host() const { return this->members()[this->pattern().host()]; }
};

}  // namespace acre
