// SPDX-License-Identifier: BSD-3-Clause
#include "trace_files.hpp"

#include "messages_file.hpp"
#include "window_files.hpp"
#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>

#include <tools/command_line/files.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace acre::tool {

namespace fs = std::filesystem;

trace_files::trace_files(std::string purpose, const std::string& bytes)
    : purpose_(std::move(purpose)), names_{bytes, messages_file(bytes)} {
  // Checked before a long job runs.
  if (const std::string problem = command_line::problem_of_shared_output(bytes); !problem.empty()) {
    throw error(purpose_, problem,
                "a trace consists of two files, e.g. traffic.mtx and traffic.messages.mtx");
  }
  const fs::path parent = fs::path(bytes).parent_path();
  const fs::path folder = parent.empty() ? "." : parent;
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw error(
        purpose_,
        "cannot write a trace into the folder " + folder.string() + ": " + std::strerror(errno),
        "create the folder, or name a file elsewhere for the trace");
  }
  for (const std::string& each : names_) {
    std::error_code none;
    const fs::file_status found = fs::status(each, none);
    if (!fs::exists(found) || fs::is_regular_file(found)) continue;
    throw error(purpose_, each + " is not a regular file, so the trace cannot replace it",
                "name another file for the trace, e.g. traffic.mtx");
  }
}

void trace_files::remove_old() const {
  remove_window_files(names_[0]);
  for (const std::string& each : names_) {
    fs::path old = each;  // of a link, its target is removed
    std::error_code problem(base::follow_links(old), std::generic_category());
    if (!problem) fs::remove(old, problem);
    if (problem) {
      throw error(purpose_, "cannot remove the old trace " + each + ": " + problem.message(),
                  "name another file for the trace");
    }
  }
}

namespace {

bool is_written(const std::string& name) {
  std::error_code problem;
  return fs::file_size(name, problem) > 0 && !problem;
}

}  // namespace

int trace_files::report() const {
  const auto* const missing = std::ranges::find_if_not(names_, is_written);
  if (missing != names_.end()) {
    std::fprintf(stderr,
                 "acre: %s: %s was not written\n"
                 "      if no rank reports the cause, MPI_Finalize was not reached: the program "
                 "ends without "
                 "it, or uses another MPI than the one detected\n",
                 purpose_.c_str(), missing->c_str());
    return 1;
  }
  std::fprintf(stderr, "acre: %s: bytes are in %s, messages in %s\n", purpose_.c_str(),
               names_[0].c_str(), names_[1].c_str());
  return 0;
}

}  // namespace acre::tool
