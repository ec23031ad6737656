// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/line_reader.hpp>

#include <acre/base/error.hpp>
#include <acre/base/parse_number.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <cmath>
#include <optional>
#include <string_view>

namespace acre::machines {
namespace {

constexpr std::string_view blanks_in_line = " \t\r\v\f";

template <class Number>
std::optional<Number> parse(std::string_view word) {
  return base::parse_number<Number>(base::without_plus(word));
}

}  // namespace

bool line_reader::next() {
  if (left_.empty()) return false;
  const std::size_t end = left_.find('\n');
  line_ = left_.substr(0, end);
  left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
  ++number_;
  return true;
}

bool line_reader::is_comment() const noexcept {
  const std::size_t begin = line_.find_first_not_of(blanks_in_line);
  return begin != std::string_view::npos && line_[begin] == '%';
}

bool line_reader::next_said() {
  while (next()) {
    if (!is_comment()) return true;
  }
  return false;
}

bool line_reader::next_filled() {
  while (next_said()) {
    if (!line_ended()) return true;
  }
  return false;
}

std::string_view line_reader::word() {
  const std::size_t begin = line_.find_first_not_of(blanks_in_line);
  line_.remove_prefix(begin == std::string_view::npos ? line_.size() : begin);
  const std::string_view found = line_.substr(0, line_.find_first_of(blanks_in_line));
  line_.remove_prefix(found.size());
  return found;
}

bool line_reader::line_ended() const noexcept {
  return line_.find_first_not_of(blanks_in_line) == std::string_view::npos;
}

void line_reader::expect_line_end() {
  if (!line_ended())
    fail("expected the end of the line after the last number, found " + in_quotes(word()));
}

std::uint64_t line_reader::count(std::string_view what) {
  const std::string_view text = word();
  if (text.empty()) fail(std::string(what) + " is missing");
  const auto number = parse<std::uint64_t>(text);
  if (!number) {
    fail(std::string(what) + " is " + in_quotes(text) + ", which is not a whole number below 2^64");
  }
  return *number;
}

std::uint64_t line_reader::index(std::string_view what, std::uint64_t most) {
  const std::uint64_t number = count(what);
  if (number == 0) fail(std::string(what) + " is 0", "count from 1: add one to each number");
  if (number > most) {
    fail(std::string(what) + " is " + std::to_string(number) + ", above the last, " +
             std::to_string(most),
         "correct it, or the size at the beginning of the file");
  }
  return number;
}

double line_reader::weight() {
  const std::string_view text = word();
  if (text.empty()) fail("the weight is missing");
  const auto number = parse<double>(text);
  if (!number) fail("the weight is " + in_quotes(text) + ", which is not a number");
  if (!std::isfinite(*number) || *number < 0) {
    fail("the weight " + in_quotes(text) + " is invalid",
         "write bytes as a finite number of at least 0");
  }
  return *number;
}

void line_reader::fail(const std::string& problem, std::string_view advice) const {
  throw error(call_, std::string(file_) + ", line " + std::to_string(number_) + ": " + problem,
              advice.empty() ? advice_ : advice);
}

}  // namespace acre::machines
