// SPDX-License-Identifier: BSD-3-Clause
// Warnings about input files.
#pragma once

#include <string>
#include <string_view>

namespace acre::genome {

/// Prints a warning once per file and problem.
void warn_once(const std::string& path, std::string_view problem);

}  // namespace acre::genome
