// Paths that name a descriptor of the process that opens them: /dev/stdin, /dev/fd/3, a link to
// one.
//
// Such a path names another file in each process: a job may open it on one rank only.
#pragma once

#include <optional>
#include <string>

namespace acre {

/// The descriptor of this process that `path` names, through symbolic links: 0 for /dev/stdin and
/// /proc/self/fd/0. Empty for every other path. The descriptor may be closed.
[[nodiscard]] std::optional<int> own_descriptor(const std::string& path);

}  // namespace acre
