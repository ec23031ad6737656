// SPDX-License-Identifier: BSD-3-Clause
#include "aftermath.hpp"

#include <acre/base/parse_number.hpp>
#include <acre/launch/job_name.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace acre::tool {
namespace {

// "4711 (name (with) brackets) S PARENT …"
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos || text.size() < name_end + 5) return -1;
  pid_t parent = -1;
  std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  return parent;
}

template <class Function>
void for_each_process(Function&& call) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    const auto process = base::parse_number<pid_t>(name);
    if (process) call(*process, entry.path());
  }
}

bool has_in_environment(const std::filesystem::path& process, std::string_view variable) {
  std::ifstream file(process / "environ", std::ios::binary);
  std::string each;
  while (std::getline(file, each, '\0')) {
    if (each == variable) return true;
  }
  return false;
}

void wait_a_moment() {
  const timespec moment{0, 1'000'000};
  ::nanosleep(&moment, nullptr);
}

struct named_job {
  pid_t launcher = -1;
  std::uint64_t processes = 0;  // PID namespace of `launcher`
};

std::optional<named_job> job_in(std::string_view name) {
  const std::size_t start = name.find("acre-");
  if (start == std::string_view::npos) return std::nullopt;
  name.remove_prefix(start + std::string_view("acre-").size());
  named_job job;
  const char* const begin = name.data();
  const char* const end = begin + name.size();
  const auto number = std::from_chars(begin, end, job.launcher);
  if (number.ec != std::errc{} || number.ptr == end || *number.ptr != '-') return std::nullopt;
  const auto space = std::from_chars(number.ptr + 1, end, job.processes, 16);
  if (space.ec != std::errc{} || space.ptr == end || *space.ptr != '-') return std::nullopt;
  return job;
}

bool reap_all() {
  pid_t ended = 0;
  while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return ended < 0;  // ECHILD: no children left
}

}  // namespace

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  const pid_t self = ::getpid();
  for_each_process([&](pid_t process, const std::filesystem::path& folder) {
    if (parent_of(folder) == self) found.push_back(process);
  });
  return found;
}

void end_children(const std::vector<pid_t>& spared) {
  // A killed child may leave orphans to this process.
  for (int round = 0; round < 1000 && !reap_all(); ++round) {
    std::vector<pid_t> left = children();
    std::erase_if(left,
                  [&](pid_t each) { return std::ranges::find(spared, each) != spared.end(); });
    if (left.empty()) return;
    for (const pid_t each : left) ::kill(each, SIGKILL);
    wait_a_moment();
  }
}

void end_processes_of(std::string_view job_name) {
  const std::string mark = std::string(job_variable).append(job_name);
  // A process started during the scan may be missed, so two empty rounds are needed.
  for (int rounds_without = 0; rounds_without < 2;) {
    bool found = false;
    for_each_process([&](pid_t process, const std::filesystem::path& folder) {
      if (process == ::getpid() || !has_in_environment(folder, mark)) return;
      found = ::kill(process, SIGKILL) == 0 || found;
    });
    rounds_without = found ? 0 : rounds_without + 1;
    // A killed process may not be released yet.
    for (int i = 0; found && i < 10; ++i) wait_a_moment();
  }
}

void remove_shared_memory(std::string_view job_name) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find(job_name) != std::string::npos) ::unlink(entry.path().c_str());
  }
}

void remove_shared_memory_of_lost_jobs() {
  const std::uint64_t processes_here = launch::process_namespace();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const auto job = job_in(entry.path().filename().string());
    if (!job || job->processes != processes_here || job->launcher <= 0) continue;
    const bool is_lost = ::kill(job->launcher, 0) != 0 && errno == ESRCH;
    struct stat about{};
    const bool is_ours = ::lstat(entry.path().c_str(), &about) == 0 && about.st_uid == ::geteuid();
    if (is_lost && is_ours) ::unlink(entry.path().c_str());
  }
}

}  // namespace acre::tool
