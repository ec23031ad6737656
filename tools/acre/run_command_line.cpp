// SPDX-License-Identifier: BSD-3-Clause
#include "run_command_line.hpp"

#include "../command_line/command_line.hpp"
#include "allocation.hpp"
#include "complaint.hpp"
#include "duration.hpp"
#include "hosts.hpp"
#include "run.hpp"
#include "spawn.hpp"
#include <acre/base/error.hpp>
#include <acre/base/version.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::tool {
namespace {

using command_line::command;

constexpr const char* about =
    "Runs a program as a job of N ranks on this machine, without other software.\n\n"
    "Several programs, separated by :, form one job; -n, -x and --wdir belong to one of them.\n\n"
    "Output is merged line by line. Standard input goes to rank 0. Signals (INT, TERM,\n"
    "HUP, QUIT, USR1, USR2) go to all ranks; a second INT or TERM kills them. When a rank\n"
    "fails, the job ends: one line names the rank and the cause, and the exit status is that\n"
    "rank's, or 128 + the signal that killed it.";

struct part_options {
  rank_t ranks = usable_cpus();
  std::string folder;
  std::vector<std::string> settings;
  bool prefix = false;
  double timeout = 0;
  std::string hosts;
  std::string host_file;
};

command& add_run(command& acre, part_options& options) {
  command& run = acre.add_command("run", "run programs as a job of several ranks on this machine");
  run.description(about);
  run.add("-n,--ranks", options.ranks, "start N ranks (default: one per usable core)")
      .type_name("N")
      .within(rank_t{1}, most_ranks);
  run.add("-x,--env", options.settings, "set an environment variable for the ranks")
      .type_name("NAME[=VALUE]");
  run.add("--wdir", options.folder, "run the ranks in the directory FOLDER").type_name("FOLDER");
  run.add("--timeout", options.timeout, "end the job with status 124 after SECONDS")
      .type_name("SECONDS")
      .check(problem_of_duration);
  run.add("--prefix", options.prefix, "begin each line of output with its rank: [3] ...");
  run.add("-H,--host", options.hosts, "run on these hosts; each must be a name of this machine")
      .type_name("LIST");
  run.add("--hostfile", options.host_file, "read the hosts from FILE").type_name("FILE");
  run.usage("acre run [option ...] [--] program [argument ...] [: [option ...] program ...]");
  run.footer(
      "-np, -wdir, -host and -machinefile work as with other launchers. A program after -- gets\n"
      "all words that follow, with any : in them.\n\n"
      "Example: acre run -n 4 --prefix -- ./app --its-own-option");
  run.leave_the_rest();
  return run;
}

// CLI11 reads a single dash as several short options.
constexpr std::array<std::pair<std::string_view, const char*>, 13> aliases{{
    {"-np", "-n"},
    {"--np", "-n"},
    {"-wdir", "--wdir"},
    {"-wd", "--wdir"},
    {"--wd", "--wdir"},
    {"-timeout", "--timeout"},
    {"-host", "--host"},
    {"-hosts", "--host"},
    {"--hosts", "--host"},
    {"-hostfile", "--hostfile"},
    {"-machinefile", "--hostfile"},
    {"--machinefile", "--hostfile"},
    {"-f", "--hostfile"},
}};

struct part_words {
  std::vector<char*> options;
  std::vector<std::string> program;
};

part_words pop_part(std::span<char*>& words, const command& run) {
  part_words part;
  const auto pop = [&] {
    char* const word = words.front();
    words = words.subspan(1);
    return word;
  };
  while (!words.empty() && words.front()[0] == '-') {
    char* word = pop();
    if (word == std::string_view("--")) {
      part.program.assign(words.begin(), words.end());
      words = {};
      return part;
    }
    for (const auto& [alias, option] : aliases) {
      if (word == alias) word = const_cast<char*>(option);  // never written
    }
    part.options.push_back(word);
    if (run.takes_value(word) && !words.empty()) part.options.push_back(pop());
  }
  while (!words.empty() && words.front() != std::string_view(":")) {
    part.program.emplace_back(pop());
  }
  return part;
}

struct refusal {
  int status;
  std::string text;  ///< empty: printed already
};

class parts_reader {
 public:
  explicit parts_reader(std::span<char*> words) : rest_(words) {
    do {
      ++count_;
      read_part();
    } while (pop_colon());
    require_few_ranks();
    if (!has_hosts_) mention_other_hosts(options_.ranks());
  }

  [[nodiscard]] const run_options& options() const noexcept { return options_; }

 private:
  [[nodiscard]] bool is_one_of_several() const { return count_ > 1 || !rest_.empty(); }

  bool pop_colon() {
    if (rest_.empty()) return false;
    rest_ = rest_.subspan(1);
    return true;
  }

  void read_part() {
    command acre("", "acre");
    part_options given;
    const command& run = add_run(acre, given);
    acre.version("acre " ACRE_VERSION);
    part_words words = pop_part(rest_, run);
    char program[] = "acre";
    char name[] = "run";
    words.options.insert(words.options.begin(), {program, name});
    const auto why = acre.parse(static_cast<int>(words.options.size()), words.options.data());
    if (why && why->status == 0) throw refusal{print(*why), ""};
    if (why) refuse(why->problem, "see acre run --help");
    if (!run.remaining().empty()) {
      refuse("unknown option " + run.remaining().front(), "see acre run --help");
    }
    if (words.program.empty()) {
      refuse("the program is missing", "write, e.g.: acre run -n 4 ./app");
    }
    if (is_one_of_several() && !run.given("-n")) {
      refuse("-n is missing", "give each of several programs its number of ranks");
    }
    take_job_options(run, given);
    options_.parts.push_back({given.ranks, std::move(words.program),
                              explicit_settings(given.settings), std::move(given.folder)});
  }

  void take_job_options(const command& run, const part_options& given) {
    if (!given.hosts.empty()) check_all_here(hosts_of_list(given.hosts));
    if (!given.host_file.empty()) check_all_here(hosts_of_file(given.host_file));
    has_hosts_ |= !given.hosts.empty() || !given.host_file.empty();
    if (count_ == 1) {
      options_.prefix = given.prefix;
      options_.timeout = given.timeout;
      return;
    }
    for (const char* each : {"--prefix", "--timeout"}) {
      if (!run.given(each)) continue;
      refuse(std::string(each) + " concerns all ranks of the job",
             "give it before the first program");
    }
  }

  [[nodiscard]] std::vector<std::string> explicit_settings(
      const std::vector<std::string>& all) const {
    std::vector<std::string> found;
    for (const std::string& each : all) {
      const std::string name = each.substr(0, each.find('='));
      if (name.empty()) refuse("-x " + each + ": the name is empty", "write -x NAME=VALUE");
      if (is_set_by_launcher(each)) {
        refuse("-x " + each + ": the launcher sets this variable", "choose another name");
      }
      if (name.size() < each.size()) {
        found.push_back(each);
      } else if (std::getenv(each.c_str()) == nullptr) {
        std::fprintf(stderr, "acre: run: -x %s: the variable is not set, and not passed\n",
                     each.c_str());
      }
    }
    return found;
  }

  void require_few_ranks() const {
    std::size_t ranks = 0;
    for (const run_part& each : options_.parts) ranks += each.ranks;
    if (ranks <= most_ranks) return;
    throw refusal{usage_error, "run: the programs have " + std::to_string(ranks) + " ranks\n" +
                                   "      start at most " + std::to_string(most_ranks)};
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& advice) const {
    std::string where = "run: ";
    if (is_one_of_several()) where += "program " + std::to_string(count_) + ": ";
    throw refusal{usage_error, where + problem + "\n      " + advice};
  }

  std::span<char*> rest_;
  run_options options_;
  std::size_t count_ = 0;
  bool has_hosts_ = false;
};

}  // namespace

int run_by_command_line(std::span<char*> words) {
  std::optional<parts_reader> parts;
  try {
    parts.emplace(words);
  } catch (const refusal& why) {
    if (!why.text.empty()) std::fprintf(stderr, "acre: %s\n", why.text.c_str());
    return why.status;
  } catch (const error& wrong) {
    return complain(wrong, usage_error);
  }
  return run(parts->options());
}

}  // namespace acre::tool
