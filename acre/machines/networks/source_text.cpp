// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/source_text.hpp>

#include <acre/base/byte_order_mark.hpp>
#include <acre/base/parse_number.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace acre::machines {
namespace {

constexpr const char* reading_text = "topology readers";
constexpr std::string_view blanks = " \t\r\v\f\n";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

source_text source_text::load(const std::string& path) {
  constexpr std::size_t most = std::size_t{1} << 26;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> block{};
  while (file && text.size() <= most) {
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && text.size() <= most) {
    throw placed_error(reading_text, path + ": the file cannot be read",
                       "check its name and its permissions");
  }
  if (text.size() > most) {
    throw placed_error(reading_text, path + ": the file is larger than 64 MiB",
                       "check that it is the right file");
  }
  return {path, without_byte_order_mark(std::move(text))};
}

std::vector<text_line> source_text::all_lines() const {
  std::vector<text_line> found;
  const std::string_view all = text_;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    found.push_back({.number = found.size() + 1, .text = all.substr(begin, end - begin)});
    begin = end + 1;
  }
  return found;
}

std::vector<text_line> source_text::lines() const {
  std::vector<text_line> found = all_lines();
  for (text_line& each : found) {
    each.text = without_blanks_around(each.text.substr(0, each.text.find('#')));
  }
  std::erase_if(found, [](const text_line& each) { return each.text.empty(); });
  return found;
}

std::size_t source_text::line_of(std::size_t offset) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

std::string source_text::remark(std::size_t line, std::string_view what) const {
  return name_ + ":" + std::to_string(line) + ": " + std::string(what);
}

void source_text::fail(std::size_t line, std::string_view problem, std::string_view advice) const {
  throw placed_error(reading_text, remark(line, problem), advice);
}

void source_text::fail(std::string_view problem, std::string_view advice) const {
  throw placed_error(reading_text, name_ + ": " + std::string(problem), advice);
}

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  const std::size_t end = text.find_last_not_of(blanks) + 1;
  return text.substr(begin, std::max(begin, end) - begin);
}

std::vector<std::string_view> words_of(std::string_view line, std::string_view also) {
  const std::string between = std::string(blanks) + std::string(also);
  std::vector<std::string_view> words;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(between, end);
    if (begin == std::string_view::npos) return words;
    end = std::min(line.find_first_of(between, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
}

std::optional<std::uint32_t> as_number(std::string_view digits) {
  return base::parse_number<std::uint32_t>(digits);
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace acre::machines
