// SPDX-License-Identifier: BSD-3-Clause
// Where the running program lies: what belongs to it is found from there, in the build folder as
// where it is installed.
#pragma once

#include <filesystem>
#include <system_error>

namespace acre::tool {

/// Empty when the system does not say.
[[nodiscard]] inline std::filesystem::path own_folder() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
}

}  // namespace acre::tool
