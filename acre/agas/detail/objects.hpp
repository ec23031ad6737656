// SPDX-License-Identifier: BSD-3-Clause
// Creation and pinning of objects on this rank.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/gid.hpp>

#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::agas {

/// Makes this rank the home of a new object, and names it.
[[nodiscard]] gid settle(object_owner object, bool is_counted);

template <class T, class... Arguments>
consteval bool require_constructor() {
  constexpr bool has_constructor = std::is_constructible_v<T, Arguments...>;
  static_assert(has_constructor,
                "objects of this class cannot be created from these arguments: no constructor "
                "accepts them");
  return has_constructor;
}

template <class T, class... Arguments>
[[nodiscard]] gid settle_here(bool is_counted, Arguments&&... arguments) {
  if constexpr (require_constructor<T, Arguments...>()) {
    object_type& type = type_of<T>();
    auto made = std::make_unique<hosted<T>>(std::forward<Arguments>(arguments)...);
    made->type = &type;
    return settle(object_owner(made.release()), is_counted);
  } else {
    return {};
  }
}

/// Pins an object of this rank, for work that makes no calls of it. Null if absent or leaving.
[[nodiscard]] hosted_object* pin(const gid& name) noexcept;
void unpin(hosted_object& object) noexcept;
/// As above, recorded in `by`, which must stay in place until unpin().
void pin(const gid& name, pin_record& by) noexcept;
void unpin(pin_record& by) noexcept;
void move_pin(pin_record& from, pin_record& to) noexcept;
[[nodiscard]] bool is_here(gid name) noexcept;
void prefetch(std::span<const gid> names) noexcept;

void require_type(const gid& name, object_type& wanted);

}  // namespace acre::agas
