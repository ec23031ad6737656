// SPDX-License-Identifier: BSD-3-Clause
// The teams that every job has make its ranks end together.
#pragma once

namespace acre::global {

/// True. Who calls it brings what makes the ranks end the job together, serving each other until
/// all have come to its end: for programs that send requests and have no other use of teams.
[[nodiscard]] bool job_ends_together() noexcept;

}  // namespace acre::global
