// SPDX-License-Identifier: BSD-3-Clause
// Concepts of values that puts and gets copy byte by byte.
#pragma once

#include <acre/global/wire/detail/encoding.hpp>

#include <type_traits>

namespace acre {

/// Excludes pointers, spans and string_views, valid on one rank only, unless travels_as_bytes is
/// true.
template <class T>
concept transferable =
    gives_no_handle<T> && std::is_trivially_copyable_v<T> &&
    (!global::refers_to_memory<std::remove_cv_t<T>> || travels_as_bytes<std::remove_cv_t<T>>);

template <class T>
concept writable = transferable<T> && !std::is_const_v<T>;

}  // namespace acre
