// SPDX-License-Identifier: BSD-3-Clause
// Computes in a child process, which can be killed at any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace acre::machines {

/// Result of `compute` in a forked process, killed at `until`.
/// @return empty on timeout, exception or failed fork
[[nodiscard]] std::optional<std::vector<std::uint32_t>> computed_in_child(
    const std::function<std::vector<std::uint32_t>()>& compute,
    std::chrono::steady_clock::time_point until);

}  // namespace acre::machines
