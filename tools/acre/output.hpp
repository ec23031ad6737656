// SPDX-License-Identifier: BSD-3-Clause
// The ranks' output, merged line by line.
//
// A `sink` writes to one descriptor of the launcher on a thread of its own: that
// descriptor may block for as long as it likes (a terminal that was stopped, a
// pager), and the launcher goes on serving its ranks. A `merger` decides what
// reaches a sink in which order: whole lines only, and when half a line had to
// be shown (a prompt, a line longer than the buffer), whoever began it keeps
// the floor until it ends or falls silent.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace acre::tool {

using clock = std::chrono::steady_clock;

/// How long half a line waits for its other half before it is shown.
inline constexpr std::chrono::milliseconds patience{50};

/// How long others wait for the rest of a half line that is shown, before they
/// break it. Longer than a busy machine keeps a rank from its CPU.
inline constexpr std::chrono::milliseconds courtesy{1000};

class sink {
 public:
  /// `notice` is an eventfd that is rung when there is room again, when all is
  /// written, and when writing failed.
  sink(int descriptor, int notice);
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  /// Writes the rest, unless give_up() was called.
  ~sink();

  void write(std::string_view text);
  /// So much is waiting that no more should be added.
  [[nodiscard]] bool full() const;
  /// Nothing is waiting.
  [[nodiscard]] bool idle() const;
  /// The errno of the write that failed, or 0. What comes after it is dropped.
  [[nodiscard]] int failure() const;
  /// Does not wait for a descriptor that blocks.
  void give_up();

 private:
  struct state;  // shared with the thread, which may outlive a sink that gave up
  std::shared_ptr<state> state_;
};

/// What one rank writes to one descriptor.
struct stream {
  std::string prefix;         ///< "[3] ", or empty
  std::string text;           ///< has come, and is not shown yet
  clock::time_point heard{};  ///< when the last of it came
  clock::time_point shown{};  ///< when some of it was shown last
  bool at_line_start = true;  ///< of what was shown
  bool after_return = false;  ///< what was shown ended with '\r': a '\n' may belong to it
  bool listed = false;        ///< in merger::waiting_
  bool paused = false;        ///< it is not read for now: its silence means nothing
  bool ended = false;         ///< nothing more will come
};

class merger {
 public:
  explicit merger(sink& to) : to_(to) {}

  /// Takes what came from a stream, shows what can be shown.
  void take(stream& from, std::string_view chunk, clock::time_point now);
  /// The stream has ended: shows the rest of it.
  void end(stream& from, clock::time_point now);
  /// The stream is not read for now, or is read on.
  static void pause(stream& from);
  static void resume(stream& from, clock::time_point now);
  /// Shows half lines that have waited long enough.
  void expire(clock::time_point now);
  /// When to call expire() next.
  [[nodiscard]] clock::time_point deadline(clock::time_point now) const;
  /// Shows a line of the launcher's own, after all that has come.
  void say(std::string_view line, clock::time_point now);
  /// Whether a stream should be read on.
  [[nodiscard]] bool wants(const stream& from) const;

  [[nodiscard]] sink& to() const noexcept { return to_; }

 private:
  [[nodiscard]] bool may_speak(const stream& who, clock::time_point now) const;
  void pump(stream& from, clock::time_point now);
  void pump_waiting(clock::time_point now);
  void show(stream& from, std::size_t bytes, clock::time_point now);
  void show_prefixed(stream& from, std::string_view text);

  sink& to_;
  stream* speaker_ = nullptr;  // half a line of it is shown
  std::vector<stream*> waiting_;
};

}  // namespace acre::tool
