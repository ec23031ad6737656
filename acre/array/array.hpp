// SPDX-License-Identifier: BSD-3-Clause
// Block-distributed array: ceil(n / members) elements per member, fewer or no elements on the last.
// Construction, fill and destruction are collective; access is one-sided.
//
//     acre::array<double> a(acre::world(), 1'000'000);
//     for (double& x : a.local()) x = 1;         // plain memory
//     a[7] = 2;                                  // one-sided
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/base/construct.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/layout/blocked.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <typeinfo>

namespace acre {

namespace arrays {

struct blocked_kind {
  using pattern = layout::blocked;
  using memory = team_memory;
  static constexpr const char* name = "array";
  static constexpr const char* ending = "the destructor of the array made";
  static constexpr const char* maker = "array{team, size}";
};

}  // namespace arrays

/// Members: detail/array_elements.hpp. Moves: local, iterators stay valid. Destruction: collective,
/// B; objects in the same order on all members.
template <class T>
class array : public arrays::array_elements<T, arrays::blocked_kind> {
  static_assert(
      arrays::is_array_element<T>,
      "ranks read and write the elements of an array<T> as bytes: T must be trivially copyable, "
      "and not a pointer, reference or handle. For objects store their id(). For text use "
      "an acre::text_array, std::array<char, N> or an acre::hash_map");
  using elements = arrays::array_elements<T, arrays::blocked_kind>;

 public:
  array() = default;

  /// Fills with `initial`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members for short memory or differing sizes
  array(const team& members, std::size_t size, const T& initial,
        const site& where = site::current())
      : elements(members, layout::blocked(size, members.size()), initial, where) {}
  /// A template, so that {} means an element.
  template <std::same_as<site> Where = site>
    requires std::default_initializable<T>
  array(const team& members, std::size_t size, const Where& where = site::current())
      : array(members, size, T{}, where) {}
  explicit array(std::size_t size, const site& where = site::current())
    requires std::default_initializable<T>
      : array(world(), size, T{}, where) {}
  /// Element i is f(i), called by its owner. Collective. Cost: 1 allgather and 1 allreduce.
  /// @throws the exception of `f`; acre::error on the others
  template <class F>
    requires arrays::element_function<F, T, std::size_t>
  array(const team& members, std::size_t size, F&& f, const site& where = site::current())
      : elements(
            members, layout::blocked(size, members.size()),
            [&f](const array_memory& made) {
              const std::span<T> mine = made.template local<T>();
              if (mine.empty()) return;
              const auto first = made.pattern().index_of({made.members().rank(), 0});
              for (std::size_t i = 0; i < mine.size(); ++i) {
                base::construct(mine.data() + i, f(first + i));
              }
            },
            where) {}

  array(global::the_team_before_the_size, const team&);
  array(const team&, arrays::a_size_after_the_team);
  explicit array(arrays::a_size_after_the_team);
  array(const team&, std::size_t, arrays::an_element_or_a_function_of_its_index<T, std::size_t>);

  /// Uses existing segment memory, which must outlive the array; elements keep their values.
  /// Collective. Cost: 1 allgather.
  /// @param mine  this member's block; the array's size is the sum over members
  /// @throws acre::error on all members for memory outside the segment or a wrong count
  [[nodiscard]] static array adopt(const team& members, std::span<T> mine,
                                   const site& where = site::current()) {
    const auto all = arrays::gather_blocks(members, mine.data(), mine.size(), sizeof(T), typeid(T),
                                           0, "array::adopt", where);
    std::size_t size = 0;
    for (const std::size_t each : all.counts) size += each;
    return array(members, mine, all, size, where);
  }

 private:
  using array_memory = arrays::array_memory<arrays::blocked_kind>;

  array(const team& members, std::span<T> mine, const arrays::brought_blocks& all, std::size_t size,
        const site& where)
      : elements(members, mine, all, layout::blocked(size, members.size()), "array::adopt", where) {
  }
};

}  // namespace acre
