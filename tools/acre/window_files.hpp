// SPDX-License-Identifier: BSD-3-Clause
// Files of a trace in windows: names, merging and removal.
#pragma once

#include <cstddef>
#include <string>

namespace acre::tool {

/// File of window 3: "traffic.window-0003.mtx".
[[nodiscard]] std::string window_file(const std::string& bytes_file, std::size_t number);

/// Folder of parts: "traffic.parts".
[[nodiscard]] std::string parts_folder(const std::string& bytes_file);

/// Creates or empties the folder.
/// @throws acre::error if it contains other files
void make_parts_folder(const std::string& folder);
/// @return whether it is gone; kept with other files
bool remove_parts_folder(const std::string& folder);

/// Removes those of an earlier trace.
/// @throws acre::error on failure
void remove_window_files(const std::string& bytes_file);

enum class put_together_result {
  nothing,         ///< no windows, or incomplete
  windows,         ///< all windows; the ranks wrote the sum
  windows_and_sum  ///< all windows, and the missing sum
};

/// Writes the matrices of each window, and of the sum if missing; removes the folder when complete.
/// @throws acre::error without parts
[[nodiscard]] put_together_result put_together(const std::string& folder,
                                               const std::string& bytes_file);

}  // namespace acre::tool
