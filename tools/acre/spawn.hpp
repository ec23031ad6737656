// SPDX-License-Identifier: BSD-3-Clause
// Starts each rank in its own process group, with output pipes and a PMI connection. vfork reports
// exec errors at once.
#pragma once

#include "run.hpp"
#include <acre/base/descriptor.hpp>
#include <acre/fabric/message.hpp>

#include <csignal>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace acre::tool {

using fabric::rank_t;

struct started {
  pid_t pid = -1;
  descriptor pmi;
  descriptor output;
  descriptor errors;
};

struct program {
  run_part part;
  rank_t ranks = 1;  ///< of the job
  std::string job;
  std::string terminals;    ///< which are terminals: "", "1", "2", "12"
  std::string output_file;  ///< launcher's output file, from file_of_descriptor()
  sigset_t signals{};       ///< initial mask of ranks
  rlimit open_files{};      ///< initial limit of ranks
};

/// @param variable "NAME=VALUE"
[[nodiscard]] bool is_set_by_launcher(std::string_view variable);

class starter {
 public:
  /// @throws not_started if the program cannot be found or run
  explicit starter(program what);
  starter(const starter&) = delete;
  starter& operator=(const starter&) = delete;

  /// @throws not_started
  [[nodiscard]] started start(rank_t rank, int input);

 private:
  void prepare_environment();

  const program what_;
  const descriptor folder_;
  std::string path_;
  std::vector<char*> arguments_;
  std::vector<std::string> variables_;
  std::vector<char*> environment_;
};

struct not_started {
  std::string problem;
  std::string advice;
  int status;
};

}  // namespace acre::tool
