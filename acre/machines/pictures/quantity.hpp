// SPDX-License-Identifier: BSD-3-Clause
// Numbers with a unit, short enough for a table: "1.50 MB", "72.0 ns", "1.25x".
#pragma once

#include <string>

namespace acre::machines {

/// Bytes, by powers of 1000: "0 B", "999 B", "1.23 kB".
[[nodiscard]] std::string in_bytes(double bytes);

/// Seconds, down to picoseconds: "0 s", "7.20 ns", "1.50 s".
[[nodiscard]] std::string in_seconds(double seconds);

/// A share of one: "61 %", "0.4 %".
[[nodiscard]] std::string in_percent(double share);

/// How many times: "1.00x", "12.5x".
[[nodiscard]] std::string times(double factor);

}  // namespace acre::machines
