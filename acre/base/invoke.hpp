// SPDX-License-Identifier: BSD-3-Clause
// std::invoke without the large `<functional>`.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::base {

template <class F, class... Arguments>
  requires std::is_invocable_v<F, Arguments...>
constexpr std::invoke_result_t<F, Arguments...> invoke(F&& f, Arguments&&... arguments) noexcept(
    std::is_nothrow_invocable_v<F, Arguments...>) {
  if constexpr (std::is_member_pointer_v<std::remove_cvref_t<F>>) {
    return std::apply(f, std::forward_as_tuple(std::forward<Arguments>(arguments)...));
  } else {
    return std::forward<F>(f)(std::forward<Arguments>(arguments)...);
  }
}

}  // namespace acre::base
