// SPDX-License-Identifier: BSD-3-Clause
// Teams of every job.
#pragma once

namespace acre::global {

/// Returns true. A program that links this function ends the job together: ranks serve each other
/// until all have reached the end.
[[nodiscard]] bool job_ends_together() noexcept;

}  // namespace acre::global
