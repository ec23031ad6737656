// SPDX-License-Identifier: BSD-3-Clause
// Names of one's own for objects that may move.
//
//     acre::register_name("/mesh/root", root).get();            // on one rank
//     auto root = acre::resolve<tree_node>("/mesh/root").get(); // on others, or
//     auto root = acre::resolve_when_registered<tree_node>("/mesh/root").get();
//
// A name lies on the rank that its hash says, so they are spread over all, and it is a reference:
// its object lives at least until the name is taken away.
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
/// @throws acre::error  the future, when the name is bound already
template <class T>
[[nodiscard]] future<void> register_name(std::string_view name, const object_ref<T>& object) {
  return agas::register_reference(name, object.untyped());
}

/// The object of that name. Cost: 2 M.
/// @throws acre::error  the future, when there is none, or when it is of another type
template <class T>
[[nodiscard]] future<object_ref<T>> resolve(std::string_view name) {
  return agas::typed<T>(agas::resolve_reference(name));
}

/// The same, and where there is none the future waits until there is. Cost: 2 M.
template <class T>
[[nodiscard]] future<object_ref<T>> resolve_when_registered(std::string_view name) {
  return agas::typed<T>(agas::await_reference(name));
}

/// Takes the name away. The object lives on while others refer to it. Cost: 2 M.
/// @return whether there was one
[[nodiscard]] future<bool> unregister_name(std::string_view name);

/// All names that begin so, sorted. Cost: 2 M for each rank of the job.
[[nodiscard]] std::vector<std::string> names_with_prefix(std::string_view prefix);

/// Where a name lies. l.
[[nodiscard]] rank_t rank_of_name(std::string_view name) noexcept;

}  // namespace acre
