// SPDX-License-Identifier: BSD-3-Clause
#include "spawn.hpp"

#include "aftermath.hpp"
#include "complaint.hpp"
#include <acre/base/host_name.hpp>
#include <acre/base/resource_limits.hpp>

#include <tools/command_line/files.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <ranges>
#include <set>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace acre::tool {
namespace {

constexpr int not_runnable = 126;

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::string path_from(const std::string& folder, const std::string& path) {
  return folder.empty() || path.starts_with('/') ? path : folder + "/" + path;
}

not_started explain(const std::string& program, const std::string& folder, int problem) {
  const std::string quoted =
      "cannot run \"" + program + "\"" + (folder.empty() ? "" : " in \"" + folder + "\"") + ": ";
  if (program.empty()) {
    return {quoted + "the name is empty",
            "name a program, and check that variables in the command are set", not_found};
  }
  if (problem == EISDIR) {
    return {quoted + "it is a directory", "give the path of a program", not_runnable};
  }
  if (problem == EACCES || problem == ENOEXEC) {
    return {quoted + std::strerror(problem), "make it executable: chmod +x " + program,
            not_runnable};
  }
  if (problem == ENOENT && program.find('/') != std::string::npos &&
      exists(path_from(folder, program))) {
    return {quoted + "its interpreter or loader does not exist",
            "check its first line, or the output of `file`", not_found};
  }
  if (problem == ENOENT || problem == ENOTDIR) {
    return {quoted + "program not found", "give its path (./name), or a name that is in PATH",
            not_found};
  }
  if (problem == E2BIG) {
    return {quoted + std::strerror(problem),
            "shorten the arguments and environment to a quarter of the stack limit (ulimit -s)",
            not_runnable};
  }
  return {quoted + std::strerror(problem), "", not_runnable};
}

// PATH lookup; prefers executable files.
std::string look_up(const run_part& part) {
  const std::string& program = part.command.front();
  const std::string& folder = part.folder;
  if (program.find('/') != std::string::npos) return program;
  const char* variable = std::getenv("PATH");
  std::string_view places = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  for (const std::string_view each : part.settings) {
    if (each.starts_with("PATH=")) places = each.substr(5);
  }
  std::string second_best;
  for (;;) {
    const std::size_t colon = places.find(':');
    const std::string_view place = places.substr(0, colon);
    std::string path = (place.empty() ? "." : std::string(place)) + "/" + program;
    const std::string from_here = path_from(folder, path);
    struct stat status{};
    if (::stat(from_here.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      if (::access(from_here.c_str(), X_OK) == 0) return path;
      if (second_best.empty()) second_best = std::move(path);
    }
    if (colon == std::string_view::npos) break;
    places.remove_prefix(colon + 1);
  }
  if (!second_best.empty()) return second_best;
  not_started reason = explain(program, folder, ENOENT);
  const std::string here = "./" + program;
  struct stat status{};
  if (::stat(path_from(folder, here).c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    reason.advice = "to run the file in this directory, write " + here;
  }
  throw reason;
}

void check_runnable(const std::string& path, const std::string& folder) {
  const std::string from_here = path_from(folder, path);
  struct stat status{};
  if (::stat(from_here.c_str(), &status) != 0) throw explain(path, folder, errno);
  if (S_ISDIR(status.st_mode)) throw explain(path, folder, EISDIR);
  if (::access(from_here.c_str(), X_OK) != 0) throw explain(path, folder, errno);
}

descriptor open_folder(const std::string& folder) {
  if (folder.empty()) return {};
  descriptor opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (opened.open() && ::access(folder.c_str(), X_OK) == 0) return opened;
  throw not_started{"cannot enter the working directory \"" + folder + "\" on host " + host_name() +
                        ": " + std::strerror(errno),
                    "give --wdir a directory of this host", not_runnable};
}

// State of the child between vfork and exec; it may write only `problem`.
struct child_plan {
  const char* path;
  char** arguments;
  char** environment;
  int input, output, errors, pmi;
  pid_t launcher;
  const sigset_t* signals;
  const rlimit* open_files;
  int folder;
  volatile int problem = 0;
};

[[noreturn]] void become_rank(child_plan& plan) {
  ::setpgid(0, 0);
  // The launcher may have died before prctl.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.launcher) ::_exit(not_runnable);
  ::dup2(plan.input, STDIN_FILENO);
  ::dup2(plan.output, STDOUT_FILENO);
  ::dup2(plan.errors, STDERR_FILENO);
  ::fcntl(plan.pmi, F_SETFD, 0);
  ::setrlimit(RLIMIT_NOFILE, plan.open_files);
  ::sigprocmask(SIG_SETMASK, plan.signals, nullptr);
  if (plan.folder >= 0 && ::fchdir(plan.folder) != 0) {
    plan.problem = errno;
    ::_exit(not_runnable);
  }
  ::execvpe(plan.path, plan.arguments, plan.environment);
  plan.problem = errno;
  ::_exit(not_runnable);
}

not_started out_of(const char* what) {
  const int problem = errno;
  std::string advice = advice_for_refused_call(what, problem, "start fewer ranks");
  if (problem == EMFILE) {
    advice = "start fewer ranks, or raise the limit of " +
             std::to_string(soft_limit(RLIMIT_NOFILE)) +
             " open files (ulimit -n): the launcher uses three for each rank";
  } else if (problem == EAGAIN) {
    advice += "; the limits: " + limits_of_threads();
  }
  return {std::string("cannot start another rank: ") + what + ": " + std::strerror(problem), advice,
          not_runnable};
}

struct ends {
  descriptor read, write;
};

ends open_pipe() {
  int numbers[2];
  if (::pipe2(numbers, O_CLOEXEC) != 0) throw out_of("pipe");
  ends both{descriptor(numbers[0]), descriptor(numbers[1])};
  ::fcntl(both.read.get(), F_SETFL, O_NONBLOCK);
  return both;
}

}  // namespace

bool is_set_by_launcher(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  constexpr std::string_view names[] = {"ACRE_LAUNCHER", "ACRE_RANKS_ON_HOST", "ACRE_TERMINAL",
                                        command_line::output_file_variable,
                                        job_variable.substr(0, job_variable.size() - 1)};
  return name.starts_with("PMI_") || name.starts_with("PMIX_") ||
         std::ranges::find(names, name) != std::end(names);
}

starter::starter(program what)
    : what_(std::move(what)), folder_(open_folder(what_.part.folder)), path_(look_up(what_.part)) {
  check_runnable(path_, what_.part.folder);
  for (const std::string& each : what_.part.command) {
    arguments_.push_back(const_cast<char*>(each.c_str()));  // execve does not write to it
  }
  arguments_.push_back(nullptr);
  prepare_environment();
}

// Sets the job's variables; removes those of other launchers.
void starter::prepare_environment() {
  const std::string output_file_setting = std::string(command_line::output_file_variable) + "=";
  const std::string ranks = std::to_string(what_.ranks);
  variables_ = {"PMI_RANK=",
                "PMI_FD=",
                output_file_setting,
                "PMI_SIZE=" + ranks,
                "PMI_SPAWNED=0",
                "ACRE_LAUNCHER=acre",
                "ACRE_RANKS_ON_HOST=" + ranks,
                std::string(job_variable) + what_.job};
  if (!what_.terminals.empty()) variables_.push_back("ACRE_TERMINAL=" + what_.terminals);
  // For programs that map their ranks by a file.
  std::error_code unknown;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown && ::getenv("ACRE_TOOL") == nullptr) {
    variables_.push_back("ACRE_TOOL=" + self.string());
  }
  std::vector<std::string> settings = what_.part.settings;
  if (!what_.part.folder.empty()) {
    settings.insert(settings.begin(),
                    "PWD=" + std::filesystem::canonical(what_.part.folder).string());
  }
  std::set<std::string_view> known;
  for (const std::string& each : std::views::reverse(settings)) {
    const std::string_view name = std::string_view(each).substr(0, each.find('='));
    if (known.insert(name).second) variables_.push_back(each);
  }
  for (std::string& each : variables_) environment_.push_back(each.data());
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (!is_set_by_launcher(variable) && !known.contains(name)) environment_.push_back(*each);
  }
  environment_.push_back(nullptr);
}

started starter::start(rank_t rank, int input) {
  ends output = open_pipe();
  ends errors = open_pipe();
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) throw out_of("socketpair");
  descriptor mine(pair[0]);
  const descriptor theirs(pair[1]);
  ::fcntl(mine.get(), F_SETFL, O_NONBLOCK);

  variables_[0] = "PMI_RANK=" + std::to_string(rank);
  variables_[1] = "PMI_FD=" + std::to_string(theirs.get());
  if (!what_.output_file.empty()) {
    variables_[2] = std::string(command_line::output_file_variable) + "=" +
                    command_line::file_of_descriptor(output.write.get()) + " " + what_.output_file;
  }
  for (std::size_t i = 0; i < 3; ++i) environment_[i] = variables_[i].data();
  child_plan plan{path_.c_str(),      arguments_.data(),  environment_.data(), input,
                  output.write.get(), errors.write.get(), theirs.get(),        ::getpid(),
                  &what_.signals,     &what_.open_files,  folder_.get()};
  // Safe: only system calls. posix_spawn cannot set PR_SET_PDEATHSIG.
  // NOLINTBEGIN(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  // NOLINTBEGIN(clang-analyzer-unix.Vfork)
  const pid_t child = ::vfork();
  if (child == 0) become_rank(plan);
  // NOLINTEND(clang-analyzer-unix.Vfork)
  // NOLINTEND(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  if (child < 0) throw out_of("fork");
  if (plan.problem != 0) {
    ::waitpid(child, nullptr, 0);
    throw explain(path_, what_.part.folder, plan.problem);
  }
  return {child, std::move(mine), std::move(output.read), std::move(errors.read)};
}

}  // namespace acre::tool
