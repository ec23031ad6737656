// SPDX-License-Identifier: BSD-3-Clause
// Selects the launcher interface by which this process joins a job.
#pragma once

#include <acre/runtime/bootstrap.hpp>

#include <memory>

namespace acre::launch {

/// Sets the bootstrap of the next job, for tests and private launchers.
void use_bootstrap(std::unique_ptr<runtime::bootstrap> made);

/// Bootstrap of use_bootstrap(), otherwise by environment: PMI_FD, an open socket, selects PMI-1;
/// PMIX_RANK with PMIX_NAMESPACE PMIx; neither, or ACRE_LAUNCHER=none, a job of one rank.
/// @throws acre::error if the launcher does not answer, PMI_FD is closed, or srun started several
/// tasks without PMI
[[nodiscard]] std::unique_ptr<runtime::bootstrap> find_bootstrap();

}  // namespace acre::launch
