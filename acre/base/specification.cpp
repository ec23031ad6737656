// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/specification.hpp>

#include <acre/base/error.hpp>
#include <acre/base/read_number.hpp>

#include <cmath>

namespace acre {

std::string join(std::span<const std::uint32_t> numbers, char between) {
  std::string text;
  for (const std::uint32_t each : numbers) {
    if (!text.empty()) text += between;
    text += std::to_string(each);
  }
  return text;
}

std::string_view specification_reader::kind() {
  const std::string_view word = text_.substr(at_, text_.find(':', at_) - at_);
  at_ += word.size();
  return word;
}

bool specification_reader::take(char c) {
  if (ended() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void specification_reader::expect(char c, std::string_view before) {
  if (!take(c)) fail("a '" + std::string(1, c) + "' and " + std::string(before));
}

void specification_reader::expect_end() {
  if (!ended()) fail("the end");
}

template <class Number>
Number specification_reader::parse(std::string_view wanted) {
  Number value{};
  const char* end = text_.data() + text_.size();
  const auto [stop, problem] = base::read_number(text_.data() + at_, end, value);
  if (problem != std::errc()) fail(wanted);
  at_ = static_cast<std::size_t>(stop - text_.data());
  return value;
}

std::uint32_t specification_reader::number() { return parse<std::uint32_t>("a number"); }

double specification_reader::positive(std::string_view wanted) {
  const std::size_t begin = at_;
  const auto value = parse<double>(wanted);
  if (!(value > 0) || !std::isfinite(value)) {
    at_ = begin;
    fail(wanted);
  }
  return value;
}

std::vector<std::uint32_t> specification_reader::numbers(char between) {
  std::vector<std::uint32_t> found;
  do found.push_back(number());
  while (take(between));
  return found;
}

void specification_reader::fail(std::string_view wanted) const {
  const std::string found = ended() ? "the end" : "'" + std::string(text_.substr(at_)) + "'";
  throw error(call_,
              "'" + std::string(text_) + "': expected " + std::string(wanted) + " at position " +
                  std::to_string(at_ + 1) + ", found " + found,
              advice_);
}

void specification_reader::fail_kind(std::string_view wanted) const {
  throw error(call_, "'" + std::string(text_) + "' is an unknown kind of " + std::string(wanted),
              advice_);
}

}  // namespace acre
