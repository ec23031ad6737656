// SPDX-License-Identifier: BSD-3-Clause
// Reads a network from a specification or a file of any known format.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <string>

namespace acre::machines {

/// Reads a file if it exists, else a specification like torus:8x8x6.
/// @throws acre::error with the line; if `specification_or_path` is neither
[[nodiscard]] described_network read_network(const std::string& specification_or_path);

/// @throws acre::error as the format's reader, or for an unknown format
[[nodiscard]] described_network read_network(const source_text& file);

}  // namespace acre::machines
