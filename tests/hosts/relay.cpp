// SPDX-License-Identifier: BSD-3-Clause
// Ethernet switch between network namespaces, with delay and loss.
//
//     hosts-relay PROCESS ...
//
// Each PROCESS is in a host, whose namespace gets a tap eth0 (a port). Lines on standard input,
// answered by "done", change a port (0, 1, ...) in both directions:
//
//     delay PORT MILLISECONDS
//     lose PORT PERCENT
//     down PORT
//     up PORT
//
// Frames keep their order; beyond `room` waiting frames they are dropped.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <map>
#include <poll.h>
#include <random>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
using address = std::array<char, 6>;

constexpr std::size_t room = 20'000;
constexpr std::size_t longest_frame = 65'536;
constexpr std::size_t frames_at_once = 64;

int require(int result, const std::string& what) {
  if (result < 0) throw std::runtime_error(what + ": " + std::strerror(errno));
  return result;
}

void enter(const std::string& process) {
  const std::string place = "/proc/" + process + "/ns/net";
  const int space = require(::open(place.c_str(), O_RDONLY | O_CLOEXEC), place);
  require(::setns(space, CLONE_NEWNET), "setns");
  ::close(space);
}

int make_tap(const std::string& process) {
  enter(process);
  const int tap = require(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "/dev/net/tun");
  ifreq request{};
  std::strcpy(request.ifr_name, "eth0");
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  require(::ioctl(tap, TUNSETIFF, &request), "TUNSETIFF");
  return tap;
}

struct frame {
  clock_type::time_point due;
  std::string bytes;
};

struct port {
  int tap = -1;
  std::chrono::milliseconds delay{0};
  double lost = 0;  // fraction of frames
  bool up = true;
  std::deque<frame> waiting{};  // outgoing, by time
};

class relay {
 public:
  explicit relay(const std::vector<std::string>& processes) {
    for (const std::string& each : processes) ports_.push_back({.tap = make_tap(each)});
    enter(std::to_string(::getppid()));  // in the parent's namespace, outside all hosts
  }

  void run() {
    std::puts("ready");
    std::fflush(stdout);
    std::vector<pollfd> polled(ports_.size() + 1);
    while (true) {
      for (std::size_t i = 0; i < ports_.size(); ++i) polled[i] = {ports_[i].tap, POLLIN, 0};
      polled.back() = {STDIN_FILENO, POLLIN, 0};
      const timespec limit = time_to_wait();
      if (::ppoll(polled.data(), polled.size(), &limit, nullptr) < 0 && errno != EINTR) return;
      if (polled.back().revents != 0 && !obey()) return;
      for (std::size_t i = 0; i < ports_.size(); ++i) {
        if (polled[i].revents != 0) take(i);
      }
      send_due();
    }
  }

 private:
  [[nodiscard]] timespec time_to_wait() const {
    auto next = clock_type::now() + std::chrono::hours(1);
    for (const port& each : ports_) {
      if (!each.waiting.empty()) next = std::min(next, each.waiting.front().due);
    }
    const auto left = std::max(next - clock_type::now(), clock_type::duration::zero());
    return {left / std::chrono::seconds(1), (left % std::chrono::seconds(1)).count()};
  }

  void take(std::size_t from) {
    for (std::size_t i = 0; i < frames_at_once; ++i) {
      const ssize_t got = ::read(ports_[from].tap, buffer_.data(), buffer_.size());
      if (got < 14) return;
      pass({buffer_.data(), static_cast<std::size_t>(got)}, from);
    }
  }

  void pass(std::string_view bytes, std::size_t from) {
    address receiver;
    address sender;
    std::memcpy(receiver.data(), bytes.data(), receiver.size());
    std::memcpy(sender.data(), bytes.data() + receiver.size(), sender.size());
    place_of_[sender] = from;
    const auto known = place_of_.find(receiver);
    for (std::size_t to = 0; to < ports_.size(); ++to) {
      if (to != from && (known == place_of_.end() || known->second == to)) queue(bytes, from, to);
    }
  }

  void queue(std::string_view bytes, std::size_t from, std::size_t to) {
    port& out = ports_[to];
    if (!ports_[from].up || !out.up || out.waiting.size() >= room) return;
    if (chance_(random_) < ports_[from].lost || chance_(random_) < out.lost) return;
    const auto due = clock_type::now() + ports_[from].delay + out.delay;
    const auto place =
        std::upper_bound(out.waiting.begin(), out.waiting.end(), due,
                         [](auto time, const frame& each) { return time < each.due; });
    out.waiting.insert(place, {due, std::string(bytes)});
  }

  void send_due() {
    const auto now = clock_type::now();
    for (port& each : ports_) {
      while (!each.waiting.empty() && each.waiting.front().due <= now) {
        const std::string& bytes = each.waiting.front().bytes;
        // A full host loses it.
        [[maybe_unused]] const ssize_t sent = ::write(each.tap, bytes.data(), bytes.size());
        each.waiting.pop_front();
      }
    }
  }

  bool obey() {
    std::array<char, 4096> text{};
    const ssize_t got = ::read(STDIN_FILENO, text.data(), text.size());
    if (got <= 0) return false;
    typed_.append(text.data(), static_cast<std::size_t>(got));
    for (std::size_t end = typed_.find('\n'); end != std::string::npos; end = typed_.find('\n')) {
      change(typed_.substr(0, end));
      typed_.erase(0, end + 1);
      std::puts("done");
      std::fflush(stdout);
    }
    return true;
  }

  void change(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    std::size_t number = 0;
    double value = 0;
    words >> what >> number >> value;
    port& one = ports_.at(number);
    if (what == "delay") one.delay = std::chrono::milliseconds(static_cast<long>(value));
    if (what == "lose") one.lost = value / 100;
    if (what == "up") one.up = true;
    if (what == "down") {
      one.up = false;
      one.waiting.clear();
    }
  }

  std::vector<port> ports_;
  std::map<address, std::size_t> place_of_;
  std::minstd_rand random_{12345};
  std::uniform_real_distribution<double> chance_{0, 1};
  std::string typed_;
  std::array<char, longest_frame> buffer_{};
};

}  // namespace

int main(int argc, char** argv) try {
  relay(std::vector<std::string>(argv + 1, argv + argc)).run();
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "hosts-relay: %s\n", problem.what());
  return 1;
}
