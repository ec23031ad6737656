// SPDX-License-Identifier: BSD-3-Clause
// `acre map` is a program of its own, acre-map, which lies beside this one: who runs jobs needs
// none of the libraries with which it reads files and draws.
#pragma once

namespace acre::tool {

/// Becomes that program.
/// @param words as this one was given them: "acre", "map", …
/// @return the status to exit with, when it cannot be run
[[nodiscard]] int become_map(char** words);

}  // namespace acre::tool
