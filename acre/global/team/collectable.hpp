// SPDX-License-Identifier: BSD-3-Clause
// Types of values and operands of collectives.
#pragma once

#include <acre/global/wire/detail/owned.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/global/wire/transferable.hpp>

#include <type_traits>

namespace acre {

/// Types that collectives transfer: serialisable, without views. Not object_ref, whose reference
/// count covers one receiver.
template <class T>
concept collectable =
    gives_no_handle<T> && serializable<T> && !global::refers_to_memory<std::remove_cv_t<T>> &&
    !std::is_array_v<T> && !global::holds_view<std::remove_cv_t<T>>() &&
    global::may_be_read_twice<std::remove_cv_t<T>>();

/// Operands of reductions, transferred as their bytes.
template <class T>
concept reducible = collectable<T> && transferable<T>;
/// Operands of in-place reductions.
template <class T>
concept reducible_in_place = reducible<T> && writable<T>;

/// Operands of reductions of single values: reducible, or serialised to a fixed size.
template <class T>
concept combinable = reducible<T> || (collectable<T> && fixed_serialized_size<T> != variable_size);

}  // namespace acre
