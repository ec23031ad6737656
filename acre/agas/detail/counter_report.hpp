// SPDX-License-Identifier: BSD-3-Clause
// Counter report at the end of the job (ACRE_AGAS_COUNTERS).
#pragma once

namespace acre::agas {

void start_agas_counters();
/// Collective.
void report_agas_counters();

}  // namespace acre::agas
