// SPDX-License-Identifier: BSD-3-Clause
// Bandwidths as files write them: "125MBps", "1.25GBps", "100Gb/s", "200Gbit/s".
#pragma once

#include <optional>
#include <string_view>

namespace acre::machines {

/// Bytes a second; nothing when the text is no bandwidth from 1e-9 to 1e9 GB/s. A 'b' is a bit, a
/// 'B' eight of them.
/// @param unit bytes a second that 1 stands for where a number has no unit
[[nodiscard]] std::optional<double> as_bandwidth(std::string_view text, double unit);

}  // namespace acre::machines
