// SPDX-License-Identifier: BSD-3-Clause
// Number of threads of a local product, from the environment or the rank's cores.
#pragma once

#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace acre::algorithm {

[[nodiscard]] inline const char* threads_of_environment() noexcept {
  for (const char* setting : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    if (const char* said = std::getenv(setting); said != nullptr) return said;
  }
  return nullptr;
}

/// Even share of the job's cores on this host, at least one.
[[nodiscard]] inline unsigned cores_of_rank() noexcept {
  return static_cast<unsigned>(std::max<std::size_t>(1, runtime::cpus_a_rank()));
}

}  // namespace acre::algorithm
