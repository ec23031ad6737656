#include <acre/machines/traffic/matrix_market.hpp>

#include <acre/machines/traffic/grid_comment.hpp>
#include <acre/machines/traffic/line_reader.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace acre::mapping {
namespace {

using message = traffic::message;

/// What the first line says.
struct header {
  bool coordinate;
  bool weighted;
  bool symmetric;
};

std::string lower(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

header read_header(line_reader& lines) {
  lines.next();
  if (lower(lines.word()) != "%%matrixmarket") lines.fail("there is no %%MatrixMarket");
  if (lower(lines.word()) != "matrix") lines.fail("this is no matrix");
  const std::string layout = lower(lines.word());
  const std::string field = lower(lines.word());
  const std::string symmetry = lower(lines.word());
  lines.expect_line_end();
  if (layout != "coordinate" && layout != "array") {
    lines.fail("the layout is neither coordinate nor array");
  }
  if (field == "complex") lines.fail("the entries are complex", "bytes are real or integer");
  if (field != "real" && field != "integer" && field != "double" && field != "pattern") {
    lines.fail("the entries are neither real, integer nor pattern");
  }
  if (field == "pattern" && layout == "array") {
    lines.fail("an array of entries without values says nothing", "write coordinate");
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    lines.fail("the matrix is neither general nor symmetric",
               "bytes are of no other symmetry: write general, and all entries");
  }
  return {.coordinate = layout == "coordinate",
          .weighted = field != "pattern",
          .symmetric = symmetry == "symmetric"};
}

/// The ranks of a matrix of `rows` by `columns`.
rank_t ranks_of(const line_reader& lines, std::uint64_t rows, std::uint64_t columns) {
  if (rows != columns) {
    lines.fail("the matrix is " + std::to_string(rows) + " by " + std::to_string(columns),
               "a row and a column for each rank: it must be square");
  }
  if (rows == 0) lines.fail("the matrix has no rows", "a row and a column for each rank");
  if (rows > most_ranks_of_file) {
    lines.fail(std::to_string(rows) + " ranks are too many",
               "at most " + std::to_string(most_ranks_of_file));
  }
  return static_cast<rank_t>(rows);
}

/// Refuses a promise that the rest of the file has no room for: a line for each entry, of
/// `least` characters and an end, which the last may lack.
void require_room(const line_reader& lines, std::uint64_t entries, std::uint64_t least) {
  if (entries <= (lines.bytes_left() + 1) / (least + 1)) return;
  lines.fail("the file ends before its " + std::to_string(entries) + " entries",
             "it is cut off, or its size line is wrong");
}

void require_end(line_reader& lines, std::uint64_t entries) {
  if (!lines.next_filled()) return;
  lines.fail("there are more entries than the " + std::to_string(entries) + " of the size line",
             "correct the size line");
}

void next_entry(line_reader& lines, std::uint64_t entry, std::uint64_t entries) {
  if (lines.next_filled()) return;
  lines.fail("the file ends after " + std::to_string(entry) + " of " + std::to_string(entries) +
                 " entries",
             "it is cut off, or its size line is wrong");
}

void add(std::vector<message>& messages, const header& kind, const message& entry) {
  messages.push_back(entry);
  if (kind.symmetric && entry.from != entry.to) {
    messages.push_back({entry.to, entry.from, entry.bytes});
  }
}

traffic read_coordinates(line_reader& lines, const header& kind) {
  const std::uint64_t rows = lines.count("the number of rows");
  const std::uint64_t columns = lines.count("the number of columns");
  const std::uint64_t entries = lines.count("the number of entries");
  lines.expect_line_end();
  const rank_t ranks = ranks_of(lines, rows, columns);
  require_room(lines, entries, kind.weighted ? 5 : 3);
  std::vector<message> messages;
  messages.reserve(kind.symmetric ? 2 * entries : entries);
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    next_entry(lines, entry, entries);
    const auto from = static_cast<rank_t>(lines.index("the row", ranks) - 1);
    const auto to = static_cast<rank_t>(lines.index("the column", ranks) - 1);
    const double bytes = kind.weighted ? lines.weight() : 1;
    lines.expect_line_end();
    if (kind.symmetric && to > from) {
      lines.fail("the entry is above the diagonal of a symmetric matrix",
                 "leave it out, for the one below is both; or write general");
    }
    add(messages, kind, {from, to, bytes});
  }
  require_end(lines, entries);
  return {ranks, messages};
}

/// Column by column; of a symmetric matrix the part on and below the diagonal.
traffic read_array(line_reader& lines, const header& kind) {
  const std::uint64_t rows = lines.count("the number of rows");
  const std::uint64_t columns = lines.count("the number of columns");
  lines.expect_line_end();
  const rank_t ranks = ranks_of(lines, rows, columns);
  const std::uint64_t entries = kind.symmetric ? rows * (rows + 1) / 2 : rows * rows;
  require_room(lines, entries, 1);
  std::vector<message> messages;
  std::uint64_t entry = 0;
  for (rank_t to = 0; to < ranks; ++to) {
    for (rank_t from = kind.symmetric ? to : 0; from < ranks; ++from) {
      next_entry(lines, entry++, entries);
      const double bytes = lines.weight();
      lines.expect_line_end();
      if (bytes > 0) add(messages, kind, {from, to, bytes});
    }
  }
  require_end(lines, entries);
  return {ranks, messages};
}

/// Goes to the size line. @return the grids that comments before it name
std::vector<known_grid> read_head(line_reader& lines) {
  std::vector<known_grid> grids;
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

communication read_matrix_market(std::string_view text, std::string_view name) {
  line_reader lines(text, name, "mapping::read_matrix_market",
                    "a Matrix Market file begins with '%%MatrixMarket matrix coordinate real "
                    "general', then says 'ranks ranks entries', then 'from to bytes' for each");
  const header kind = read_header(lines);
  std::vector<known_grid> grids = read_head(lines);
  communication read = without_grid(
      std::string(name), kind.coordinate ? read_coordinates(lines, kind) : read_array(lines, kind));
  read.known_grids = std::move(grids);
  return read;
}

}  // namespace acre::mapping
