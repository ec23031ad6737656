// SPDX-License-Identifier: BSD-3-Clause
#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace acre::tool {
namespace {

constexpr std::size_t high_water = std::size_t{1} << 20;
constexpr std::size_t low_water = high_water / 4;

// Longer lines are shown in pieces.
constexpr std::size_t longest_line = 65536;

}  // namespace

struct sink::state {
  int descriptor;
  int notice;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::string queue;
  std::size_t in_flight = 0;
  bool closing = false;
  bool abandoned = false;
  int failure = 0;
  std::thread thread;

  [[nodiscard]] std::size_t waiting() const { return queue.size() + in_flight; }
  void run();
  int write_all(std::string_view text) const;
};

int sink::state::write_all(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      // An inherited descriptor may be non-blocking.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void sink::state::run() {
  std::string text;
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return closing || !queue.empty(); });
    if (queue.empty()) return;
    text.clear();
    std::swap(text, queue);
    in_flight = text.size();
    lock.unlock();
    const int problem = write_all(text);
    lock.lock();
    in_flight = 0;
    if (abandoned) return;
    if (problem != 0) {
      failure = problem;
      queue.clear();
    }
    if (queue.size() <= low_water) ::eventfd_write(notice, 1);
    if (failure != 0) return;
  }
}

sink::sink(int descriptor, int notice) : state_(std::make_shared<state>()) {
  state_->descriptor = descriptor;
  state_->notice = notice;
}

sink::~sink() {
  bool abandoned = false;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closing = true;
    abandoned = state_->abandoned;
  }
  state_->changed.notify_one();
  if (!state_->thread.joinable()) return;
  if (abandoned) {
    state_->thread.detach();
  } else {
    state_->thread.join();
  }
}

void sink::write(std::string_view text) {
  const std::lock_guard lock(state_->mutex);
  if (state_->failure != 0 || state_->abandoned || text.empty()) return;
  state_->queue.append(text);
  if (!state_->thread.joinable()) {
    state_->thread = std::thread([keep = state_] { keep->run(); });
  }
  state_->changed.notify_one();
}

bool sink::full() const {
  const std::lock_guard lock(state_->mutex);
  return state_->waiting() >= high_water;
}

bool sink::idle() const {
  const std::lock_guard lock(state_->mutex);
  return state_->waiting() == 0;
}

int sink::failure() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

void sink::give_up() {
  const std::lock_guard lock(state_->mutex);
  if (state_->waiting() > 0) state_->abandoned = true;
}

void merger::take(stream& from, std::string_view chunk, clock::time_point now) {
  from.heard = now;
  from.text.append(chunk);
  if (!std::exchange(from.listed, true)) waiting_.push_back(&from);
  pump(from, now);
  pump_waiting(now);
}

void merger::end(stream& from, clock::time_point now) {
  from.ended = true;
  if (!from.text.empty()) pump(from, now);
  pump_waiting(now);
}

void merger::pause(stream& from) { from.paused = true; }

void merger::resume(stream& from, clock::time_point now) {
  from.paused = false;
  from.heard = now;
  from.shown = now;
}

void merger::expire(clock::time_point now) {
  for (stream* each : waiting_) {
    if (each->paused) continue;
    if (now >= each->heard + line_timeout && may_speak(*each, now))
      show(*each, each->text.size(), now);
  }
  pump_waiting(now);
}

clock::time_point merger::deadline(clock::time_point now) const {
  auto earliest = clock::time_point::max();
  for (const stream* each : waiting_) {
    if (!may_speak(*each, now)) {
      if (!speaker_->paused) earliest = std::min(earliest, speaker_->shown + courtesy);
    } else if (!each->paused) {
      earliest = std::min(earliest, each->heard + line_timeout);
    }
  }
  return earliest;
}

void merger::say(std::string_view line, clock::time_point now) {
  for (stream* each : waiting_) {
    show(*each, each->text.size(), now);
  }
  pump_waiting(now);
  if (std::exchange(speaker_, nullptr) != nullptr) to_.write("\n");
  to_.write(line);
}

bool merger::wants(const stream& from) const {
  return !to_.full() && from.text.size() < 2 * longest_line;
}

bool merger::may_speak(const stream& who, clock::time_point now) const {
  return speaker_ == nullptr || speaker_ == &who || speaker_->ended ||
         (!speaker_->paused && now >= speaker_->shown + courtesy);
}

void merger::pump(stream& from, clock::time_point now) {
  if (!may_speak(from, now)) return;
  const std::size_t last = from.text.find_last_of("\r\n");
  const bool in_pieces = from.text.size() - (last + 1) >= longest_line;
  if (from.ended || in_pieces) {
    show(from, from.text.size(), now);
  } else if (last != std::string::npos) {
    show(from, last + 1, now);
  }
}

void merger::pump_waiting(clock::time_point now) {
  for (stream* each : waiting_) {
    if (!each->text.empty()) pump(*each, now);
  }
  std::erase_if(waiting_, [](stream* each) {
    if (!each->text.empty()) return false;
    each->listed = false;
    return true;
  });
}

void merger::show(stream& from, std::size_t bytes, clock::time_point now) {
  if (bytes == 0) return;
  if (speaker_ != nullptr && speaker_ != &from) {
    to_.write("\n");
    speaker_->at_line_start = true;
  }
  const std::string_view text = std::string_view(from.text).substr(0, bytes);
  const char last = text.back();
  if (from.prefix.empty()) {
    to_.write(text);
  } else {
    show_prefixed(from, text);
  }
  from.at_line_start = last == '\n' || last == '\r';
  from.after_return = last == '\r';
  speaker_ = from.at_line_start ? nullptr : &from;
  from.shown = now;
  from.text.erase(0, bytes);
}

void merger::show_prefixed(stream& from, std::string_view text) {
  std::string marked;
  marked.reserve(text.size() + text.size() / 4);
  bool at_line_start = from.at_line_start && !(from.after_return && text.front() == '\n');
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find_first_of("\r\n", begin);
    end = end == std::string_view::npos ? text.size() : end + 1;
    if (end < text.size() && text[end - 1] == '\r' && text[end] == '\n') ++end;
    if (at_line_start) marked += from.prefix;
    marked += text.substr(begin, end - begin);
    at_line_start = true;
    begin = end;
  }
  to_.write(marked);
}

}  // namespace acre::tool
