// SPDX-License-Identifier: BSD-3-Clause
// Atomic replacement of a file: complete, or as before.
#pragma once

#include <acre/base/new_file.hpp>

#include <string>
#include <string_view>

namespace acre {

namespace base {
void require_written(std::string_view call, const std::string& path, const file_problem& problem);
}  // namespace base

/// Checks that a file can be written, without touching it. @throws acre::error
void require_place(std::string_view call, const std::string& path);

/// Replaces a file atomically; writes devices, pipes and /dev/stdout directly.
/// @throws acre::error on failure or if another process writes it; the old file remains
void write_whole(std::string_view call, const std::string& path, std::string_view text);

}  // namespace acre
