// SPDX-License-Identifier: BSD-3-Clause
// Follows links. Files to write obey the rule of `fs.protected_symlinks` even if the host disables
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <sys/stat.h>

namespace acre::base {

/// Replaces `path` by its target if it is a link, except to a descriptor (/dev/stdout).
/// @return 0, EACCES if is_of_other_user(), or another errno (ELOOP)
[[nodiscard]] int follow_links(std::filesystem::path& path);

/// True if another user may have planted `entry`: in a sticky, world-writable folder, owned by
/// neither this user nor the folder's owner.
[[nodiscard]] bool is_of_other_user(const struct stat& folder, const struct stat& entry) noexcept;

[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

/// True if `path` is free, or a plain file of this user without other hard links.
[[nodiscard]] bool is_absent_or_own_file(const std::filesystem::path& path);

}  // namespace acre::base

namespace acre {

/// Number of this process's descriptor that `path` refers to through any links (0 for /dev/stdin),
/// or null. It may be closed, and differs per process: open it on one rank only.
[[nodiscard]] std::optional<int> own_descriptor(const std::filesystem::path& path);

}  // namespace acre
