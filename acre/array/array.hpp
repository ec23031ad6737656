// An array spread over the ranks of a team in blocks.
//
//     acre::array<double> a(acre::world(), 1'000'000);
//     for (double& x : a.local()) x = 1;         // this rank's block, plain memory
//     a[7] = 2;                                  // anybody's element, one-sided
//
// Member 0 holds the first ceil(n / members) elements, member 1 the next as many,
// and so on; the last ones may hold fewer, or none. Elements are read and written
// like any global memory: put, get and atomics on pointer(i).
//
// Making, filling and destroying are collective; everything between is one-sided.
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/team.hpp>
#include <acre/global/team_memory.hpp>
#include <acre/layout/blocked.hpp>

#include <concepts>
#include <cstddef>

namespace acre {

namespace detail {

struct blocked_kind {
  using pattern = layout::blocked;
  using memory = team_memory;
  static constexpr const char* name = "array";
  static constexpr const char* ending = "the destructor of the array made";
  static constexpr const char* maker = "array{team, size}";
};

}  // namespace detail

/// Reading, writing, walking and this member's own elements: detail/array_elements.hpp.
/// Moves: local, and iterators stay valid. Destruction: collective, B; arrays may be destroyed in
/// any order.
template <transferable T>
class array : public detail::array_elements<T, detail::blocked_kind> {
  using elements = detail::array_elements<T, detail::blocked_kind>;

 public:
  /// No array: good for being assigned to.
  array() = default;

  /// `size` elements, each with the value `initial`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members when one has no room, or their sizes differ
  array(const team& members, std::size_t size, const T& initial,
        const site& where = site::current())
      : elements(members, layout::blocked(size, members.size()), initial, where) {}
  /// A template, so that {} in the third place is an element.
  template <std::same_as<site> Where = site>
    requires std::default_initializable<T>
  array(const team& members, std::size_t size, const Where& where = site::current())
      : array(members, size, T{}, where) {}
  explicit array(std::size_t size, const site& where = site::current())
    requires std::default_initializable<T>
      : array(world(), size, T{}, where) {}
};

}  // namespace acre
