// SPDX-License-Identifier: BSD-3-Clause
// The rank of an object, and objects created on the rank of another.
//
//     acre::rank_t there = acre::where(tree).get();
//     auto leaf = acre::create_near<node>(tree, 7).get();      // on the rank of `tree`
#pragma once

#include <acre/agas/detail/member_call.hpp>
#include <acre/agas/detail/objects.hpp>
#include <acre/agas/detail/sending.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/global/future/future.hpp>
#include <acre/runtime/world.hpp>

#include <type_traits>
#include <utility>

namespace acre {
namespace agas {

struct locator {
  template <class T>
  rank_t operator()(T& /*object*/) const noexcept {
    return rank();
  }
};
template <class T>
[[nodiscard]] bool is_concurrent(const locator& /*call*/) noexcept {
  return true;
}

template <class New, class... Arguments>
struct near_creator {
  template <class T>
  object_ref<New> operator()(T& /*object*/, Arguments... each) const {
    return create_here<New>(std::move(each)...);
  }
};
template <class T, class New, class... Arguments>
[[nodiscard]] bool is_concurrent(const near_creator<New, Arguments...>& /*call*/) noexcept {
  return true;
}

}  // namespace agas

/// Rank of the object when this call reaches it, in the order of this rank's calls and moves of it.
/// It may move afterwards. Runs concurrently with other functions of the object. Cost: as invoke().
/// @throws by the future: acre::error if the object does not exist
template <agas::names_object Name>
[[nodiscard]] future<rank_t> where(const Name& object) {
  return invoke(object, agas::locator());
}

/// Rank to which a call of the object would be sent now; possibly a former place. Cost: l.
/// @throws acre::error if the name is null
template <agas::names_object Name>
[[nodiscard]] rank_t presumed_rank(const Name& object) {
  return agas::where_to_send(object.name()).owner;
}

/// Makes an object on the rank where `object` is, concurrently with its functions; arguments as for
/// rpc(). Cost: as invoke().
/// @throws by the future: the constructor's exceptions; acre::error if `object` does not exist
template <class New, agas::names_object Name, class... Arguments>
[[nodiscard]] future<object_ref<New>> create_near(const Name& object,
                                                  const Arguments&... arguments) {
  if constexpr (agas::require_constructor<New, global::owned_t<Arguments>...>()) {
    return invoke(object, agas::near_creator<New, global::owned_t<Arguments>...>(), arguments...);
  } else {
    return {};
  }
}

}  // namespace acre
