// SPDX-License-Identifier: BSD-3-Clause
// Steps of movable objects at the start and end of a job.
#pragma once

namespace acre::agas {

bool add_job_steps();

}  // namespace acre::agas
