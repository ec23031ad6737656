// SPDX-License-Identifier: BSD-3-Clause
// Copies of objects.
//
//     auto mine = acre::create_copy(tree).get();              // on this rank
//     auto theirs = acre::create_copy(tree, 3).get();
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/global/future/future.hpp>
#include <acre/runtime/world.hpp>

#include <type_traits>

namespace acre {
namespace agas {

/// Sends the state of this thread's object to rank `to`, which makes an object of the same class.
[[nodiscard]] future<reference> copy_this_object(rank_t to);

struct copier {
  template <class T>
  future<object_ref<T>> operator()(T& /*object*/, rank_t to) const {
    return copy_this_object(to).then([](reference made) { return object_ref<T>(made); });
  }
};

}  // namespace agas

/// Makes an object of the same class (also by a base) and state on rank `to`, its home. The state
/// is sent as in a move, between two calls, after earlier ones of this rank; references in it are
/// copied. Cost: as invoke(), and 2 M.
/// @throws by the future: acre::error if the class cannot be sent or the rank is out of range;
/// exceptions of serialisation
template <agas::names_object Name>
[[nodiscard]] auto create_copy(const Name& object, rank_t to = rank())
    -> future<object_ref<typename agas::call_by<Name>::object_type>> {
  using T = typename agas::call_by<Name>::object_type;
  constexpr bool can_be_copied = agas::movable_object<T> || std::is_polymorphic_v<T>;
  static_assert(can_be_copied,
                "objects of this class cannot be copied, because they cannot be sent: define "
                "acre_fields, or acre_save and acre_load (serialization.hpp)");
  return invoke(object, agas::copier(), to);
}

}  // namespace acre
