// SPDX-License-Identifier: BSD-3-Clause
// Live objects on all ranks, and their references.
#pragma once

#include <string>

namespace acre::agas {

/// Returns the text of object_report(). Collective.
[[nodiscard]] std::string report_objects();

void check_object_report();
/// Writes the report if requested. Collective; called while objects exist.
void report_objects_at_end();

}  // namespace acre::agas
