// SPDX-License-Identifier: BSD-3-Clause
// What rooms above have to tell all ranks when nothing but the launcher carries bytes any more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace acre::launch {

/// Gives every rank the bytes of all: `result[r]` is what rank r handed in. For the `ended` of
/// job_hooks only, and for a few hundred bytes; all ranks call it there.
/// @throws acre::error when the launcher is lost
[[nodiscard]] std::vector<std::vector<std::byte>> exchange_at_end(std::span<const std::byte> mine);

}  // namespace acre::launch
