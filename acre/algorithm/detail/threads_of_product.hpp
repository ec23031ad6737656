// SPDX-License-Identifier: BSD-3-Clause
// How many threads a local product takes.
#pragma once

#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace acre::algorithm {

/// What the environment says for a BLAS; null where it says nothing.
[[nodiscard]] inline const char* threads_of_environment() noexcept {
  for (const char* setting : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    if (const char* said = std::getenv(setting); said != nullptr) return said;
  }
  return nullptr;
}

/// As many as this rank has cores: those that ranks of the job may use on this host, shared evenly,
/// and at least one.
[[nodiscard]] inline unsigned cores_of_rank() noexcept {
  return static_cast<unsigned>(std::max<std::size_t>(1, runtime::cpus_a_rank()));
}

}  // namespace acre::algorithm
