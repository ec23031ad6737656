// SPDX-License-Identifier: BSD-3-Clause
// Global pointers for std::format, where the library has it: std::format("{:>20}", p).
// The text is that of operator<<: "rank 3 + 0x40", or "null".
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
