// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"

#include <acre/base/link_target.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace acre::command_line {
namespace {

bool can_be_named(const struct stat& status) noexcept {
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode);
}

std::string identity_of(const struct stat& status) {
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

/// Device and inode, or path if missing; empty if sharing is harmless.
std::string identity_of(const std::string& path, int standard) {
  const auto own = path == "-" ? std::optional(standard) : own_descriptor(path);
  struct stat status{};
  const bool is_there = own ? ::fstat(*own, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (own == STDOUT_FILENO && is_there && S_ISFIFO(status.st_mode)) {
    const char* const setting = std::getenv(output_file_variable);
    const std::string_view known = setting == nullptr ? "" : setting;
    const std::string pipe = identity_of(status) + " ";
    if (known.starts_with(pipe)) return std::string(known.substr(pipe.size()));
  }
  if (is_there && can_be_named(status)) return identity_of(status);
  if (own) return "descriptor " + std::to_string(*own);
  if (is_there) return "";
  std::error_code problem;
  std::filesystem::path target = path;  // the link's target may not exist
  static_cast<void>(base::follow_links(target));
  const std::filesystem::path whole =
      std::filesystem::weakly_canonical(std::filesystem::absolute(target), problem);
  return problem ? path : whole.string();
}

std::string in_words(const named_file& file) { return file.option + " " + file.path; }

}  // namespace

std::string file_of_descriptor(int descriptor) {
  struct stat status{};
  const bool is_there = ::fstat(descriptor, &status) == 0;
  return is_there && can_be_named(status) ? identity_of(status) : "";
}

std::string clash_of(const std::vector<named_file>& outputs,
                     const std::vector<named_file>& inputs) {
  std::error_code problem;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path.empty()) continue;
    const std::string written = identity_of(outputs[i].path, STDOUT_FILENO);
    if (written.empty()) continue;
    for (const named_file& input : inputs) {
      const bool is_standard = input.path == "-";
      if (!is_standard && !std::filesystem::exists(std::filesystem::status(input.path, problem))) {
        continue;
      }
      if (identity_of(input.path, STDIN_FILENO) != written) continue;
      return in_words(outputs[i]) + " is the file of " + in_words(input) +
             ": outputs must not overwrite inputs";
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (outputs[k].path.empty() || identity_of(outputs[k].path, STDOUT_FILENO) != written) {
        continue;
      }
      return in_words(outputs[k]) + " and " + in_words(outputs[i]) + " are the same file";
    }
  }
  return "";
}

std::string problem_of_shared_input(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  const bool is_stream = path == "-" || own_descriptor(path) ||
                         (std::filesystem::exists(status) && std::filesystem::is_other(status));
  return is_stream ? path +
                         " is a stream, in which ranks cannot read at their own offsets: write it "
                         "to a file"
                   : "";
}

std::string problem_of_shared_output(const std::string& path) {
  return path == "-" || own_descriptor(path)
             ? path + " is a stream, not a file that all ranks can open: name a file"
             : "";
}

}  // namespace acre::command_line
