// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/matrix_market.hpp>

#include <acre/base/matrix_market_grammar.hpp>
#include <acre/machines/networks/source_text.hpp>
#include <acre/machines/traffic/grid_comment.hpp>
#include <acre/machines/traffic/line_reader.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace acre::machines {
namespace {

using message = mapping::traffic::message;

using base::bad_line;
using base::market_entry;
using base::market_field;
using base::market_header;
using base::market_layout;
using base::market_symmetry;

template <class Read>
auto at_line(const line_reader& lines, Read&& read) {
  try {
    return read(lines.rest());
  } catch (const bad_line& wrong) {
    lines.fail(wrong.problem, wrong.advice);
  }
}

market_header read_banner(line_reader& lines) {
  lines.next();
  market_header header;
  at_line(lines, [&](std::string_view line) { base::read_market_banner(line, header); });
  if (header.field == market_field::complex) {
    lines.fail("the entries are complex", "write bytes as real or integer");
  }
  if (header.symmetry == market_symmetry::skew) {
    lines.fail("the matrix is skew-symmetric", "bytes cannot be negative: write general");
  }
  return header;
}

void check_ranks(const line_reader& lines, const market_header& header) {
  if (header.rows != header.columns) {
    lines.fail(
        "the matrix is " + std::to_string(header.rows) + " by " + std::to_string(header.columns),
        "write a square matrix with a row and a column for each rank");
  }
  if (header.rows == 0)
    lines.fail("the matrix has no rows", "write a row and a column for each rank");
  if (header.rows > most_ranks_of_file) {
    lines.fail(std::to_string(header.rows) + " ranks exceed the limit",
               "use at most " + std::to_string(most_ranks_of_file));
  }
}

/// Fails if `entries` lines of at least `least` characters exceed the remaining text.
void require_room(const line_reader& lines, std::uint64_t entries, std::uint64_t least) {
  if (entries <= (lines.bytes_left() + 1) / (least + 1)) return;
  lines.fail("the file ends before its " + std::to_string(entries) + " entries",
             "the file is truncated, or its size line is wrong");
}

void require_end(line_reader& lines, std::uint64_t entries) {
  if (!lines.next_filled()) return;
  lines.fail("the file has more entries than the " + std::to_string(entries) + " of the size line",
             "correct the size line");
}

void next_entry(line_reader& lines, std::uint64_t entry, std::uint64_t entries) {
  if (lines.next_filled()) return;
  lines.fail("the file ends after " + std::to_string(entry) + " of " + std::to_string(entries) +
                 " entries",
             "the file is truncated, or its size line is wrong");
}

double bytes_of(const line_reader& lines, const market_entry& entry, const market_header& header) {
  const auto bytes = base::read_market_value<double>(entry, header);
  if (!std::isfinite(bytes) || bytes < 0) {
    lines.fail("the weight " + in_quotes(entry.value) + " is invalid",
               "write bytes as a finite number of at least 0");
  }
  return bytes;
}

mapping::communication read_entries(line_reader& lines, market_header& header,
                                    std::string_view name) {
  at_line(lines, [&](std::string_view line) { base::read_market_sizes(line, header); });
  check_ranks(lines, header);
  const bool is_array = header.layout == market_layout::array;
  const bool is_weighted = header.field != market_field::pattern;
  require_room(lines, header.entries, is_array ? 1 : is_weighted ? 5 : 3);
  std::vector<message> messages;
  std::uint64_t above = 0;
  for (std::uint64_t number = 0; number < header.entries; ++number) {
    next_entry(lines, number, header.entries);
    at_line(lines, [&](std::string_view line) {
      const market_entry entry = base::read_market_entry(line, header, number);
      const double bytes = bytes_of(lines, entry, header);
      if (base::is_in_upper_triangle(entry, header)) ++above;
      if (is_array && bytes == 0) return;
      const auto from = static_cast<mapping::rank_t>(entry.row);
      const auto to = static_cast<mapping::rank_t>(entry.column);
      messages.push_back({from, to, bytes});
      if (header.symmetry == market_symmetry::symmetric && from != to) {
        messages.push_back({to, from, bytes});
      }
    });
  }
  require_end(lines, header.entries);
  mapping::communication read = mapping::without_grid(
      std::string(name), mapping::traffic(static_cast<mapping::rank_t>(header.rows), messages));
  if (above != 0) {
    read.remarks.push_back(std::string(name) + " has " + std::to_string(above) +
                           " entries above the diagonal of a symmetric matrix: each counts in both "
                           "directions");
  }
  return read;
}

std::vector<mapping::known_grid> read_head(line_reader& lines) {
  std::vector<mapping::known_grid> grids;
  while (lines.next()) {
    if (lines.is_comment()) {
      if (auto grid = read_grid_comment(lines)) grids.push_back(std::move(*grid));
    } else if (!lines.line_ended()) {
      return grids;
    }
  }
  lines.fail("the file ends before its size line");
}

}  // namespace

mapping::communication read_matrix_market(std::string_view text, std::string_view name) {
  line_reader lines(text, name, "machines::read_matrix_market",
                    "begin the file with '%%MatrixMarket matrix coordinate real general', then "
                    "write 'ranks ranks entries', then 'from to bytes' for each entry");
  market_header header = read_banner(lines);
  std::vector<mapping::known_grid> grids = read_head(lines);
  mapping::communication read = read_entries(lines, header, name);
  read.known_grids = std::move(grids);
  return read;
}

}  // namespace acre::machines
