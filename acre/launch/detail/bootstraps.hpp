// SPDX-License-Identifier: BSD-3-Clause
// The ways to join a job, one function each; find_bootstrap() chooses.
#pragma once

#include <acre/runtime/bootstrap.hpp>

#include <memory>
#include <optional>
#include <string_view>

namespace acre::launch {

/// Speaks PMI-1 over an open descriptor.
[[nodiscard]] std::unique_ptr<runtime::bootstrap> join_by_pmi(int descriptor);

/// Speaks PMIx through libpmix, which is looked for when the program runs.
[[nodiscard]] std::unique_ptr<runtime::bootstrap> join_by_pmix();

/// `pmi`, of a rank that Slurm has started: the job ends when this process fails, as far as it can
/// say so, and by PMI-1, whose socket this is, however it fails.
[[nodiscard]] std::unique_ptr<runtime::bootstrap> speak_for_slurm(
    std::unique_ptr<runtime::bootstrap> pmi, std::optional<int> pmi_socket);

/// A job of one.
[[nodiscard]] std::unique_ptr<runtime::bootstrap> stay_alone();

/// As long as a launcher needs to see that a rank has died, and to end the job.
void give_launcher_time();

/// Writes "acre: rank … : why" on standard error.
void say(std::string_view why) noexcept;

}  // namespace acre::launch
