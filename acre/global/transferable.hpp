// What puts and gets move: values that are copied between ranks byte by byte.
#pragma once

#include <acre/global/detail/encoding.hpp>

#include <type_traits>

namespace acre {

/// What may be copied between ranks byte by byte: not a pointer, and no span or string_view,
/// which mean nothing elsewhere (unless travels_as_bytes says that this one does).
template <class T>
concept transferable =
    gives_no_handle<T> && std::is_trivially_copyable_v<T> &&
    (!detail::refers_to_memory<std::remove_cv_t<T>> || travels_as_bytes<std::remove_cv_t<T>>);

/// What may be written through a global_ptr<T>.
template <class T>
concept writable = transferable<T> && !std::is_const_v<T>;

}  // namespace acre
