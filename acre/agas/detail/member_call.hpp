// SPDX-License-Identifier: BSD-3-Clause
// Member pointers valid on every rank. Itanium C++ ABI: a member function pointer is an address or
// vtable offset, plus an adjustment. Only addresses differ between ranks, and are sent as tokens.
#pragma once

#include <acre/global/wire/callable.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::agas {

struct member_function_words {
  std::uintptr_t function = 0;
  std::ptrdiff_t adjustment = 0;

  [[nodiscard]] bool is_virtual() const noexcept {
#if defined(__aarch64__) || defined(__arm__)
    return (adjustment & 1) != 0;
#else
    return (function & 1) != 0;
#endif
  }
};

template <class Member>
class member_call {
 public:
  member_call(Member from)  // NOLINT(google-explicit-constructor): stands for it
      : words_(std::bit_cast<words>(from)) {
    if constexpr (std::is_member_function_pointer_v<Member>) {
      if (!words_.is_virtual()) {
        words_.function = static_cast<std::uintptr_t>(
            global::token_of_address(reinterpret_cast<global::any_function>(words_.function)));
      }
    }
  }

  [[nodiscard]] Member member() const {
    words mine = words_;
    if constexpr (std::is_member_function_pointer_v<Member>) {
      if (!mine.is_virtual()) {
        mine.function = reinterpret_cast<std::uintptr_t>(global::resolve_address(
            callable_token{mine.function}, global::callable_kind::function, nullptr));
      }
    }
    return std::bit_cast<Member>(mine);
  }

  template <class T, class... Arguments>
    requires std::invocable<Member, T&, Arguments...>
  decltype(auto) operator()(T& object, Arguments&&... arguments) const {
    return std::invoke(member(), object, std::forward<Arguments>(arguments)...);
  }

 private:
  using words = std::conditional_t<std::is_member_function_pointer_v<Member>, member_function_words,
                                   std::ptrdiff_t>;
  words words_;
};

template <class F>
inline constexpr bool is_member_call = false;
template <class Member>
inline constexpr bool is_member_call<member_call<Member>> = true;

template <class F>
struct travelling {
  using type = F;
};
template <class F>
  requires std::is_member_pointer_v<F>
struct travelling<F> {
  using type = member_call<F>;
};
template <class F>
using travelling_t = typename travelling<F>::type;

template <class T>
concept has_concurrent_members = requires { T::acre_concurrent; };

template <class T, class F>
[[nodiscard]] bool is_concurrent(const F&) noexcept {
  return false;
}
template <has_concurrent_members T, class Member>
[[nodiscard]] bool is_concurrent(const member_call<Member>& call) noexcept {
  const Member wanted = call.member();
  const auto is_it = [&](const auto& each) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(each)>, Member>) {
      return each == wanted;
    } else {
      return false;
    }
  };
  return std::apply([&](const auto&... each) { return (is_it(each) || ...); }, T::acre_concurrent);
}

}  // namespace acre::agas
