// SPDX-License-Identifier: BSD-3-Clause
// The objects that are alive on all ranks, and what holds them: for object_report.hpp.
#pragma once

#include <string>

namespace acre::agas {

/// Collective, in a job.
[[nodiscard]] std::string report_objects();

/// When a job starts: reads the setting.
void check_object_report();
/// When it ends: all ranks call it, while objects are still there.
void report_objects_at_end();

}  // namespace acre::agas
