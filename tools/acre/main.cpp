// The `acre` command: one subcommand for each thing that one does with a job.
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

namespace {

using acre::tool::run_options;

constexpr int usage_error = 2;

constexpr const char* about_run =
    "Runs a program as a job of N ranks on this machine, with no other software.\n\n"
    "Output is merged line by line. Standard input goes to rank 0. Signals (INT, TERM,\n"
    "HUP, QUIT, USR1, USR2) go to all ranks; a second INT or TERM kills them. When a rank\n"
    "fails, the job ends: one line says which rank, and why, and the exit status is that\n"
    "rank's, or 128 + the signal that killed it.";

// CLI11 knows nothing of what it leaves to others.
class run_help final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: acre run [-n N] [--prefix] [--] program [argument ...]\n";
  }
};

CLI::App* add_run(CLI::App& acre, run_options& options) {
  CLI::App* run = acre.add_subcommand("run", "run a program as a job of several ranks, here");
  run->description(about_run);
  run->add_option("-n,--ranks", options.ranks, "how many ranks")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(acre::fabric::rank_t{1}, acre::tool::most_ranks));
  run->add_flag("--prefix", options.prefix, "begin each line of output with its rank: [3] ...");
  run->formatter(std::make_shared<run_help>());
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

// `after` is what came after the first "--": which is ours when no program came
// before it, and the program's otherwise.
int run_program(const CLI::App& run, run_options& options, std::span<char*> after) {
  options.command = run.remaining();
  const bool ours = options.command.empty();
  if (!after.empty() && !ours) options.command.emplace_back("--");
  for (const char* each : after.subspan(after.empty() ? 0 : 1)) options.command.emplace_back(each);
  if (options.command.empty()) {
    std::fprintf(stderr, "acre: run: no program is given\n      acre run -n 4 ./app\n");
    return usage_error;
  }
  if (!ours && options.command.front().starts_with("-")) {
    std::fprintf(stderr, "acre: run: unknown option %s\n      see acre run --help\n",
                 options.command.front().c_str());
    return usage_error;
  }
  return acre::tool::run(options);
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
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const auto dashes =
      std::ranges::find_if(words, [](std::string_view each) { return each == "--"; });
  try {
    acre.parse(static_cast<int>(dashes - words.begin()), argv);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == 0) return acre.exit(stop);  // --help, --version
    const std::span<const char* const> given(words.begin() + 1, dashes);
    std::fprintf(stderr, "acre: %s\n      see acre --help, or acre run --help\n",
                 explain(acre, stop, given).c_str());
    return usage_error;
  }
  return run->parsed() ? run_program(*run, options, std::span(dashes, words.end())) : usage_error;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "acre: %s\n", problem.what());
  return 1;
}
