// SPDX-License-Identifier: BSD-3-Clause
// Computing something in a child process, which can be ended whatever it calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace acre::machines {

/// What `compute` returns in a copy of this process. Nothing of what it changes is seen here.
/// @return nothing when it has not ended until then, has thrown, or there is no process to be had
[[nodiscard]] std::optional<std::vector<std::uint32_t>> computed_in_child(
    const std::function<std::vector<std::uint32_t>()>& compute,
    std::chrono::steady_clock::time_point until);

}  // namespace acre::machines
