// SPDX-License-Identifier: BSD-3-Clause
// Reads numbers by line, so that sizes can be checked before allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace acre::machines {

/// Limit on ranks, which need memory even without traffic.
inline constexpr std::uint64_t most_ranks_of_file = std::uint64_t{1} << 24;

class line_reader {
 public:
  /// Keeps references.
  /// @param call for errors: "machines::read_matrix_market"
  /// @param advice default of errors
  line_reader(std::string_view text, std::string_view file, std::string_view call,
              std::string_view advice)
      : left_(text), file_(file), call_(call), advice_(advice) {}

  bool next();
  /// As next(), but skips blank lines and comments (`%`).
  bool next_filled();
  bool next_said();

  [[nodiscard]] bool is_comment() const noexcept;

  [[nodiscard]] std::string_view rest() const noexcept { return line_; }

  std::string_view word();
  [[nodiscard]] bool line_ended() const noexcept;
  void expect_line_end();

  /// @throws acre::error unless a whole number
  std::uint64_t count(std::string_view what);
  /// @throws acre::error unless 1 … `most`
  std::uint64_t index(std::string_view what, std::uint64_t most);
  /// @throws acre::error unless finite, ≥ 0
  double weight();

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
