// SPDX-License-Identifier: BSD-3-Clause
// Command line of `acre run`: `-n 2 ./a : -n 3 ./b`.
#pragma once

#include <span>

namespace acre::tool {

/// @param words after `run`; aliases are replaced
/// @return exit status
[[nodiscard]] int run_by_command_line(std::span<char*> words);

}  // namespace acre::tool
