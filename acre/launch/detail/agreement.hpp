// SPDX-License-Identifier: BSD-3-Clause
// Checks values that all ranks must share. Digests are part of other exchanges; only if they
// differ, ranks exchange the lists for the error.
#pragma once

#include <acre/base/loaded_modules.hpp>
#include <acre/runtime/bootstrap.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::launch {

struct fact {
  std::string name;
  std::string value;
  std::string shown;
  std::string advice =
      "set it equally on all ranks (mpirun passes a setting with -x, MPICH's "
      "mpiexec with -genv)";
  bool is_of_program = false;  ///< may differ between programs
};

[[nodiscard]] std::uint64_t digest(std::span<const fact> facts) noexcept;

/// Collective if digests differ.
/// @param digests of all ranks
/// @throws acre::error naming a fact that differs
void require_agreement(runtime::bootstrap& launcher, std::span<const fact> mine,
                       std::span<const std::uint64_t> digests);

/// Settings and builds that affect the number of exchanges or messages.
[[nodiscard]] std::vector<fact> facts_of_rank(const program_build& program);

[[nodiscard]] std::uint64_t fingerprint_of(const program_build& program) noexcept;

}  // namespace acre::launch
