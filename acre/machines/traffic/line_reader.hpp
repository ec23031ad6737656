// SPDX-License-Identifier: BSD-3-Clause
// Reading files of numbers line by line: words, counts and weights, with errors
// that name the file, the line, and what to do.
//
// The whole text is in memory, so what a header promises can be held against the
// bytes that are there before anything is allocated for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace acre::machines {

/// The most ranks that a file may speak of: a few words of memory are spent on each, even on those
/// that say nothing.
inline constexpr std::uint64_t most_ranks_of_file = std::uint64_t{1} << 24;

class line_reader {
 public:
  /// All must outlive this.
  /// @param file what errors name
  /// @param call what errors name: "machines::read_matrix_market"
  /// @param advice what errors say where nothing better is known
  line_reader(std::string_view text, std::string_view file, std::string_view call,
              std::string_view advice)
      : left_(text), file_(file), call_(call), advice_(advice) {}

  /// Goes to the next line; false when there is none.
  bool next();
  /// Goes to the next line that is neither blank nor a comment (of `%`).
  bool next_filled();
  /// Goes to the next line that is no comment.
  bool next_said();

  /// Whether the line is a comment; of one that next() went to.
  [[nodiscard]] bool is_comment() const noexcept;

  /// The part of the line that was not read.
  [[nodiscard]] std::string_view rest() const noexcept { return line_; }

  /// The next word of the line; empty when there is none.
  std::string_view word();
  [[nodiscard]] bool line_ended() const noexcept;
  /// @throws acre::error unless the line ends here
  void expect_line_end();

  /// @throws acre::error unless the next word is a whole number from zero on
  std::uint64_t count(std::string_view what);
  /// @throws acre::error unless the next word is a number from 1 to `most`
  std::uint64_t index(std::string_view what, std::uint64_t most);
  /// @throws acre::error unless the next word is a finite number of zero or more
  double weight();

  /// The bytes of the lines that follow this one.
  [[nodiscard]] std::size_t bytes_left() const noexcept { return left_.size(); }

  /// @throws acre::error "FILE, line N: PROBLEM"
  [[noreturn]] void fail(const std::string& problem, std::string_view advice = {}) const;

 private:
  std::string_view left_;
  std::string_view line_;
  std::string_view file_;
  std::string_view call_;
  std::string_view advice_;
  std::size_t number_ = 0;
};

}  // namespace acre::machines
