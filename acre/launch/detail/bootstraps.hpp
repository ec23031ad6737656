// SPDX-License-Identifier: BSD-3-Clause
// Ways to join a job; find_bootstrap() selects one.
#pragma once

#include <acre/runtime/bootstrap.hpp>

#include <memory>
#include <optional>
#include <string_view>

namespace acre::launch {

[[nodiscard]] std::unique_ptr<runtime::bootstrap> join_by_pmi(int descriptor);

[[nodiscard]] std::unique_ptr<runtime::bootstrap> join_by_pmix();

/// Wraps `pmi`: if this Slurm rank fails or dies, the job ends, by `pmi_socket` (PMI-1) or scancel.
[[nodiscard]] std::unique_ptr<runtime::bootstrap> speak_for_slurm(
    std::unique_ptr<runtime::bootstrap> pmi, std::optional<int> pmi_socket);

[[nodiscard]] std::unique_ptr<runtime::bootstrap> stay_alone();

void give_launcher_time();

void say(std::string_view why) noexcept;

}  // namespace acre::launch
