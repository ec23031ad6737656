// SPDX-License-Identifier: BSD-3-Clause
// std::format of global pointers, with the text of operator<<.
#pragma once

#include <acre/global/memory/global_ptr.hpp>

#include <version>

#ifdef __cpp_lib_format

#include <format>
#include <string_view>

template <class T>
struct std::formatter<acre::global_ptr<T>> : std::formatter<std::string_view> {
  auto format(acre::global_ptr<T> p, auto& context) const {
    return std::formatter<std::string_view>::format(
        acre::global::describe_pointer(p.bits()).characters, context);
  }
};

#endif
