// SPDX-License-Identifier: BSD-3-Clause
// The objects that are alive on all ranks, and what holds them.
#pragma once

#include <string>

namespace acre::agas {

/// Collective.
[[nodiscard]] std::string report_objects();

void check_object_report();
/// Collective, while objects exist.
void report_objects_at_end();

}  // namespace acre::agas
