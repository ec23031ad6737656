// The text of files of Matrix Market: their first lines, a member's share of the lines that follow,
// and entries as text.
#pragma once

#include <acre/algorithm/team_file.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace acre::detail {

enum class market_field : unsigned char { pattern, integer, real, complex };
enum class market_symmetry : unsigned char { general, symmetric, skew, hermitian };

/// Which fields whoever reads a file has numbers for.
enum class market_numbers : unsigned char { real, complex };

/// What the first lines say.
struct market_header {
  market_field field = market_field::pattern;
  market_symmetry symmetry = market_symmetry::general;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  ///< lines of entries
  std::uint64_t lines = 0;    ///< of all of this
  std::uint64_t bytes = 0;
};

/// A line cannot be what it should be. Which line of the file it is, is known when all members have
/// counted theirs.
struct bad_line {
  std::string problem;
  std::string advice;
};

/// The lines of a file that begin in this member's share of its bytes.
class market_share {
 public:
  /// Reads nothing yet. @param file  outlives it
  /// @param numbers  files of complex entries are refused where they are real
  explicit market_share(team_file& file, market_numbers numbers = market_numbers::real);

  /// Reads the first lines, calls read(), which takes all that next() gives, and compares what all
  /// members have found with what the first lines say. Collective.
  /// @throws acre::error on all members, one error, of the first line that is wrong
  void read_all(const std::function<void()>& read);

  [[nodiscard]] const market_header& header() const noexcept { return header_; }

  /// An entry: numbers from 0, and the text of its value.
  struct line {
    std::uint64_t row;
    std::uint64_t column;
    std::string_view value;
    std::string_view imaginary;  ///< where the field is complex
  };
  /// None behind the last. @throws bad_line
  [[nodiscard]] std::optional<line> next();

  /// Of a number in a skew-symmetric file whose negative is none of those that are wanted.
  [[noreturn]] static void throw_no_negative(std::string_view text);

  /// @throws bad_line when the text is no number that a T can hold
  template <class T>
  [[nodiscard]] T number(std::string_view text) const {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    using read = std::conditional_t<std::same_as<T, bool>, int, T>;
    read value{};
    const char* const end = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): from_chars gets the end
    const auto [behind, problem] = std::from_chars(text.data(), end, value);
    if (problem == std::errc::result_out_of_range) {
      if (std::integral<T> || !is_tiny(text)) throw_out_of_range(text);
      return T{};
    }
    if (problem != std::errc() || behind != end) throw_no_number(text);
    if constexpr (std::floating_point<T>) {
      if (value - value != 0) throw_no_number(text);  // infinite, or none
    } else if constexpr (std::same_as<T, bool>) {
      if (value != 0 && value != 1) throw_out_of_range(text);
    }
    return static_cast<T>(value);
  }

 private:
  /// Of a number that has no place among the T: whether it is too small for them.
  [[nodiscard]] static bool is_tiny(std::string_view text) noexcept {
    return text.find("e-") != text.npos || text.find("E-") != text.npos;
  }
  [[noreturn]] static void throw_no_number(std::string_view text);
  [[noreturn]] static void throw_out_of_range(std::string_view text);
  void read_header();
  void take_share();
  [[nodiscard]] std::optional<std::string_view> next_text();
  [[nodiscard]] bool read_more();
  [[nodiscard]] line parsed(std::string_view text) const;
  void agree(const std::optional<bad_line>& mine);

  team_file& file_;
  market_numbers numbers_;
  market_header header_;
  std::string buffer_;         ///< text that was read
  std::size_t at_ = 0;         ///< the next line in it
  std::uint64_t read_to_ = 0;  ///< in the file
  std::uint64_t begin_of_buffer_ = 0;
  std::uint64_t end_ = 0;    ///< of the share
  std::uint64_t lines_ = 0;  ///< that began here
  std::uint64_t found_ = 0;  ///< entries among them
};

/// @throws bad_line where the file has what an integer, or one without a sign, cannot hold
void check_market_type(const market_share& lines, bool is_integer, bool is_unsigned);

[[nodiscard]] std::string market_head(market_field field, std::uint64_t rows, std::uint64_t columns,
                                      std::uint64_t entries,
                                      market_symmetry symmetry = market_symmetry::general);

/// Entries as lines of text.
class market_text {
 public:
  void entry(std::uint64_t row, std::uint64_t column) {
    end_line();
    append(row + 1);
    text_ += ' ';
    append(column + 1);
    is_open_ = true;
  }
  /// Of the entry before: the shortest text that is read as the same. @throws acre::error when it
  /// is infinite or no number
  template <class T>
  void value(T value) {
    text_ += ' ';
    if constexpr (std::floating_point<T>) {
      if (value - value != 0) throw_not_finite();
      append(value);
    } else if constexpr (std::same_as<T, bool>) {
      text_ += value ? '1' : '0';
    } else {
      append(value);
    }
  }

  [[nodiscard]] std::span<const char> all() {
    end_line();
    return text_;
  }
  [[nodiscard]] std::size_t size() { return all().size(); }
  void clear() noexcept { text_.clear(); }

 private:
  [[noreturn]] static void throw_not_finite();
  void end_line() {
    if (is_open_) text_ += '\n';
    is_open_ = false;
  }
  template <class T>
  void append(T number) {
    char digits[64];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
  }

  std::string text_;
  bool is_open_ = false;
};

}  // namespace acre::detail
