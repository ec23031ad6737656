// SPDX-License-Identifier: BSD-3-Clause
// The steps of objects at the start and at the end of a job, in their order.
#pragma once

namespace acre::agas {

/// Has all jobs take these steps. Before main(), by each source that makes objects, so that a
/// program has them if it may have objects.
bool add_job_steps();

}  // namespace acre::agas
