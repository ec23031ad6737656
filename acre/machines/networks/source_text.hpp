// SPDX-License-Identifier: BSD-3-Clause
// A text that describes a machine: where it came from, its lines and words, and
// errors that name file and line.
//
// Readers take a whole text, so that files, variables of the environment and
// tests are read alike. A text is at most 64 MiB, a name in it 255 characters,
// a machine 2^20 nodes: what is larger is refused before memory is spent on it.
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

/// What readers take at most.
inline constexpr std::size_t most_nodes = std::size_t{1} << 20;
inline constexpr std::size_t most_links = std::size_t{1} << 23;
inline constexpr std::size_t longest_name = 255;
/// What errors advise when there is more.
inline constexpr std::string_view if_too_large = "so much is not read: are all numbers right?";

/// An error that says where in a text it is.
class placed_error : public error {
 public:
  using error::error;
};

/// A line without its end; lines are counted from one.
struct text_line {
  std::size_t number;
  std::string_view text;
};

class source_text {
 public:
  /// @param name what errors call it: the path of the file
  source_text(std::string name, std::string text)
      : name_(std::move(name)), text_(std::move(text)) {}

  /// Reads a file.
  /// @throws acre::error when it cannot be read or is larger than 64 MiB
  [[nodiscard]] static source_text load(const std::string& path);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Lines that say something: what follows a '#' is left out, and so are empty lines.
  [[nodiscard]] std::vector<text_line> lines() const;
  /// All lines as they are.
  [[nodiscard]] std::vector<text_line> all_lines() const;
  /// The line of a byte of the text.
  [[nodiscard]] std::size_t line_of(std::size_t offset) const;

  /// @throws placed_error "topology.conf:3: switch s1 is below itself"
  [[noreturn]] void fail(std::size_t line, std::string_view problem, std::string_view advice) const;
  /// The same for the file as a whole.
  [[noreturn]] void fail(std::string_view problem, std::string_view advice) const;

  /// A warning: "topology.conf:3: no switch is above s1: one is assumed".
  [[nodiscard]] std::string remark(std::size_t line, std::string_view what) const;

  /// What `work` returns; its errors become errors of this line.
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

/// The words of a line, parted by blanks and any of `also`.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line,
                                                     std::string_view also = {});
/// `text` without leading and trailing spaces, tabs and line ends.
[[nodiscard]] std::string_view without_blanks_around(std::string_view text);

/// The whole of `digits` as a number; nothing when it is none, or too large.
[[nodiscard]] std::optional<std::uint32_t> as_number(std::string_view digits);

/// Whether two words are the same but for the case of their letters.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);

}  // namespace acre::machines
