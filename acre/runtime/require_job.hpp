// SPDX-License-Identifier: BSD-3-Clause
// The error of calls that need a job.
#pragma once

namespace acre::runtime {

/// Throws acre::error outside a job.
void require_job(const char* call);

}  // namespace acre::runtime
