// SPDX-License-Identifier: BSD-3-Clause
// Warnings about input files.
#pragma once

#include <string>
#include <string_view>

namespace acre::genome {

void warn_once(const std::string& path, std::string_view problem);

}  // namespace acre::genome
