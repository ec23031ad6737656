// SPDX-License-Identifier: BSD-3-Clause
// `acre map` is a separate program, as it needs more libraries.
#pragma once

namespace acre::tool {

/// Executes acre-map. @return exit status on failure
[[nodiscard]] int become_map(char** words);

}  // namespace acre::tool
