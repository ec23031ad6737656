// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/csv/detail/file_lines.hpp>

#include <acre/layout/cut.hpp>

#include <algorithm>
#include <span>
#include <string_view>

namespace acre::matrix_files {

namespace {
constexpr std::size_t block_bytes = std::size_t{1} << 16;
}  // namespace

std::size_t end_of_lines(global::team_file& file, std::size_t lines) {
  std::string block(block_bytes, '\0');
  std::size_t offset = 0;
  while (lines != 0 && offset < file.bytes()) {
    const std::size_t count = std::min(block.size(), file.bytes() - offset);
    file.read(offset, std::as_writable_bytes(std::span(block).first(count)));
    if (!file.is_good()) break;
    std::size_t at = 0;
    while (lines != 0 && at < count) {
      const std::size_t found = block.find('\n', at);
      at = found < count ? found + 1 : count;
      if (found < count) --lines;
    }
    offset += at;
  }
  return offset;
}

std::string share_of_lines(global::team_file& file, std::size_t begin, rank_t member,
                           rank_t members) {
  const layout::balanced_cut cut(file.bytes() - begin, members);
  // The byte before shows if a line begins with the share.
  const bool is_first = member == 0;
  const std::size_t first = begin + cut.first(member) - (is_first ? 0 : 1);
  const std::size_t end = begin + cut.first(member + std::size_t{1});
  if (begin + cut.first(member) >= end) return {};
  std::string text(end - first, '\0');
  file.read(first, std::as_writable_bytes(std::span(text)));
  if (!is_first) {
    const std::size_t line = text.find('\n');
    if (line == std::string::npos) return {};
    text.erase(0, line + 1);
    if (text.empty()) return {};
  }
  std::size_t next = end;
  while (file.is_good() && !text.empty() && text.back() != '\n' && next < file.bytes()) {
    const std::size_t count = std::min(block_bytes, file.bytes() - next);
    std::string more(count, '\0');
    file.read(next, std::as_writable_bytes(std::span(more)));
    const std::size_t line = more.find('\n');
    text.append(more, 0, line == std::string::npos ? count : line + 1);
    next += count;
  }
  return text;
}

}  // namespace acre::matrix_files
