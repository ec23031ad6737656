// SPDX-License-Identifier: BSD-3-Clause
// The `acre` command.
#include "../command_line/command_line.hpp"
#include "build_details.hpp"
#include "complaint.hpp"
#include "map_program.hpp"
#include "mpi_command_line.hpp"
#include "run_command_line.hpp"
#include <acre/base/resource_limits.hpp>
#include <acre/base/standard_descriptors.hpp>
#include <acre/base/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using acre::command_line::command;
using acre::command_line::stop;
using acre::tool::usage_error;

constexpr std::size_t least_stack = std::size_t{64} << 10;

std::string commands_of(const command& acre) {
  std::string names;
  for (const auto& each : acre.commands()) names += (names.empty() ? "" : ", ") + each->name();
  return names;
}

const command* given_of(const command& acre) {
  for (const auto& each : acre.commands()) {
    if (each->given()) return each.get();
  }
  return nullptr;
}

// Explains wrong words more precisely than CLI11.
std::string explain(const command& acre, const stop& why, std::span<const char* const> words) {
  if (given_of(acre) != nullptr) return why.problem;
  const std::string list = "\n      use one of the commands: " + commands_of(acre);
  if (words.empty()) return "the command is missing" + list;
  const std::string first = words.front();
  if (first == "--verbose") return "--verbose needs --version" + list;
  return (first.starts_with("-") ? "unknown option " : "unknown command ") + first + list;
}

// Program and arguments, empty after an error message. `after` starts at the first "--", which is
// ours if no program precedes it.
std::vector<std::string> program_of(const command& given, std::span<char*> after) {
  std::vector<std::string> words = given.remaining();
  const bool ours = words.empty();
  if (!after.empty() && !ours) words.emplace_back("--");
  for (const char* each : after.subspan(after.empty() ? 0 : 1)) words.emplace_back(each);
  const std::string& name = given.name();
  if (words.empty()) {
    std::fprintf(stderr, "acre: %s: the program is missing\n      see acre %s --help\n",
                 name.c_str(), name.c_str());
  } else if (!ours && words.front().starts_with("-")) {
    std::fprintf(stderr, "acre: %s: unknown option %s\n      see acre %s --help\n", name.c_str(),
                 words.front().c_str(), name.c_str());
    words.clear();
  }
  return words;
}

template <class Options>
int start(int (*work)(const Options&), Options& options, const command& given,
          std::span<char*> after) {
  options.command = program_of(given, after);
  return options.command.empty() ? usage_error : work(options);
}

}  // namespace

int main(int argc, char** argv) try {
  acre::occupy_closed_standard_descriptors();
  if (!acre::raise_limit(RLIMIT_STACK, least_stack)) {
    std::fputs("acre: the stack limit is below 64 KiB\n      raise it: ulimit -s 8192\n", stderr);
    return 1;
  }
  command acre("Acre: one address space for programs of many processes", "acre");
  acre.require_command();
  acre.add_command("run", "run programs as a job of several ranks on this machine");
  acre::tool::trace_options tracing;
  const command& trace = add_trace(acre, tracing);
  acre::tool::reorder_options reordering;
  const command& reorder = add_reorder(acre, reordering);
  acre.add_command("map", "Finds the order of ranks that suits a network.");
  acre.version("acre " ACRE_VERSION, acre::tool::build_details());
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::string_view chosen = words.size() > 1 ? words[1] : "";
  if (chosen == "map") return acre::tool::become_map(argv);
  if (chosen == "run") return acre::tool::run_by_command_line(words.subspan(2));
  const auto dashes =
      std::ranges::find_if(words, [](std::string_view each) { return each == "--"; });
  if (const auto why = acre.parse(static_cast<int>(dashes - words.begin()), argv)) {
    if (why->status == 0) return print(*why);
    const std::span<const char* const> given(words.begin() + 1, dashes);
    const command* known = given_of(acre);
    std::fprintf(stderr, "acre: %s\n      see acre --help, or acre %s --help\n",
                 explain(acre, *why, given).c_str(),
                 known == nullptr ? "run" : known->name().c_str());
    return usage_error;
  }
  const std::span<char*> after(dashes, words.end());
  if (trace.given() && !tracing.parts.empty()) return acre::tool::trace(tracing);
  if (trace.given()) return start(&acre::tool::trace, tracing, trace, after);
  if (reorder.given()) return start(&acre::tool::reorder, reordering, reorder, after);
  return usage_error;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "acre: %s\n", problem.what());
  return 1;
}
