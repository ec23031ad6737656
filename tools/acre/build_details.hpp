// SPDX-License-Identifier: BSD-3-Clause
// How this Acre was built: acre --version --verbose.
#pragma once

#include <string>

namespace acre::tool {

/// A line each for compiler, options, processor and libraries.
[[nodiscard]] std::string build_details();

}  // namespace acre::tool
