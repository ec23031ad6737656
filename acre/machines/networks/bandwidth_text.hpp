// SPDX-License-Identifier: BSD-3-Clause
// Parses bandwidths with units.
#pragma once

#include <optional>
#include <string_view>

namespace acre::machines {

/// Bytes per second in "125MBps", "1.25GBps" or "100Gb/s"; empty unless 1e-9 to 1e9 GB/s. 'b' is a
/// bit, 'B' a byte.
/// @param unit bytes per second of a number without unit
[[nodiscard]] std::optional<double> as_bandwidth(std::string_view text, double unit);

}  // namespace acre::machines
