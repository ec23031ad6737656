// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/inputs.hpp>

#include <acre/acre.hpp>
#include <acre/base/link_target.hpp>

#include <apps/genome/warning.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace acre::genome {
namespace {

void require_each_pipe_once(std::string_view call, const std::vector<input>& inputs) {
  for (auto second = inputs.begin(); second != inputs.end(); ++second) {
    const auto first = std::find_if(inputs.begin(), second, [&](const input& each) {
      return each.consumed && second->consumed && each.identity == second->identity;
    });
    if (first == second) continue;
    throw error(call,
                fmt::format("{} and {} are the same pipe, which can be read only once",
                            shown_name(first->path), shown_name(second->path)),
                "name it once");
  }
}

std::vector<input> inspect_here(std::string_view call, const std::vector<std::string>& files) {
  std::vector<input> inputs;
  for (const std::string& file : files) inputs.push_back(inspect(file));
  require_each_pipe_once(call, inputs);
  std::vector<input> empty;
  std::ranges::copy_if(inputs, std::back_inserter(empty), &input::empty);
  if (empty.size() == inputs.size()) {
    throw error(call,
                fmt::format("{}: {}", shown_name(files.front()),
                            files.size() == 1 ? "the file is empty" : "all files are empty"),
                "check that it was written completely");
  }
  for (const input& each : empty) {
    warn_once(each.path, "the file is empty and is ignored");
  }
  std::erase_if(inputs, [](const input& each) { return each.empty; });
  return inputs;
}

/// Launchers may copy standard input to all ranks and wait for each.
void close_standard_input() {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  ::close(nothing);
}

}  // namespace

std::vector<input> inspect_all(std::string_view call, const std::vector<std::string>& files) {
  std::vector<input> inputs;
  if (rank() == 0) inputs = inspect_here(call, files);
  inputs = world().broadcast(std::move(inputs), 0);
  const auto is_standard = [](const input& each) {
    return each.path == "-" || own_descriptor(each.path) == STDIN_FILENO;
  };
  if (rank() != 0 && std::ranges::any_of(inputs, is_standard)) close_standard_input();
  return inputs;
}

}  // namespace acre::genome
