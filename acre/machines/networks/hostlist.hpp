// SPDX-License-Identifier: BSD-3-Clause
// Expands host lists of job managers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

/// Expands "login,node[01-16,20],r[1-2]n[0-3]" in order, with duplicates and leading zeros; the
/// last bracket varies fastest.
/// @throws acre::error: malformed, more than `most` names, a name over 255 characters
[[nodiscard]] std::vector<std::string> expand_hostlist(std::string_view list, std::size_t most);

}  // namespace acre::machines
