// SPDX-License-Identifier: BSD-3-Clause
// What rooms above have to tell all ranks when nothing but the launcher carries bytes any more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace acre::launch {

/// Allgather through the launcher, for `ended` of job_hooks and a few hundred bytes. Collective;
/// `result[r]` is rank r's argument.
///
/// @throws acre::error if the launcher is lost
[[nodiscard]] std::vector<std::vector<std::byte>> exchange_at_end(std::span<const std::byte> mine);

}  // namespace acre::launch
