// SPDX-License-Identifier: BSD-3-Clause
// Live objects on all ranks, and their references.
#pragma once

#include <string>

namespace acre::agas {

/// Collective.
[[nodiscard]] std::string report_objects();

void check_object_report();
/// Collective; called while objects exist.
void report_objects_at_end();

}  // namespace acre::agas
