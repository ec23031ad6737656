// SPDX-License-Identifier: BSD-3-Clause
// Rate-limited progress display on a terminal line.
#pragma once

#include <apps/genome/terminal.hpp>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace acre::genome {

struct progress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0: unknown
  double seconds = 0;
  std::string unit = {};
};

/// Without line end.
[[nodiscard]] std::string progress_line(const progress& state, unsigned columns, glyphs letters);

class progress_bar {
 public:
  using clock = std::chrono::steady_clock;

  explicit progress_bar(std::uint64_t total, std::string unit = "");

  progress_bar(std::uint64_t total, std::ostream* out, clock::time_point start,
               std::string unit = "");

  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { finish(); }

  void update(std::uint64_t done, clock::time_point now = clock::now());

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
