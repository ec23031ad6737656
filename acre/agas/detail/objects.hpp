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

/// Names a new object of this home.
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

/// Null if absent or leaving. For work that makes no calls of the object.
[[nodiscard]] hosted_object* pin(const gid& name) noexcept;
void unpin(hosted_object& object) noexcept;
/// `by` must stay in place until unpin().
void pin(const gid& name, pin_record& by) noexcept;
void unpin(pin_record& by) noexcept;
void move_pin(pin_record& from, pin_record& to) noexcept;
[[nodiscard]] bool is_here(gid name) noexcept;
void prefetch(std::span<const gid> names) noexcept;

void require_type(const gid& name, object_type& wanted);

}  // namespace acre::agas
