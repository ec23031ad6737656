// SPDX-License-Identifier: BSD-3-Clause
// A file that is there in full, or as it was before: pictures, and what programs report.
#pragma once

#include <acre/base/new_file.hpp>

#include <string>
#include <string_view>

namespace acre {

namespace base {
/// @throws acre::error that names the file, if there is a problem
void require_written(std::string_view call, const std::string& path, const file_problem& problem);
}  // namespace base

/// Whether a file could be written now, without touching it: better before the work than after it.
/// @param call  for errors: "acre-sign"
/// @throws acre::error that says why it cannot
void require_place(std::string_view call, const std::string& path);

/// Writes the file under a temporary name (base/new_file.hpp) and renames it when all of it is on
/// the disk. A device, a pipe or /dev/stdout is written as it is.
/// @throws acre::error when it cannot be written, or another process is writing it; what had the
/// name before is unchanged
void write_whole(std::string_view call, const std::string& path, std::string_view text);

}  // namespace acre
