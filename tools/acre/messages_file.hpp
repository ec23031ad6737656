// SPDX-License-Identifier: BSD-3-Clause
// Name of the file of message counts that accompanies a file of bytes.
#pragma once

#include <string>
#include <string_view>

namespace acre::tool {

/// "traffic.mtx" → "traffic.messages.mtx".
[[nodiscard]] inline std::string messages_file(std::string bytes_file) {
  constexpr std::string_view ending = ".mtx";
  if (bytes_file.ends_with(ending)) bytes_file.resize(bytes_file.size() - ending.size());
  return bytes_file + ".messages.mtx";
}

}  // namespace acre::tool
