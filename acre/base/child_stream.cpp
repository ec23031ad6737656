// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/child_stream.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace acre::base {
namespace {

constexpr rlim_t most_seconds = 120;

bool write_all(int file, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_frame(int file, std::uint8_t kind, std::span<const std::byte> bytes) noexcept {
  std::array<std::byte, 9> head{};
  head[0] = std::byte{kind};
  const std::uint64_t size = bytes.size();
  std::memcpy(&head[1], &size, sizeof size);
  return write_all(file, head) && write_all(file, bytes);
}

/// A hung child would block all ranks.
void limit_time() noexcept {
  rusage used{};
  rlimit limit{};
  ::getrusage(RUSAGE_SELF, &used);
  ::getrlimit(RLIMIT_CPU, &limit);
  const rlim_t end =
      static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + most_seconds;
  limit.rlim_cur = std::min(limit.rlim_max, end);
  ::setrlimit(RLIMIT_CPU, &limit);
}

std::vector<std::byte> packed(const std::string& problem, const std::string& advice) {
  std::string text = std::to_string(problem.size()) + "\n" + problem + advice;
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::pair<std::string, std::string> unpacked(const std::string& text) {
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::size_t length = std::strtoul(text.c_str(), nullptr, 10);
  const std::string rest = text.substr(std::min(line + 1, text.size()));
  return {rest.substr(0, length), rest.substr(std::min(length, rest.size()))};
}

}  // namespace

child_stream::child_stream(const char* call, std::string subject,
                           const std::function<void(const sender&)>& produce)
    : call_(call), subject_(std::move(subject)) {
  std::array<int, 2> ends{-1, -1};
  const bool has_pipe = ::pipe2(ends.data(), O_CLOEXEC) == 0;
  const pid_t parent = ::getpid();
  number_ = has_pipe ? ::fork() : -1;
  if (number_ == 0) run(ends[1], parent, produce);
  if (has_pipe) ::close(ends[1]);
  from_ = acre::descriptor(ends[0]);
  if (number_ > 0) {
    child_ = std::make_unique<child_process>(number_);
    return;
  }
  from_.reset();
  produce([this](std::span<const std::byte> bytes) {
    instead_.insert(instead_.end(), bytes.begin(), bytes.end());
  });
}

void child_stream::run(int to, pid_t parent,
                       const std::function<void(const sender&)>& produce) noexcept {
  die_quietly_with(parent);
  limit_time();
  const auto kind = [](frame of) { return static_cast<std::uint8_t>(of); };
  bool is_sent = false;
  try {
    produce([&](std::span<const std::byte> bytes) {
      if (!write_frame(to, kind(frame::bytes), bytes)) ::_exit(1);
      limit_time();
    });
    is_sent = write_frame(to, kind(frame::end), {});
  } catch (const error& failed) {
    is_sent = write_frame(to, kind(frame::failure), packed(failed.problem(), failed.advice()));
  } catch (const std::exception& failed) {
    is_sent = write_frame(to, kind(frame::failure), packed(failed.what(), ""));
  } catch (...) {
  }
  ::_exit(is_sent ? 0 : 1);
}

void child_stream::fail_crashed() {
  std::string how = "crashes";
  // The program may already have reaped the child.
  siginfo_t ended{};
  if (number_ > 0 && ::waitid(P_PID, static_cast<id_t>(number_), &ended, WEXITED | WNOWAIT) == 0 &&
      (ended.si_code == CLD_KILLED || ended.si_code == CLD_DUMPED)) {
    how = ended.si_status == SIGXCPU
              ? "did not end within " + std::to_string(most_seconds) + " s of CPU time"
              : "crashes (" + std::string(::strsignal(ended.si_status)) + ")";
  }
  throw error(call_, subject_ + " " + how, "the file is damaged: use another copy");
}

void child_stream::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::read(from_.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail_crashed();
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

child_stream::frame child_stream::next() {
  std::array<std::byte, 9> head{};
  read(head);
  std::memcpy(&left_, &head[1], sizeof left_);
  const auto kind = static_cast<frame>(head[0]);
  if (kind != frame::failure) return kind;
  std::string text(left_, '\0');
  read(std::as_writable_bytes(std::span(text)));
  const auto [problem, advice] = unpacked(text);
  throw error(call_, problem, advice);
}

void child_stream::take(std::span<std::byte> bytes) {
  if (child_ == nullptr) {
    const std::size_t count = std::min(bytes.size(), instead_.size() - taken_);
    std::memcpy(bytes.data(), instead_.data() + taken_, count);
    taken_ += count;
    if (count < bytes.size()) fail_crashed();
    return;
  }
  while (!bytes.empty()) {
    if (left_ == 0 && next() == frame::end) fail_crashed();
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), left_));
    read(part);
    left_ -= part.size();
    bytes = bytes.subspan(part.size());
  }
}

void child_stream::finish() {
  if (child_ == nullptr) return;
  while (next() == frame::bytes) {
    if (left_ != 0) fail_crashed();
  }
}

}  // namespace acre::base
