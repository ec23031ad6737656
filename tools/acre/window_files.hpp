// SPDX-License-Identifier: BSD-3-Clause
// The matrices of a trace in windows: one of each, and one of all.
#pragma once

#include <cstddef>
#include <string>

namespace acre::tool {

/// For "traffic.mtx" and 3: "traffic.window-0003.mtx".
[[nodiscard]] std::string window_file(const std::string& bytes_file, std::size_t number);

/// The folder in which the ranks of a job leave their parts: "traffic.parts".
[[nodiscard]] std::string parts_folder(const std::string& bytes_file);

/// Makes that folder, or empties the one of an earlier trace.
/// @throws acre::error when something else has the name, or is in it
void make_parts_folder(const std::string& folder);
/// Removes it and the parts in it, but nothing else. @return whether it is gone
bool remove_parts_folder(const std::string& folder);

/// Removes the windows of an earlier trace of this name.
/// @throws acre::error when it cannot
void remove_window_files(const std::string& bytes_file);

/// What came of a trace in windows.
enum class put_together_result {
  nothing,         ///< no windows, or not all that there are
  windows,         ///< a matrix for each; the one of all the ranks have written in MPI_Finalize
  windows_and_sum  ///< the job was ended before that, so that one, too, is made of the windows
};

/// Writes a matrix for each window, and that of all of them where there is none; and says so. The
/// folder is removed when all is written.
/// @throws acre::error when the folder has no parts
[[nodiscard]] put_together_result put_together(const std::string& folder,
                                               const std::string& bytes_file);

}  // namespace acre::tool
