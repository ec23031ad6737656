// SPDX-License-Identifier: BSD-3-Clause
// What must be alike on all ranks of a job: settings, the build of the program, the network.
//
// Each rank lists its facts and adds their digest to what the ranks exchange anyway. Where a digest
// differs, which all ranks see, they exchange the lists as well, and one error names the fact and
// both values. So a fact costs a job that agrees nothing.
#pragma once

#include <acre/base/loaded_modules.hpp>
#include <acre/runtime/bootstrap.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::launch {

struct fact {
  std::string name;   ///< "ACRE_CONDUIT", "the network's provider"
  std::string value;  ///< compared
  std::string shown;  ///< in its place in an error; empty: the value
  std::string advice =
      "set it alike on all ranks (mpirun hands a setting on with -x, MPICH's "
      "mpiexec with -genv)";
};

[[nodiscard]] std::uint64_t digest(std::span<const fact> facts) noexcept;

/// Collective where digests differ, and nothing where they do not.
/// @param digests  of all ranks
/// @throws acre::error naming the first fact that differs between rank 0 and another rank
void require_agreement(runtime::bootstrap& launcher, std::span<const fact> mine,
                       std::span<const std::uint64_t> digests);

/// The settings and builds that must be alike: those that decide how many exchanges there are, what
/// messages contain and what their receiver does with them.
[[nodiscard]] std::vector<fact> facts_of_rank(const program_build& program);

/// Whether the job may have several programs: ACRE_PROGRAMS=several.
[[nodiscard]] bool may_have_several_programs();

/// A number for a build: of the executable and the libraries that use Acre.
[[nodiscard]] std::uint64_t fingerprint_of(const program_build& program) noexcept;

}  // namespace acre::launch
