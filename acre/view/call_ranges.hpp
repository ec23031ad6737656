// SPDX-License-Identifier: BSD-3-Clause
// Checks the ranges of a call, which may exceed their container, be reversed, or mix containers.
// All builds check once, by optional members of iterators:
//
//     i.require_room(count, call, where)   throws unless `count` elements follow
//     i.require_same(other, call, where)   throws unless both are of one container
//     i.identity()                         number of the element, equal on all ranks
//
// Builds with ACRE_CHECKS also compare calls between members (global/team/same_call.hpp).
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/hash_bytes.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>
#include <acre/view/range_faults.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <typeinfo>

namespace acre::view {

template <class I>
void require_room(const I& first, std::size_t count, const char* call, const site& where) {
  if constexpr (requires { first.require_room(count, call, where); }) {
    first.require_room(count, call, where);
  }
}
template <class I>
void require_same(const I& a, const I& b, const char* call, const site& where) {
  if constexpr (requires { a.require_same(b, call, where); }) a.require_same(b, call, where);
}
template <class I>
[[nodiscard]] std::uint64_t identity_at(const I& at) {
  if constexpr (requires { at.identity(); }) return at.identity();
  return 0;
}

/// True for views with bounds that the user chose, e.g. subrange of two iterators.
template <class R>
inline constexpr bool is_chosen_range =
    std::ranges::view<std::remove_cvref_t<R>> && !requires(R& r) { r.segments(); };

/// Views that cannot exceed their base.
template <class R>
inline constexpr bool stays_in_base = false;
template <class C>
inline constexpr bool stays_in_base<std::ranges::ref_view<C>> = true;
template <class V>
inline constexpr bool stays_in_base<std::ranges::drop_view<V>> = true;
template <class V>
inline constexpr bool stays_in_base<std::ranges::take_view<V>> = true;

/// Checks the bounds of a view; for std::views take and drop those of their base.
template <class R>
void require_valid(R& range, const char* call, const site& where) {
  if constexpr (stays_in_base<std::remove_cv_t<R>> && requires { range.base(); }) {
    auto&& base = range.base();
    require_valid(base, call, where);
  } else if constexpr (is_chosen_range<R>) {
    using iterator = std::ranges::iterator_t<R>;
    const iterator first = std::ranges::begin(range);
    if constexpr (std::same_as<iterator, std::ranges::sentinel_t<R>>) {
      require_same(first, std::ranges::end(range), call, where);
    }
    require_room(first, static_cast<std::size_t>(std::ranges::size(range)), call, where);
  }
}

/// Checks the ranges of a non-collective call.
/// @throws acre::error if a range is not within one container
template <class... R>
void begin_call(const char* call, const site& where, R&... range) {
  (require_valid(range, call, where), ...);
}

/// Argument that must be equal on all members.
struct common_argument {
  const char* what;
  std::uint64_t value;
  bool is_told = true;  ///< false: not printed in errors

  constexpr common_argument(const char* name, std::unsigned_integral auto number) noexcept
      : what(name), value(number) {}
  constexpr common_argument(const char* name, std::signed_integral auto number) noexcept
      : what(name), value(static_cast<std::uint64_t>(number)) {}
  common_argument(const char* name, std::string_view text) noexcept
      : what(name), value(base::hash_bytes(text)), is_told(false) {}
  common_argument(const char* name, const std::type_info& operation) noexcept
      : what(name), value(global::number_of_operation(operation)), is_told(false) {}
  /// Compares arithmetic values only. Zeros of both signs are equal, and all NaNs.
  template <class T>
  [[nodiscard]] static common_argument of_value(const char* name, const T& value) noexcept {
    common_argument made(name, std::uint64_t{0});
    if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= sizeof(made.value)) {
      T bits = value == T{} ? T{} : value;
      if constexpr (std::floating_point<T>) {
        if (value != value) std::memset(&bits, 0xff, sizeof(T));
      }
      std::memcpy(&made.value, &bits, sizeof(T));
      made.is_told = std::unsigned_integral<T>;
    }
    return made;
  }
};

template <class R>
void add_range(global::common_call& call, R& range) {
  if constexpr (requires { std::ranges::size(range); }) {
    const auto size = static_cast<std::size_t>(std::ranges::size(range));
    call.with("elements", size);
    if constexpr (requires { range.extents(); }) {
      std::uint64_t extents = 0;
      for (const std::size_t each : range.extents()) extents = mix_bits(extents + each + 1);
      call.with_identity("the extents", extents);
    }
    if constexpr (requires { identity_at(std::ranges::begin(range)); }) {
      if (size != 0) call.with_identity("the range", identity_at(std::ranges::begin(range)));
    }
  }
}

/// Checks the ranges of a collective call of `members`. Cost: with ACRE_CHECKS 1 small allreduce.
/// @throws acre::error as begin_call(); with ACRE_CHECKS also on all members if calls, ranges or
/// `alike` differ
template <class... R>
void begin_collective_call(const team& members, const char* call, const site& where,
                           [[maybe_unused]] std::initializer_list<common_argument> alike,
                           R&&... range) {
  if constexpr (base::has_checks) {
    global::common_call mine(call, where);
    for (const common_argument& each : alike) {
      if (each.is_told) {
        mine.with(each.what, each.value);
      } else {
        mine.with_identity(each.what, each.value);
      }
    }
    std::exception_ptr invalid;
    try {
      begin_call(call, where, range...);
      (add_range(mine, range), ...);
    } catch (...) {
      invalid = std::current_exception();
      mine.with_identity("the range, which is invalid on one member", 1);
    }
    try {
      global::require_same_call(members, mine);
    } catch (...) {
      if (invalid == nullptr) throw;
    }
    if (invalid != nullptr) std::rethrow_exception(invalid);
  } else {
    begin_call(call, where, range...);
  }
}
/// Collective in the team of `first`.
template <ranges::distributed_range First, class... R>
void begin_collective_call(const char* call, const site& where,
                           std::initializer_list<common_argument> alike, First& first,
                           R&... range) {
  begin_collective_call(ranges::members(first), call, where, alike, first, range...);
}
template <ranges::distributed_range First, class... R>
void begin_collective_call(const char* call, const site& where, First& first, R&... range) {
  begin_collective_call(ranges::members(first), call, where, {}, first, range...);
}

}  // namespace acre::view
