// SPDX-License-Identifier: BSD-3-Clause
// Text of a machine description; errors contain the line. Limits are checked before allocation: 64
// MiB, names of 255 characters, 2^20 nodes.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/in_quotes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

inline constexpr std::size_t most_nodes = std::size_t{1} << 20;
inline constexpr std::size_t most_links = std::size_t{1} << 23;
inline constexpr std::size_t longest_name = 255;
inline constexpr std::string_view if_too_large =
    "the reader has this limit; check the numbers in the file";

class placed_error : public error {
 public:
  using error::error;
};

/// Numbered from 1.
struct text_line {
  std::size_t number;
  std::string_view text;
};

class source_text {
 public:
  /// @param name path for errors
  source_text(std::string name, std::string text)
      : name_(std::move(name)), text_(std::move(text)) {}

  /// @throws acre::error if unreadable or larger than 64 MiB
  [[nodiscard]] static source_text load(const std::string& path);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Lines without '#' comments; empty ones are dropped.
  [[nodiscard]] std::vector<text_line> lines() const;
  [[nodiscard]] std::vector<text_line> all_lines() const;
  [[nodiscard]] std::size_t line_of(std::size_t offset) const;

  /// @throws placed_error "topology.conf:3: …"
  [[noreturn]] void fail(std::size_t line, std::string_view problem, std::string_view advice) const;
  [[noreturn]] void fail(std::string_view problem, std::string_view advice) const;

  [[nodiscard]] std::string remark(std::size_t line, std::string_view what) const;

  /// Returns work(); adds the line's location to its errors.
  template <class Work>
  auto at_line(std::size_t line, Work&& work) const {
    try {
      return work();
    } catch (const placed_error&) {
      throw;
    } catch (const error& failure) {
      fail(line, failure.problem(), advice_of(failure));
    }
  }
  template <class Work>
  auto as_a_whole(Work&& work) const {
    try {
      return work();
    } catch (const placed_error&) {
      throw;
    } catch (const error& failure) {
      fail(failure.problem(), advice_of(failure));
    }
  }

 private:
  [[nodiscard]] static std::string_view advice_of(const error& failure) {
    return failure.advice().empty() ? std::string_view("docs/topology.md has examples")
                                    : failure.advice();
  }

  std::string name_;
  std::string text_;
};

/// Splits at blanks and any of `also`.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line,
                                                     std::string_view also = {});
[[nodiscard]] std::string_view without_blanks_around(std::string_view text);

/// Digits only; empty for other text or if too large.
[[nodiscard]] std::optional<std::uint32_t> as_number(std::string_view digits);

/// Compares without case.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);

}  // namespace acre::machines
