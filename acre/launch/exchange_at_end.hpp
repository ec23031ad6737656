// SPDX-License-Identifier: BSD-3-Clause
// Exchange between ranks through the launcher at the end of a job.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace acre::launch {

/// Allgather through the launcher, for `ended` of job_hooks and a few hundred bytes. Collective;
/// `result[r]` is rank r's argument.
/// @throws acre::error if the launcher is lost
[[nodiscard]] std::vector<std::vector<std::byte>> exchange_at_end(std::span<const std::byte> mine);

}  // namespace acre::launch
