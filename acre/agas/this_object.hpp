// SPDX-License-Identifier: BSD-3-Clause
// The object whose function runs in this thread.
//
//     void cell::subscribe(const acre::object_ref<clock>& to) {
//       acre::invoke_ff(to, &clock::add_listener, acre::this_ref<cell>());
//     }
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/object_type.hpp>
#include <acre/agas/gid.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>

namespace acre {
namespace agas {

/// @throws acre::error if this thread runs no call of an object
[[nodiscard]] gid current_object(const char* call);
/// @throws acre::error as above, or if the object is of another type
[[nodiscard]] gid name_of_this_object(const char* call, object_type& wanted);
/// @throws acre::error as above; also if references do not count, or the object is about to end
[[nodiscard]] reference refer_to_this_object(object_type& wanted);

}  // namespace agas

/// Name of the object whose function this thread runs, also in its coroutines and continuations
/// until the call ends, and in hooks of moves, but not in constructors. T may be a base to which
/// the program converts names. Cost: l per call that runs on this rank.
/// @throws acre::error outside of a call, or if the object is of another type
template <class T>
[[nodiscard]] object_id<T> this_id() {
  return agas::trusted_id<T>(agas::name_of_this_object("this_id", agas::type_of<T>()));
}

/// As this_id(), with ownership. Cost: l at the object's home, or if this rank has a reference to
/// it; otherwise waits for credit from the home: 2 M.
/// @throws acre::error as this_id(); also if the object was made by create_id(), or is about to end
/// because its last reference was dropped
template <class T>
[[nodiscard]] object_ref<T> this_ref() {
  return object_ref<T>(agas::refer_to_this_object(agas::type_of<T>()));
}

}  // namespace acre
