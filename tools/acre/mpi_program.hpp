// SPDX-License-Identifier: BSD-3-Clause
// Which MPI a command line uses: what its program is linked with, and what its launcher starts.
//
// The launcher's options are not understood: the program is the first word that names an
// executable file which the loader would give an MPI library.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::tool {

/// The two families of MPI libraries that programs are linked with.
enum class mpi { openmpi, mpich };

[[nodiscard]] std::string_view name_of(mpi which);                  ///< "Open MPI"
[[nodiscard]] std::string_view short_name_of(mpi which);            ///< "openmpi"
[[nodiscard]] std::optional<mpi> mpi_named(std::string_view text);  ///< of a short name

/// What a command line is seen to be.
struct mpi_command {
  std::optional<mpi> launcher;  ///< whose launcher the first word is
  std::optional<mpi> linked;    ///< what the program is linked with
  std::string program;          ///< the one that is linked with it; empty when none is
  std::string static_program;   ///< a program that has no loader; empty when there is none
};

/// Whether a shell would find a program for this word.
[[nodiscard]] bool can_run(const std::string& word);

[[nodiscard]] mpi_command look_at(const std::vector<std::string>& command);

/// Which MPI a list of shared libraries, one a line, has: that of `ldd`.
[[nodiscard]] std::optional<mpi> mpi_among(std::string_view libraries);

/// Which MPI a launcher is of, by what it says about its version.
[[nodiscard]] std::optional<mpi> mpi_of_version(std::string_view text);

}  // namespace acre::tool
