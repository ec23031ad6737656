// SPDX-License-Identifier: BSD-3-Clause
// Lists of names as job managers write them: "login,node[01-16,20],r[1-2]n[0-3]".
//
// A bracket holds numbers and ranges of numbers, and stands for a name each.
// Zeros in front of a range's first number are kept: node[008-010] is node008,
// node009, node010. Of several brackets the last runs fastest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

/// The names of a list, in its order, those that come twice twice.
/// @param most how many names are taken
/// @throws acre::error that says what is wrong with the list: a bracket without end, a range that
/// runs backwards, more than `most` names, a name of more than 255 characters
[[nodiscard]] std::vector<std::string> expand_hostlist(std::string_view list, std::size_t most);

}  // namespace acre::machines
