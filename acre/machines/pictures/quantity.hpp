// SPDX-License-Identifier: BSD-3-Clause
// Formats numbers with a unit, short enough for a table.
#pragma once

#include <string>

namespace acre::machines {

/// "999 B", "1.23 kB".
[[nodiscard]] std::string in_bytes(double bytes);

/// "7.20 ns", down to ps.
[[nodiscard]] std::string in_seconds(double seconds);

/// "61 %", "0.4 %".
[[nodiscard]] std::string in_percent(double share);

/// "1.00x", "12.5x".
[[nodiscard]] std::string times(double factor);

}  // namespace acre::machines
