// SPDX-License-Identifier: BSD-3-Clause
// How far the work is: one line on a terminal, drawn over and over.
//
// Nothing is drawn where nobody watches, nor more often than the eye can
// follow: an update that draws nothing costs a look at the clock.
#pragma once

#include <apps/genome/terminal.hpp>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace acre::genome {

struct progress {
  std::uint64_t done = 0;   ///< bytes of the input files, or of what the unit says
  std::uint64_t total = 0;  ///< 0: not known, as with a pipe
  double seconds = 0;       ///< since the start
  std::string unit = {};    ///< none: bytes
};

/// The line, without its end: a bar, the share that is done, their number a second, the time left.
[[nodiscard]] std::string progress_line(const progress& state, unsigned columns, glyphs letters);

class progress_bar {
 public:
  using clock = std::chrono::steady_clock;

  /// On standard error, if that is a terminal.
  explicit progress_bar(std::uint64_t total, std::string unit = "");

  /// On `out`, or nowhere (null).
  progress_bar(std::uint64_t total, std::ostream* out, clock::time_point start,
               std::string unit = "");

  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { finish(); }

  /// So much is done. Draws at most ten times a second.
  void update(std::uint64_t done, clock::time_point now = clock::now());

  /// Takes the line away again. Called by the destructor if not before.
  void finish();

 private:
  std::uint64_t total_;
  std::string unit_;
  std::ostream* out_;
  clock::time_point start_;
  clock::time_point drawn_;
  bool visible_ = false;
};

}  // namespace acre::genome
