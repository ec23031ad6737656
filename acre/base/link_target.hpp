// SPDX-License-Identifier: BSD-3-Clause
// Follows symbolic links. For files that are written, it applies the rules of
// `fs.protected_symlinks` even if the host has turned them off.
#pragma once

#include <filesystem>
#include <optional>
#include <sys/stat.h>

namespace acre::base {

/// Replaces `path` by the path of the file itself where its last component is a symbolic link. The
/// link remains. A link to a descriptor of a process (/dev/stdout) is not followed.
/// @return 0, or an errno: ELOOP, or EACCES for a link of a stranger (is_of_stranger)
[[nodiscard]] int follow_links(std::filesystem::path& path);

/// Whether a stranger may have put an entry into a folder: all users may write to the folder, each
/// to entries of their own (as in /tmp), and the entry belongs to neither this user nor the
/// folder's owner. Such an entry is neither followed, nor written, nor replaced.
[[nodiscard]] bool is_of_stranger(const struct stat& folder, const struct stat& entry) noexcept;

/// The folder of `path`: "." for a name alone.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

/// Whether nothing has this path, or a plain file of this user: for names in shared folders that
/// other libraries open to write.
[[nodiscard]] bool is_absent_or_own_file(const std::filesystem::path& path);

}  // namespace acre::base

namespace acre {

/// The descriptor of this process that `path` names, through symbolic links of anybody: 0 for
/// /dev/stdin, /proc/self/fd/0 and links to them. Empty for every other path. The descriptor may be
/// closed. Such a path names another file in each process: a job may open it on one rank only.
[[nodiscard]] std::optional<int> own_descriptor(const std::filesystem::path& path);

}  // namespace acre
