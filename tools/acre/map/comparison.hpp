// SPDX-License-Identifier: BSD-3-Clause
// All mappings that were tried, side by side: a table for the terminal.
//
// The best comes first, and the order that launchers take when nobody tells them
// is marked. The speed-up is that of an exchange of all messages at once.
#pragma once

#include <acre/mapping/automatic.hpp>

#include <span>
#include <string>

namespace acre::tool {

/// How much faster an exchange is done: 1 where no link is used before or after.
[[nodiscard]] double speed_up(const mapping::metrics& before, const mapping::metrics& after);

/// A line for each order, best first; then which mappings found the same.
[[nodiscard]] std::string comparison(std::span<const mapping::candidate> found);

}  // namespace acre::tool
