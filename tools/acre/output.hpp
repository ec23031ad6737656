// SPDX-License-Identifier: BSD-3-Clause
// Merges the output of ranks line by line. A `sink` writes on its own thread, so a blocked
// descriptor does not stop the launcher. A `merger` orders whole lines; a partial line keeps its
// stream the speaker until it ends or times out.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace acre::tool {

using clock = std::chrono::steady_clock;

inline constexpr std::chrono::milliseconds line_timeout{50};

/// Time that others wait for the rest of a shown partial line.
inline constexpr std::chrono::milliseconds courtesy{1000};

class sink {
 public:
  /// @param notice eventfd, signalled when there is space, when all is written, and on failure
  sink(int descriptor, int notice);
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  /// Writes the rest, except after give_up().
  ~sink();

  void write(std::string_view text);
  [[nodiscard]] bool full() const;
  [[nodiscard]] bool idle() const;
  /// Errno of the failed write, or 0; later text is dropped.
  [[nodiscard]] int failure() const;
  void give_up();

 private:
  struct state;  // shared with the thread, which may outlive the sink
  std::shared_ptr<state> state_;
};

struct stream {
  std::string prefix;
  std::string text;
  clock::time_point heard{};
  clock::time_point shown{};
  bool at_line_start = true;  ///< output is at a line's start
  bool after_return = false;  ///< shown text ended with '\r'; '\n' may follow
  bool listed = false;        ///< is in merger::waiting_
  bool paused = false;        ///< not read now: no timeouts
  bool ended = false;
};

class merger {
 public:
  explicit merger(sink& to) : to_(to) {}

  void take(stream& from, std::string_view chunk, clock::time_point now);
  void end(stream& from, clock::time_point now);
  static void pause(stream& from);
  static void resume(stream& from, clock::time_point now);
  /// Shows overdue partial lines.
  void expire(clock::time_point now);
  [[nodiscard]] clock::time_point deadline(clock::time_point now) const;
  /// A line of the launcher, after all earlier text.
  void say(std::string_view line, clock::time_point now);
  [[nodiscard]] bool wants(const stream& from) const;

  [[nodiscard]] sink& to() const noexcept { return to_; }

 private:
  [[nodiscard]] bool may_speak(const stream& who, clock::time_point now) const;
  void pump(stream& from, clock::time_point now);
  void pump_waiting(clock::time_point now);
  void show(stream& from, std::size_t bytes, clock::time_point now);
  void show_prefixed(stream& from, std::string_view text);

  sink& to_;
  stream* speaker_ = nullptr;  // stream with a partial line shown
  std::vector<stream*> waiting_;
};

}  // namespace acre::tool
