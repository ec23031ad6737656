// SPDX-License-Identifier: BSD-3-Clause
// Check that a job is running.
#pragma once

namespace acre::runtime {

void require_job(const char* call);

}  // namespace acre::runtime
