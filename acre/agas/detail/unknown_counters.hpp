// SPDX-License-Identifier: BSD-3-Clause
// Reasons for the absence of counters, with the nearest existing one.
#pragma once

#include <acre/agas/counter_name.hpp>

#include <span>
#include <string>
#include <string_view>

namespace acre::agas {

/// @param counter  without "/agas", ranks and a final star
[[nodiscard]] std::string why_unknown(std::string_view counter,
                                      std::span<const agas_counter_name> known);

}  // namespace acre::agas
