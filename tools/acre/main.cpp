// SPDX-License-Identifier: BSD-3-Clause
// The `acre` command.
#include "../command_line/command_line.hpp"
#include "allocation.hpp"
#include "build_details.hpp"
#include "complaint.hpp"
#include "hosts.hpp"
#include "map_program.hpp"
#include "mpi_command_line.hpp"
#include "run.hpp"
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
using acre::tool::run_options;
using acre::tool::usage_error;

constexpr const char* about_run =
    "Runs a program as a job of N ranks on this machine, without other software.\n\n"
    "Output is merged line by line. Standard input goes to rank 0. Signals (INT, TERM,\n"
    "HUP, QUIT, USR1, USR2) go to all ranks; a second INT or TERM kills them. When a rank\n"
    "fails, the job ends: one line names the rank and the cause, and the exit status is that\n"
    "rank's, or 128 + the signal that killed it.";

constexpr std::size_t least_stack = std::size_t{64} << 10;

struct places {
  std::string hosts;
  std::string file;
};

command& add_run(command& acre, run_options& options, places& where) {
  command& run = acre.add_command("run", "run a program as a job of several ranks on this machine");
  run.description(about_run);
  run.add("-n,--ranks", options.ranks, "start N ranks (default: one per usable core)")
      .type_name("N")
      .shown_default()
      .within(acre::fabric::rank_t{1}, acre::tool::most_ranks);
  run.add("--prefix", options.prefix, "begin each line of output with its rank: [3] ...");
  run.add("-H,--host", where.hosts, "run on these hosts; each must be a name of this machine")
      .type_name("LIST");
  run.add("--hostfile", where.file, "read the hosts from FILE").type_name("FILE");
  run.usage("acre run [-n N] [--prefix] [--] program [argument ...]");
  run.footer("Example: acre run -n 4 --prefix -- ./app --its-own-option");
  run.leave_the_rest();
  return run;
}

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
  return (first.starts_with("-") ? "unknown option " : "unknown command ") + first + list;
}

// Single-dash options of other launchers, which CLI11 reads as several short options.
const char* spelled_our_way(std::string_view word) {
  if (word == "-np" || word == "--np") return "-n";
  if (word == "-host" || word == "-hosts" || word == "--hosts") return "--host";
  for (const char* each : {"-hostfile", "-machinefile", "--machinefile", "-f"}) {
    if (word == each) return "--hostfile";
  }
  return nullptr;
}

// Rewrites options before the program of `run`.
void spell_options_our_way(std::span<char*> words) {
  if (words.size() < 2 || words[1] != std::string_view("run")) return;
  for (std::size_t i = 2; i < words.size() && words[i][0] == '-'; ++i) {
    if (words[i] == std::string_view("--")) return;
    const char* const ours = spelled_our_way(words[i]);
    if (ours != nullptr) words[i] = const_cast<char*>(ours);  // the words are never written
    const std::string_view word = words[i];
    for (const char* takes_value : {"-n", "--ranks", "-H", "--host", "--hostfile"}) {
      if (word == takes_value) ++i;
    }
  }
}

constexpr const char* one_program =
    "acre: run: ':' between several programs is unsupported\n"
    "      start one program on all ranks and let it branch on its rank; RPCs and static data "
    "need this\n"
    "      (if : is an argument of the program, write -- before the program)\n";

// Program and arguments. `after` starts at the first "--", which is ours if no program precedes it.
// Empty after an error message.
std::vector<std::string> program_of(const command& given, std::span<char*> after) {
  std::vector<std::string> words = given.remaining();
  const bool ours = words.empty();
  if (!after.empty() && !ours) words.emplace_back("--");
  for (const char* each : after.subspan(after.empty() ? 0 : 1)) words.emplace_back(each);
  const std::string& name = given.name();
  if (words.empty()) {
    std::fprintf(stderr, "acre: %s: the program is missing\n      %s\n", name.c_str(),
                 name == "run" ? "write, e.g.: acre run -n 4 ./app"
                               : ("see acre " + name + " --help").c_str());
  } else if (!ours && words.front().starts_with("-")) {
    std::fprintf(stderr, "acre: %s: unknown option %s\n      see acre %s --help\n", name.c_str(),
                 words.front().c_str(), name.c_str());
    words.clear();
  }
  const auto before_dashes = std::span(words).first(ours ? 0 : given.remaining().size());
  if (name == "run" && !words.empty() &&
      std::ranges::find(before_dashes, ":") != before_dashes.end()) {
    std::fputs(one_program, stderr);
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

int check(const places& where) try {
  if (!where.hosts.empty()) acre::tool::check_all_here(acre::tool::hosts_of_list(where.hosts));
  if (!where.file.empty()) acre::tool::check_all_here(acre::tool::hosts_of_file(where.file));
  return 0;
} catch (const acre::error& wrong) {
  return acre::tool::complain(wrong, usage_error);
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
  run_options options;
  options.ranks = acre::tool::usable_cpus();
  places where;
  const command& run = add_run(acre, options, where);
  acre::tool::trace_options tracing;
  const command& trace = add_trace(acre, tracing);
  acre::tool::reorder_options reordering;
  const command& reorder = add_reorder(acre, reordering);
  acre.add_command("map", "Finds the order of ranks that suits a network.");
  acre.version("acre " ACRE_VERSION, acre::tool::build_details());
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  if (words.size() > 1 && words[1] == std::string_view("map")) return acre::tool::become_map(argv);
  spell_options_our_way(words);
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
  if (run.given() && check(where) != 0) return usage_error;
  if (run.given() && where.hosts.empty() && where.file.empty()) {
    acre::tool::mention_other_hosts(options.ranks);
  }
  if (run.given()) return start(&acre::tool::run, options, run, after);
  if (trace.given() && !tracing.parts.empty()) return acre::tool::trace(tracing);
  if (trace.given()) return start(&acre::tool::trace, tracing, trace, after);
  if (reorder.given()) return start(&acre::tool::reorder, reordering, reorder, after);
  return usage_error;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "acre: %s\n", problem.what());
  return 1;
}
