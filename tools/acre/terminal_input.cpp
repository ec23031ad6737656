// SPDX-License-Identifier: BSD-3-Clause
#include "terminal_input.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace acre::tool {

descriptor terminal_input::open() {
  if (::isatty(STDIN_FILENO) == 0) return {};
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0) return {};
  pipe_ = descriptor(both[1]);
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
  return descriptor(both[0]);
}

void terminal_input::watch() {
  if (pipe_.open() && !std::exchange(is_watched_, true)) {
    events_.add(STDIN_FILENO, EPOLLIN, source::terminal);
  }
}

void terminal_input::read() {
  forget_terminal();
  if (::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return;  // tried again when in the foreground
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got <= 0) return close();
  typed_.assign(buffer.data(), static_cast<std::size_t>(got));
  events_.add(pipe_.get(), EPOLLOUT, source::input);
}

void terminal_input::write() {
  if (!pipe_.open()) return;
  const ssize_t written = ::write(pipe_.get(), typed_.data(), typed_.size());
  if (written < 0 && errno != EAGAIN && errno != EINTR) return close();
  if (written > 0) typed_.erase(0, static_cast<std::size_t>(written));
  if (!typed_.empty()) return;
  events_.remove(pipe_.get());
  watch();
}

void terminal_input::close() {
  if (is_watched_) forget_terminal();
  pipe_.reset();
}

void terminal_input::forget_terminal() {
  is_watched_ = false;
  events_.remove(STDIN_FILENO);
}

}  // namespace acre::tool
