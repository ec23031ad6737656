// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/map_command.hpp>

#include <acre/base/descriptor.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/read_number.hpp>
#include <acre/base/specification.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <numeric>
#include <poll.h>
#include <set>
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

/// Duplicates a descriptor to a number that no standard stream and no file of the child has.
acre::descriptor moved_up(int made, const char* call) {
  constexpr int first_free = 20;
  const acre::descriptor before(made);
  if (!before.open()) fail_to_map(std::string(call) + " failed", errno);
  acre::descriptor moved(::fcntl(made, F_DUPFD_CLOEXEC, first_free));
  if (!moved.open()) fail_to_map("fcntl failed", errno);
  return moved;
}

/// A file in memory, which the child opens by its path.
class text_in_memory {
 public:
  text_in_memory(const std::string& text, int number_in_child)
      : file_(moved_up(::memfd_create("acre-map", MFD_CLOEXEC), "memfd_create")),
        number_in_child_(number_in_child) {
    for (std::size_t written = 0; written < text.size();) {
      const ssize_t now = ::write(file_.get(), text.data() + written, text.size() - written);
      if (now < 0 && errno != EINTR) fail_to_map("writing to a memfd failed", errno);
      written += now > 0 ? static_cast<std::size_t>(now) : 0;
    }
  }
  [[nodiscard]] std::string path() const {
    return "/proc/self/fd/" + std::to_string(number_in_child_);
  }
  void pass_to(posix_spawn_file_actions_t& child) const {
    ::posix_spawn_file_actions_adddup2(&child, file_.get(), number_in_child_);
  }

 private:
  acre::descriptor file_;
  int number_in_child_;
};

/// Independent of the program's locale.
std::string text_of_number(double number) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

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
              text_of_number(flow.bytes) + '\n';
    }
  }
  return text;
}

struct command_outcome {
  std::string text;
  bool has_failed = false;  ///< false if the program itself awaits all children
};

/// Standard output and errors of a command, as one text.
class running_command {
 public:
  running_command(std::vector<std::string> words,
                  std::initializer_list<const text_in_memory*> files)
      : name_(words.front()) {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_map("pipe2 failed", errno);
    const acre::descriptor to = moved_up(ends[1], "pipe2");
    from_ = acre::descriptor(ends[0]);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, to.get(), STDERR_FILENO);
    for (const text_in_memory* each : files) each->pass_to(actions);
    const int reason =
        ::posix_spawnp(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (reason == 0) return;
    throw error("team::cartesian",
                "ACRE_TOPOLOGY names a file, which the command " + name_ +
                    " reads, but this cannot be started: " + std::strerror(reason),
                "add the folder of acre to PATH, or set ACRE_TOOL to its path");
  }
  running_command(const running_command&) = delete;
  running_command& operator=(const running_command&) = delete;
  ~running_command() {
    if (child_ == 0) return;
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  [[nodiscard]] command_outcome result(std::chrono::steady_clock::time_point deadline) {
    command_outcome found;
    std::array<char, 4096> piece;
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      pollfd ready{.fd = from_.get(), .events = POLLIN, .revents = 0};
      if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0) {
        throw error("team::cartesian", "the command " + name_ + " map does not end",
                    "check that the file of ACRE_TOPOLOGY can be read, and ACRE_TOOL is acre");
      }
      const ssize_t bytes = ::read(from_.get(), piece.data(), piece.size());
      if (bytes > 0) found.text.append(piece.data(), static_cast<std::size_t>(bytes));
      if (bytes == 0 || (bytes < 0 && errno != EINTR)) break;
    }
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(child_, &status, 0)) < 0 && errno == EINTR) continue;
    child_ = 0;
    found.has_failed = ended > 0 && status != 0;
    return found;
  }

 private:
  std::string name_;
  acre::descriptor from_;
  pid_t child_ = 0;
};

std::string_view after(std::string_view text, std::string_view key) {
  const std::size_t found = text.find(key);
  if (found != std::string_view::npos) return text.substr(found + key.size());
  throw error("team::cartesian", "the output of acre map lacks " + std::string(key),
              "use acre of the same version as the program's library");
}

/// Number at the beginning of a text.
template <class Number>
Number number_in(std::string_view text) {
  Number value{};
  if (base::read_number(text.data(), text.data() + text.size(), value).ec == std::errc()) {
    return value;
  }
  throw error("team::cartesian", "the output of acre map lacks a number",
              "use acre of the same version as the program's library");
}

std::string listed(const std::vector<std::uint32_t>& numbers) { return join(numbers, ','); }

}  // namespace

mapped_by_command mapped_from(const std::string& json) {
  mapped_by_command found;
  std::string_view nodes = after(json, "\"nodes\":[");
  nodes = nodes.substr(0, nodes.find(']'));
  constexpr std::string_view key = "\"slots\":";
  for (std::size_t at = nodes.find(key); at != nodes.npos; at = nodes.find(key, at + 1)) {
    found.slots.push_back(number_in<std::uint32_t>(nodes.substr(at + key.size())));
  }
  std::string_view list = after(json, "\"slot_of_rank\":[");
  list = list.substr(0, list.find(']'));
  while (!list.empty()) {
    found.slot_of_rank.push_back(number_in<topology::slot_t>(list));
    list.remove_prefix(std::min(list.size(), list.find(',')));
    if (!list.empty()) list.remove_prefix(1);
  }
  const std::string_view metrics = after(json, "\"metrics\":");
  found.seconds = number_in<double>(after(metrics, "\"time_seconds\":"));
  found.hop_bytes = number_in<double>(after(metrics, "\"hop_bytes\":"));
  return found;
}

void require_fit(const mapped_by_command& found, const std::vector<std::uint32_t>& slots,
                 std::size_t ranks) {
  if (found.slots != slots) {
    throw error("team::cartesian",
                "ACRE_NODES gives nodes with slots " + listed(found.slots) +
                    ", but the nodes of this job have ranks " + listed(slots),
                "list each node of the job once, in rank order: n[01-04], or n01:4,n02:2 if they "
                "differ in ranks");
  }
  const std::set<topology::slot_t> different(found.slot_of_rank.begin(), found.slot_of_rank.end());
  const std::size_t all = std::accumulate(slots.begin(), slots.end(), std::size_t{0});
  if (found.slot_of_rank.size() == ranks && different.size() == ranks && *different.rbegin() < all)
    return;
  throw error("team::cartesian", "the output of acre map is not an order of the ranks",
              "use acre of the same version as the program's library");
}

mapped_by_command map_by_command(const map_request& request,
                                 const mapping::communication& communication) {
  const text_in_memory hosts(hostfile_of(request), 10);
  const text_in_memory flows(matrix_market_of(communication.traffic), 11);
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
                                 text_of_number(static_cast<double>(request.time.count()) / 1e3)};
  if (!communication.extents.empty()) {
    words.insert(words.end(), {"--grid", join(communication.extents)});
  }
  constexpr std::chrono::seconds to_read_the_file{60};
  running_command command(std::move(words), {&hosts, &flows});
  const command_outcome done =
      command.result(std::chrono::steady_clock::now() + request.time + to_read_the_file);
  if (!done.has_failed && done.text.find("\"slot_of_rank\"") != std::string::npos) {
    mapped_by_command found = mapped_from(done.text);
    require_fit(found, request.slots, communication.traffic.ranks());
    return found;
  }
  std::string_view reason = done.text;
  while (!reason.empty() && reason.back() == '\n') reason.remove_suffix(1);
  throw error("team::cartesian", "ACRE_TOPOLOGY=" + request.topology + ": " + std::string(reason),
              "try acre map --topology " + request.topology +
                  "; hosts are found by name, or set ACRE_NODES to the nodes in rank order");
}

}  // namespace acre::global
