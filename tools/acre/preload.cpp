// SPDX-License-Identifier: BSD-3-Clause
#include "preload.hpp"

#include "complaint.hpp"
#include "own_folder.hpp"
#include "trace_files.hpp"
#include "window_files.hpp"
#include <acre/base/error.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre::tool {
namespace {

namespace fs = std::filesystem;

const char* package_of(mpi which) {
  return which == mpi::openmpi ? "libopenmpi-dev" : "libmpich-dev";
}

// For programs that load MPI themselves, as Python.
const char* library_of(mpi which) {
  return which == mpi::openmpi ? "libmpi.so.40" : "libmpich.so.12";
}

mpi which_mpi(const preload& what, const mpi_command& seen) {
  if (what.which) return *what.which;
  if (seen.linked && seen.launcher && *seen.linked != *seen.launcher) {
    throw error(what.purpose,
                seen.program + " is linked with " + std::string(name_of(*seen.linked)) + ", but " +
                    what.command.front() + " starts programs of " +
                    std::string(name_of(*seen.launcher)),
                seen.linked == mpi::openmpi ? "use the mpirun of Open MPI (Debian: mpirun.openmpi)"
                                            : "use the mpiexec of MPICH (Debian: mpiexec.hydra)");
  }
  if (seen.linked) return *seen.linked;
  if (!seen.static_program.empty()) {
    throw error(what.purpose,
                seen.static_program +
                    " is linked statically, so its MPI calls cannot be "
                    "intercepted",
                "link it with the shared library of MPI");
  }
  if (seen.launcher) return *seen.launcher;
  throw error(what.purpose,
              "the command contains neither a program that is linked with MPI nor mpirun",
              "name the MPI of the program: --mpi openmpi, or --mpi mpich");
}

std::string layer_for(const preload& what, mpi which) {
  std::error_code none;
  const fs::path layer = (own_folder() / ACRE_TOOL_TO_LIBRARIES /
                          ("libacre-mpi-" + std::string(short_name_of(which)) + ".so"))
                             .lexically_normal();
  if (layer.string().find_first_of(" :") != std::string::npos) {
    throw error(what.purpose,
                layer.string() + " contains a space or a colon, so LD_PRELOAD cannot name it",
                "move the folder of Acre");
  }
  if (fs::exists(layer, none)) return layer;
  throw error(
      what.purpose,
      layer.string() + " does not exist: Acre was built without " + std::string(name_of(which)),
      std::string("apt-get install ") + package_of(which) +
          ", then configure and build Acre again");
}

// PID of the command; 0: not running.
volatile std::sig_atomic_t child = 0;

void pass_on(int signal) {
  const int before = errno;
  if (child > 0) ::kill(child, signal);
  errno = before;
}

// Launchers forward these to ranks, which may end a window.
constexpr std::array for_ranks{SIGUSR1, SIGUSR2};

// A terminal also signals the child.
void leave_signals_to_child() {
  for (const int each : for_ranks) std::signal(each, &pass_on);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  std::signal(SIGTERM, &pass_on);
  std::signal(SIGHUP, &pass_on);
}

// Starts the child; blocks signals until they can be forwarded. @return errno, or 0
int start(std::vector<std::string>& command) {
  std::signal(SIGCHLD, SIG_DFL);  // if ignored, the status is lost
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& each : command) words.push_back(each.data());
  words.push_back(nullptr);
  sigset_t passed_on;
  sigset_t before;
  ::sigemptyset(&passed_on);
  for (const int each : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
    ::sigaddset(&passed_on, each);
  ::sigprocmask(SIG_BLOCK, &passed_on, &before);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &before);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t started = 0;
  const int problem =
      ::posix_spawnp(&started, words[0], nullptr, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (problem == 0) {
    child = started;
    leave_signals_to_child();
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return problem;
}

// Stops forwarding signals before the PID is released.
std::optional<int> wait_for_child() {
  siginfo_t ended;
  while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  const pid_t waited = child;
  child = 0;
  int status = 0;
  return ::waitpid(waited, &status, 0) == waited ? std::optional(status) : std::nullopt;
}

put_together_result put_together_windows(const preload& what) try {
  return put_together(what.parts, what.trace);
} catch (const error& reason) {
  (void)complain(reason, 1);
  return put_together_result::nothing;
}

}  // namespace

std::optional<std::vector<std::string>> with_variables(
    const std::vector<std::string>& command, std::optional<mpi> launcher,
    const std::vector<std::pair<std::string, std::string>>& variables) {
  if (!launcher) return std::nullopt;
  std::vector<std::string> options;
  for (const auto& [name, value] : variables) {
    if (launcher == mpi::openmpi) {
      options.emplace_back("-x");
      options.emplace_back(name).append("=").append(value);
    } else {
      options.insert(options.end(), {"-genv", name, value});
    }
  }
  std::vector<std::string> words;
  for (const std::string& word : command) {
    words.push_back(word);
    // Open MPI's -x applies to one program only.
    const bool begins = words.size() == 1 || (word == ":" && launcher == mpi::openmpi);
    if (begins) words.insert(words.end(), options.begin(), options.end());
  }
  return words;
}

int run_preloaded(const preload& what) {
  std::optional<trace_files> trace;
  if (!what.trace.empty()) trace.emplace(what.purpose, what.trace);
  const mpi_command seen = look_at(what.command);
  const mpi which = which_mpi(what, seen);
  std::string libraries = layer_for(what, which);
  if (!seen.linked) libraries += std::string(":") + library_of(which);
  if (const char* others = std::getenv("LD_PRELOAD"); others != nullptr && *others != '\0') {
    libraries += std::string(":") + others;
  }
  auto variables = what.settings;
  if (trace) variables.emplace_back("ACRE_MPI_TRACE", fs::absolute(what.trace).string());
  variables.emplace_back("LD_PRELOAD", libraries);
  auto command = with_variables(what.command, seen.launcher, variables);
  if (!command) {
    command = what.command;
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  if (!can_run(command->front())) {
    std::fprintf(stderr, "acre: %s: cannot run \"%s\": program not found\n", what.purpose.c_str(),
                 command->front().c_str());
    return not_found;
  }
  // On failure, older files stay.
  if (!what.parts.empty()) make_parts_folder(what.parts);
  if (trace) trace->remove_old();
  if (const int problem = start(*command); problem != 0) {
    std::fprintf(stderr, "acre: %s: cannot run \"%s\": %s\n", what.purpose.c_str(),
                 command->front().c_str(), std::strerror(problem));
    return not_found;
  }
  const std::optional<int> status = wait_for_child();
  if (!status) {
    std::fprintf(stderr, "acre: %s: the exit status of \"%s\" is unavailable: %s\n",
                 what.purpose.c_str(), command->front().c_str(), std::strerror(errno));
    return 1;
  }
  const auto windows =
      what.parts.empty() ? put_together_result::windows : put_together_windows(what);
  if (WIFSIGNALED(*status)) return 128 + WTERMSIG(*status);
  if (WEXITSTATUS(*status) != 0 || !trace) return WEXITSTATUS(*status);
  if (windows == put_together_result::windows_and_sum) return 0;
  return trace->report() != 0 || windows == put_together_result::nothing ? 1 : 0;
}

}  // namespace acre::tool
