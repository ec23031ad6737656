// The `acre` command: one subcommand for each thing that one does with a job.
#include "command_help.hpp"
#include "complaint.hpp"
#include "map_program.hpp"
#include "mpi_command_line.hpp"
#include "run.hpp"
#include <acre/base/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using acre::tool::run_options;

using acre::tool::usage_error;

constexpr const char* about_run =
    "Runs a program as a job of N ranks on this machine, with no other software.\n\n"
    "Output is merged line by line. Standard input goes to rank 0. Signals (INT, TERM,\n"
    "HUP, QUIT, USR1, USR2) go to all ranks; a second INT or TERM kills them. When a rank\n"
    "fails, the job ends: one line says which rank, and why, and the exit status is that\n"
    "rank's, or 128 + the signal that killed it.";

CLI::App* add_run(CLI::App& acre, run_options& options) {
  CLI::App* run = acre.add_subcommand("run", "run a program as a job of several ranks, here");
  run->description(about_run);
  run->add_option("-n,--ranks", options.ranks, "how many ranks")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(acre::fabric::rank_t{1}, acre::tool::most_ranks));
  run->add_flag("--prefix", options.prefix, "begin each line of output with its rank: [3] ...");
  run->formatter(std::make_shared<acre::tool::command_help>(
      "run [-n N] [--prefix] [--] program [argument ...]"));
  run->footer("Example: acre run -n 4 --prefix -- ./app --its-own-option");
  run->prefix_command();
  return run;
}

std::string commands_of(const CLI::App& acre) {
  std::string names;
  for (const CLI::App* each : acre.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + each->get_name();
  }
  return names;
}

// What is wrong with the words, where CLI11 would only miss a subcommand.
std::string explain(const CLI::App& acre, const CLI::ParseError& stop,
                    std::span<const char* const> words) {
  if (!acre.get_subcommands().empty()) return stop.what();
  const std::string list = "\n      the commands are: " + commands_of(acre);
  if (words.empty()) return "no command is given" + list;
  const std::string first = words.front();
  return (first.starts_with("-") ? "there is no option " : "there is no command ") + first + list;
}

// What `command` is to run. `after` is what came after the first "--": which is ours when no
// program came before it, and the program's otherwise. Empty: there was a complaint.
std::vector<std::string> program_of(const CLI::App& command, std::span<char*> after) {
  std::vector<std::string> words = command.remaining();
  const bool ours = words.empty();
  if (!after.empty() && !ours) words.emplace_back("--");
  for (const char* each : after.subspan(after.empty() ? 0 : 1)) words.emplace_back(each);
  const std::string& name = command.get_name();
  if (words.empty()) {
    std::fprintf(stderr, "acre: %s: no program is given\n      %s\n", name.c_str(),
                 name == "run" ? "acre run -n 4 ./app" : ("see acre " + name + " --help").c_str());
  } else if (!ours && words.front().starts_with("-")) {
    std::fprintf(stderr, "acre: %s: unknown option %s\n      see acre %s --help\n", name.c_str(),
                 words.front().c_str(), name.c_str());
    words.clear();
  }
  return words;
}

template <class Options>
int start(int (*command)(const Options&), Options& options, const CLI::App& given,
          std::span<char*> after) {
  options.command = program_of(given, after);
  return options.command.empty() ? usage_error : command(options);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App acre("Acre: one address space for programs of many processes");
  acre.name("acre");
  acre.set_version_flag("--version", "acre " ACRE_VERSION);
  acre.require_subcommand(1);
  run_options options;
  options.ranks = acre::tool::usable_cpus();
  const CLI::App* run = add_run(acre, options);
  acre::tool::trace_options tracing;
  const CLI::App* trace = add_trace(acre, tracing);
  acre::tool::reorder_options reordering;
  const CLI::App* reorder = add_reorder(acre, reordering);
  acre.add_subcommand("map", "find the order of ranks that suits a network");
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  if (words.size() > 1 && words[1] == std::string_view("map")) return acre::tool::become_map(argv);
  const auto dashes =
      std::ranges::find_if(words, [](std::string_view each) { return each == "--"; });
  try {
    acre.parse(static_cast<int>(dashes - words.begin()), argv);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == 0) return acre.exit(stop);  // --help, --version
    const std::span<const char* const> given(words.begin() + 1, dashes);
    const std::vector<CLI::App*> known = acre.get_subcommands();
    const std::string command = known.empty() ? "run" : known.front()->get_name();
    std::fprintf(stderr, "acre: %s\n      see acre --help, or acre %s --help\n",
                 explain(acre, stop, given).c_str(), command.c_str());
    return usage_error;
  }
  const std::span<char*> after(dashes, words.end());
  if (run->parsed()) return start(&acre::tool::run, options, *run, after);
  if (trace->parsed()) return start(&acre::tool::trace, tracing, *trace, after);
  if (reorder->parsed()) return start(&acre::tool::reorder, reordering, *reorder, after);
  return usage_error;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "acre: %s\n", problem.what());
  return 1;
}
