// SPDX-License-Identifier: BSD-3-Clause
// Parses bandwidths with units.
#pragma once

#include <optional>
#include <string_view>

namespace acre::machines {

/// Returns bytes per second of "125MBps", "1.25GBps" or "100Gb/s" ('b' is a bit, 'B' a byte); empty
/// if malformed or outside 1e-9 to 1e9 GB/s.
/// @param unit bytes per second of a number without unit
[[nodiscard]] std::optional<double> as_bandwidth(std::string_view text, double unit);

}  // namespace acre::machines
