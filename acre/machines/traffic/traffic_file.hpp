// SPDX-License-Identifier: BSD-3-Clause
// Reads a traffic file, whose content determines the format: %%MatrixMarket, or two to four numbers
// in the first non-comment line (METIS).
#pragma once

#include <acre/mapping/communication.hpp>

#include <string>

namespace acre::machines {

/// O(size) time and memory.
/// @return a communication named after the file, without folder
/// @throws acre::error: unreadable, unknown format, malformed
[[nodiscard]] mapping::communication read_communication(const std::string& path);

}  // namespace acre::machines
