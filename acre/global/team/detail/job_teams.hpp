// SPDX-License-Identifier: BSD-3-Clause
// Teams of every job.
#pragma once

namespace acre::global {

/// Returns true. Linking it makes ranks serve each other until all end the job.
[[nodiscard]] bool job_ends_together() noexcept;

}  // namespace acre::global
