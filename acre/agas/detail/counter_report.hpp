// SPDX-License-Identifier: BSD-3-Clause
// The counters of all ranks at the end of a job: ACRE_AGAS_COUNTERS.
#pragma once

namespace acre::agas {

/// When a job starts: reads the settings of counters and times.
void start_agas_counters();
/// When it ends. Collective.
void report_agas_counters();

}  // namespace acre::agas
