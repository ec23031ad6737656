// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/scotch/in_child.hpp>

#include <acre/base/child_process.hpp>
#include <acre/base/descriptor.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace acre::machines {
namespace {

using clock = std::chrono::steady_clock;

bool write_all(int to, const void* what, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(what);
  while (bytes > 0) {
    const ssize_t written = ::write(to, from, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

[[noreturn]] void compute_and_leave(const std::function<std::vector<std::uint32_t>()>& compute,
                                    int to) {
  bool is_told = false;
  try {
    const std::vector<std::uint32_t> made = compute();
    const std::uint64_t count = made.size();
    is_told = write_all(to, &count, sizeof count) &&
              write_all(to, made.data(), made.size() * sizeof made[0]);
  } catch (const std::exception&) {
    is_told = false;
  }
  ::_exit(is_told ? 0 : 1);
}

bool read_until(int from, void* into, std::size_t bytes, clock::time_point until) {
  auto* to = static_cast<std::byte*>(into);
  while (bytes > 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
    if (left <= 0) return false;
    pollfd readable{.fd = from, .events = POLLIN, .revents = 0};
    const auto timeout = static_cast<int>(std::min<std::int64_t>(left, 60'000));
    if (::poll(&readable, 1, timeout) <= 0) continue;
    const ssize_t got = ::read(from, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> computed_in_child(
    const std::function<std::vector<std::uint32_t>()>& compute, clock::time_point until) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const descriptor from(ends[0]);
  descriptor to(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t number = ::fork();
  if (number < 0) return {};
  if (number == 0) {
    die_with(parent);
    compute_and_leave(compute, to.get());
  }
  const child_process computing(number);
  to.reset();
  std::uint64_t count = 0;
  std::vector<std::uint32_t> made;
  bool is_whole = read_until(from.get(), &count, sizeof count, until);
  if (is_whole) {
    made.resize(count);
    is_whole = read_until(from.get(), made.data(), count * sizeof made[0], until);
  }
  if (!is_whole) return {};
  return made;
}

}  // namespace acre::machines
