// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/csv/detail/csv_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/in_quotes.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/csv/detail/file_lines.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace acre::matrix_files {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text, char delimiter) {
  const std::string_view blanks = delimiter == '\t' ? " \r" : " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Calls f(text) for each value of a nonempty line, until false.
template <class F>
bool each_value(std::string_view line, char delimiter, const F& f) {
  const std::string_view separators = delimiter == ' ' ? " \t" : std::string_view(&delimiter, 1);
  for (;;) {
    const std::size_t end = line.find_first_of(separators);
    if (!f(trimmed(line.substr(0, end), delimiter))) return false;
    if (end == std::string_view::npos) return true;
    line.remove_prefix(end + 1);
    if (delimiter == ' ') line = trimmed(line, delimiter);
  }
}

struct share_found {
  std::uint64_t lines = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;      ///< of the first row
  std::uint64_t first_line = 0;   ///< of the first row, counted in the share from 1
  std::uint64_t bad_line = 0;     ///< 0: all are valid
  std::uint64_t bad_columns = 0;  ///< values read in this line
  bool has_bad_value = false;     ///< the last
  char bad_value[64] = {};
};

share_found read_lines(std::string_view text, char delimiter,
                       const std::function<bool(std::string_view)>& read) {
  share_found found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, std::min(text.find('#'), end)), delimiter);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++found.lines;
    if (line.empty()) continue;
    std::uint64_t columns = 0;
    const bool is_read = each_value(line, delimiter, [&](std::string_view value) {
      ++columns;
      if (read(value)) return true;
      value.copy(found.bad_value, sizeof(found.bad_value) - 1);
      return false;
    });
    if (found.rows == 0) {
      found.columns = columns;
      found.first_line = found.lines;
    }
    if (!is_read || columns != found.columns) {
      found.bad_line = found.lines;
      found.bad_columns = columns;
      found.has_bad_value = !is_read;
      return found;
    }
    ++found.rows;
  }
  return found;
}

[[noreturn]] void throw_bad_line(const std::string& path, std::uint64_t line,
                                 const std::string& problem, const char* advice,
                                 const site& where) {
  throw error("load_csv",
              path + ", line " + std::to_string(line) + ": " + problem + describe_place(where),
              advice);
}
[[noreturn]] void throw_other_columns(const std::string& path, std::uint64_t line,
                                      std::uint64_t columns, std::uint64_t expected,
                                      const site& where) {
  throw_bad_line(path, line,
                 std::to_string(columns) + " values after rows of " + std::to_string(expected),
                 "all rows must have equally many values; csv_options has the delimiter", where);
}

}  // namespace

csv_shape csv_extents(std::span<const std::size_t> extents, const site& where) {
  if (extents.size() > 2) {
    throw error("store_csv",
                "a text table has two dimensions, not " + std::to_string(extents.size()) +
                    describe_place(where),
                "store the planes separately, or all of it by store_npy()");
  }
  return {extents[0], extents.size() == 2 ? extents[1] : 1};
}

void require_delimiter(const char* call, char delimiter, const site& where) {
  constexpr std::string_view refused = "+-.#\r\n";
  const bool is_used = std::isalnum(static_cast<unsigned char>(delimiter)) != 0 ||
                       refused.find(delimiter) != std::string_view::npos;
  if (!is_used) return;
  throw error(call,
              "the delimiter " + in_quotes(std::string(1, delimiter)) +
                  " may be part of a number, end a line or begin a comment" + describe_place(where),
              "set csv_options::delimiter to ',', ';', '\\t', ' ' or another sign");
}

void write_csv(const team& members, const std::string& path, const std::string& header,
               std::string_view text, const site& where) {
  const std::string line = header.empty() ? "" : header + "\n";
  auto file = global::team_file::create(members, path, "store_csv", where);
  if (file.is_first()) file.write(0, std::as_bytes(std::span(line)));
  file.share();
  const std::size_t offset = members.exclusive_scan(text.size(), line.size(), op::sum, where);
  file.write(offset, std::as_bytes(std::span(text)));
  file.finish();
}

csv_rows_found read_csv(const team& members, const std::string& path, char delimiter,
                        std::size_t header_lines, const std::function<bool(std::string_view)>& read,
                        const site& where) {
  auto file = global::team_file::open(members, path, "load_csv", where);
  std::size_t begin = 0;
  if (file.is_first()) begin = end_of_lines(file, header_lines);
  begin = members.broadcast(begin, 0, where);
  share_found mine;
  global::succeed_together(members, "load_csv", where, [&] {
    require_delimiter("load_csv", delimiter, where);
    const std::string share = share_of_lines(file, begin, members.rank(), members.size());
    std::string_view text = share;
    const bool is_begin = header_lines == 0 && members.rank() == 0;
    if (is_begin && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (file.is_good()) mine = read_lines(text, delimiter, read);
  });
  file.finish();

  csv_rows_found result;
  std::uint64_t lines = header_lines;
  const std::vector<share_found> all = members.allgather(mine, where);
  for (rank_t member = 0; member < members.size(); ++member) {
    const share_found& each = all[member];
    if (member == members.rank()) result.first_row = result.rows;
    if (each.columns != 0) {
      if (result.columns == 0) result.columns = each.columns;
      // A first row with an invalid value is reported for that.
      const bool is_short = each.bad_line == each.first_line && each.has_bad_value;
      if (each.columns != result.columns && !is_short) {
        throw_other_columns(path, lines + each.first_line, each.columns, result.columns, where);
      }
    }
    if (each.bad_line != 0 && !each.has_bad_value) {
      throw_other_columns(path, lines + each.bad_line, each.bad_columns, result.columns, where);
    }
    if (each.bad_line != 0) {
      throw_bad_line(path, lines + each.bad_line,
                     "invalid value " + in_quotes(each.bad_value) + " in column " +
                         std::to_string(each.bad_columns),
                     "values are numbers of the type of load_csv<T>", where);
    }
    result.rows += each.rows;
    lines += each.lines;
  }
  return result;
}

}  // namespace acre::matrix_files
