// SPDX-License-Identifier: BSD-3-Clause
// Chooses the launcher that a rank asks who it is.
#pragma once

#include <acre/runtime/bootstrap.hpp>

#include <memory>

namespace acre::launch {

/// The next job of this process is started by this, and the environment is not asked: for tests,
/// and for programs with a launcher of their own.
void use_bootstrap(std::unique_ptr<runtime::bootstrap> made);

/// What use_bootstrap() was given; else asks the environment who started this process: PMI_FD means
/// PMI-1, PMIX_RANK means PMIx, neither means a job of one rank, as does ACRE_LAUNCHER=none.
/// @throws acre::error when a launcher announces itself but does not answer, or when srun has
///     started several tasks and no PMI
[[nodiscard]] std::unique_ptr<runtime::bootstrap> find_bootstrap();

}  // namespace acre::launch
