// SPDX-License-Identifier: BSD-3-Clause
// Registered names of movable objects, stored on the rank of the name's hash. They keep objects
// alive.
//
//     acre::register_name("/mesh/root", root).get();            // on one rank
//     auto root = acre::resolve<tree_node>("/mesh/root").get(); // on others
#pragma once

#include <acre/agas/object_ref.hpp>
#include <acre/global/future/future.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acre {
namespace agas {

[[nodiscard]] future<void> register_reference(std::string_view name, const reference& to);
[[nodiscard]] future<reference> resolve_reference(std::string_view name);
[[nodiscard]] future<reference> await_reference(std::string_view name);

template <class T>
[[nodiscard]] future<object_ref<T>> typed(future<reference> coming) {
  return std::move(coming).then([](future<reference> come) { return object_ref<T>(come.get()); });
}

}  // namespace agas

/// Binds the name to the object. Cost: 2 M.
/// @throws acre::error  by the future, if the name is bound
template <class T>
[[nodiscard]] future<void> register_name(std::string_view name, const object_ref<T>& object) {
  return agas::register_reference(name, object.untyped());
}

/// Returns the named object. Cost: 2 M.
/// @throws acre::error  by the future, if unbound or of another type
template <class T>
[[nodiscard]] future<object_ref<T>> resolve(std::string_view name) {
  return agas::typed<T>(agas::resolve_reference(name));
}

/// As resolve(), but waits for registration. Cost: 2 M.
template <class T>
[[nodiscard]] future<object_ref<T>> resolve_when_registered(std::string_view name) {
  return agas::typed<T>(agas::await_reference(name));
}

/// Unbinds the name; true if it was bound. Cost: 2 M.
[[nodiscard]] future<bool> unregister_name(std::string_view name);

/// All names with the prefix, sorted. Cost: 2 M per rank.
[[nodiscard]] std::vector<std::string> names_with_prefix(std::string_view prefix);

/// The rank that stores a name. l.
[[nodiscard]] rank_t rank_of_name(std::string_view name) noexcept;

}  // namespace acre
