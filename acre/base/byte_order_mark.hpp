// SPDX-License-Identifier: BSD-3-Clause
// The UTF-8 byte order mark that some editors write.
#pragma once

#include <string>
#include <string_view>

namespace acre {

[[nodiscard]] inline std::string without_byte_order_mark(std::string text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

}  // namespace acre
