// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/map_command.hpp>

#include <acre/base/descriptor.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre::global {
namespace {

[[noreturn]] void fail_to_map(const std::string& action, int reason) {
  throw error("team::cartesian", action + ": " + std::strerror(reason));
}

/// A file in memory, which the child opens by its path.
class text_in_memory {
 public:
  explicit text_in_memory(const std::string& text) : file_(::memfd_create("acre-map", 0)) {
    if (!file_.open()) fail_to_map("memfd_create failed", errno);
    for (std::size_t written = 0; written < text.size();) {
      const ssize_t now = ::write(file_.get(), text.data() + written, text.size() - written);
      if (now < 0 && errno != EINTR) fail_to_map("writing to a memfd failed", errno);
      written += now > 0 ? static_cast<std::size_t>(now) : 0;
    }
    path_ = "/proc/self/fd/" + std::to_string(file_.get());
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  acre::descriptor file_;
  std::string path_;
};

std::string hostfile_of(const map_request& request) {
  std::string text;
  for (std::size_t i = 0; i < request.hosts.size(); ++i) {
    text += request.hosts[i] + " slots=" + std::to_string(request.slots[i]) + '\n';
  }
  return text;
}

/// Matrix Market.
std::string matrix_market_of(const mapping::traffic& flows) {
  const std::string ranks = std::to_string(flows.ranks());
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + ranks + ' ' + ranks + ' ' +
                     std::to_string(flows.flows()) + '\n';
  for (mapping::rank_t from = 0; from < flows.ranks(); ++from) {
    for (const auto& flow : flows.from(from)) {
      text += std::to_string(from + 1) + ' ' + std::to_string(flow.to + 1) + ' ' +
              std::to_string(flow.bytes) + '\n';
    }
  }
  return text;
}

struct command_outcome {
  std::string text;
  int status = 0;
};

/// Runs a command; its standard output and errors are one text.
command_outcome run_command(std::vector<std::string> words) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_map("pipe2 failed", errno);
  const acre::descriptor from(ends[0]);
  acre::descriptor to(ends[1]);
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, to.get(), STDERR_FILENO);
  pid_t child = 0;
  const int reason =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (reason != 0) {
    throw error("team::cartesian",
                "ACRE_TOPOLOGY names a file, which the command " + words[0] +
                    " reads, but this cannot be started: " + std::strerror(reason),
                "add the folder of acre to PATH, or set ACRE_TOOL to its path");
  }
  to = acre::descriptor();
  command_outcome result;
  std::array<char, 4096> piece;
  for (;;) {
    const ssize_t bytes = ::read(from.get(), piece.data(), piece.size());
    if (bytes > 0) result.text.append(piece.data(), static_cast<std::size_t>(bytes));
    if (bytes == 0 || (bytes < 0 && errno != EINTR)) break;
  }
  while (::waitpid(child, &result.status, 0) < 0 && errno == EINTR) continue;
  return result;
}

std::string_view after(std::string_view text, std::string_view key) {
  const std::size_t found = text.find(key);
  if (found != std::string_view::npos) return text.substr(found + key.size());
  throw error("team::cartesian", "the output of acre map lacks " + std::string(key),
              "use acre of the same version as the program's library");
}

double number_after(std::string_view text, std::string_view key) {
  return std::strtod(std::string(after(text, key).substr(0, 40)).c_str(), nullptr);
}

}  // namespace

mapped_by_command mapped_from(const std::string& json) {
  mapped_by_command found;
  std::string_view list = after(json, "\"slot_of_rank\":[");
  list = list.substr(0, list.find(']'));
  while (!list.empty()) {
    const std::string_view number = list.substr(0, list.find(','));
    found.slot_of_rank.push_back(
        static_cast<topology::slot_t>(std::strtoul(std::string(number).c_str(), nullptr, 10)));
    list.remove_prefix(std::min(list.size(), number.size() + 1));
  }
  const std::string_view metrics = after(json, "\"metrics\":");
  found.seconds = number_after(metrics, "\"time_seconds\":");
  found.hop_bytes = number_after(metrics, "\"hop_bytes\":");
  return found;
}

mapped_by_command map_by_command(const map_request& request,
                                 const mapping::communication& communication) {
  const text_in_memory hosts(hostfile_of(request));
  const text_in_memory flows(matrix_market_of(communication.traffic));
  std::vector<std::string> words{environment("ACRE_TOOL").value_or("acre"),
                                 "map",
                                 "--topology",
                                 request.topology,
                                 "--nodes",
                                 request.nodes.empty() ? hosts.path() : request.nodes,
                                 "--slots",
                                 std::to_string(std::ranges::max(request.slots)),
                                 "--matrix",
                                 flows.path(),
                                 "--format",
                                 "json",
                                 "--time",
                                 std::to_string(static_cast<double>(request.time.count()) / 1e3)};
  if (!communication.extents.empty()) {
    std::string grid;
    for (const std::uint32_t extent : communication.extents) {
      grid += (grid.empty() ? "" : "x") + std::to_string(extent);
    }
    words.insert(words.end(), {"--grid", grid});
  }
  const command_outcome done = run_command(std::move(words));
  if (done.status == 0) return mapped_from(done.text);
  std::string_view reason = done.text;
  while (!reason.empty() && reason.back() == '\n') reason.remove_suffix(1);
  throw error("team::cartesian", "ACRE_TOPOLOGY=" + request.topology + ": " + std::string(reason),
              "try acre map --topology " + request.topology +
                  "; hosts are found by name, or set ACRE_NODES to the nodes in rank order");
}

}  // namespace acre::global
