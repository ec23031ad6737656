// SPDX-License-Identifier: BSD-3-Clause
// Folder of the running program.
#pragma once

#include <filesystem>
#include <system_error>

namespace acre::tool {

/// Empty on failure.
[[nodiscard]] inline std::filesystem::path own_folder() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
}

}  // namespace acre::tool
