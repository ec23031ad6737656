// SPDX-License-Identifier: BSD-3-Clause
// Detection of lambdas that are invalid on other ranks.
#pragma once

#include <cstddef>
#include <type_traits>

namespace acre::global {

template <std::size_t Size>
struct zero_bytes {
  unsigned char bytes[Size]{};
};

template <class F>
concept made_from_bytes = requires {
  typename std::bool_constant<(static_cast<void>(__builtin_bit_cast(F, zero_bytes<sizeof(F)>{})),
                               true)>;
};

/// True if F has certainly captured an address; not detected in unions (optional) and next to
/// padding.
template <class F>
consteval bool captures_address() {
  if constexpr (!std::is_class_v<F> || !std::is_trivially_copyable_v<F> ||
                sizeof(F) % sizeof(void*) != 0 || alignof(F) < alignof(void*)) {
    return false;
  } else if constexpr (!__is_literal_type(F) || made_from_bytes<F>) {
    return false;
  } else {
    return std::has_unique_object_representations_v<F> || !std::is_standard_layout_v<F>;
  }
}

}  // namespace acre::global
