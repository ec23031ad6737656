// SPDX-License-Identifier: BSD-3-Clause
// The error of calls that need a job.
#pragma once

namespace acre::runtime {

/// Throws acre::error when there is no job: for calls that a newcomer may make too early.
void require_job(const char* call);

}  // namespace acre::runtime
