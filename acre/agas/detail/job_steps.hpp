// SPDX-License-Identifier: BSD-3-Clause
// The steps of objects at the start and at the end of a job, in their order.
#pragma once

namespace acre::agas {

/// Registers the steps of job start and end before main().
bool add_job_steps();

}  // namespace acre::agas
