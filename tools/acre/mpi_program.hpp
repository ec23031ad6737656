// SPDX-License-Identifier: BSD-3-Clause
// Detects a command's MPI from its launcher and the first executable that loads an MPI library.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::tool {

enum class mpi { openmpi, mpich };

[[nodiscard]] std::string_view name_of(mpi which);        ///< "Open MPI"
[[nodiscard]] std::string_view short_name_of(mpi which);  ///< "openmpi"
[[nodiscard]] std::optional<mpi> mpi_named(std::string_view text);

struct mpi_command {
  std::optional<mpi> launcher;  ///< MPI of the command's first word
  std::optional<mpi> linked;
  std::string program;         ///< linked with `linked`, or empty
  std::string static_program;  ///< without a loader, or empty
};

[[nodiscard]] bool can_run(const std::string& word);

[[nodiscard]] mpi_command look_at(const std::vector<std::string>& command);

[[nodiscard]] std::optional<mpi> mpi_among(std::string_view libraries);

[[nodiscard]] std::optional<mpi> mpi_of_version(std::string_view text);

}  // namespace acre::tool
