// SPDX-License-Identifier: BSD-3-Clause
// Reads a traffic file, also gzip, by its content: %%MatrixMarket, or a first non-comment line of
// numbers only (METIS).
#pragma once

#include <acre/mapping/communication.hpp>

#include <string>

namespace acre::machines {

/// O(decompressed bytes + ranks) memory; time: the same, and a sort of each rank's entries.
/// @return a communication named after the file, without folder
/// @throws acre::error: unreadable, unknown format, malformed
[[nodiscard]] mapping::communication read_communication(const std::string& path);

}  // namespace acre::machines
