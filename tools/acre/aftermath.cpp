#include "aftermath.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
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

bool reap_all() {
  pid_t ended = 0;
  while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return ended < 0;  // ECHILD: there are none left
}

}  // namespace

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::error_code ignored;
  const pid_t self = ::getpid();
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    pid_t process = 0;
    const auto [rest, failed] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (failed != std::errc{} || rest != name.data() + name.size()) continue;
    if (parent_of(entry.path()) == self) found.push_back(process);
  }
  return found;
}

void end_children(const std::vector<pid_t>& spared) {
  // Every one that dies may leave children of its own to us.
  for (int round = 0; round < 1000 && !reap_all(); ++round) {
    std::vector<pid_t> left = children();
    std::erase_if(left,
                  [&](pid_t each) { return std::ranges::find(spared, each) != spared.end(); });
    if (left.empty()) return;
    for (const pid_t each : left) ::kill(each, SIGKILL);
    const timespec moment{0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
}

void remove_shared_memory(std::string_view job_name) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find(job_name) != std::string::npos) ::unlink(entry.path().c_str());
  }
}

}  // namespace acre::tool
