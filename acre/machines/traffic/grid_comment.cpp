// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/grid_comment.hpp>

#include <acre/machines/networks/source_text.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace acre::machines {
namespace {

constexpr std::string_view grid_advice =
    "write '% cartesian communicator: dims 4x3 periods 1x0 ranks 0-11', or remove the line";

bool take(std::string_view& text, std::uint32_t& number) {
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return true;
}

bool take(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

std::string_view value(line_reader& lines, std::string_view name) {
  if (lines.word() != name) {
    lines.fail("the Cartesian communicator has no " + std::string(name), grid_advice);
  }
  return lines.word();
}

[[noreturn]] void fail(const line_reader& lines, std::string_view name, std::string_view word) {
  lines.fail(
      "the " + std::string(name) + " of the Cartesian communicator are invalid: " + in_quotes(word),
      grid_advice);
}

std::vector<std::uint32_t> read_numbers(line_reader& lines, std::string_view name) {
  const std::string_view word = value(lines, name);
  std::string_view left = word;
  std::vector<std::uint32_t> all;
  do {
    all.emplace_back();
    if (!take(left, all.back())) fail(lines, name, word);
  } while (take(left, 'x'));
  if (!left.empty()) fail(lines, name, word);
  return all;
}

std::vector<mapping::known_grid::run> read_runs(line_reader& lines) {
  const std::string_view word = value(lines, "ranks");
  std::string_view left = word;
  std::vector<mapping::known_grid::run> all;
  do {
    mapping::known_grid::run& run = all.emplace_back();
    if (!take(left, run.first)) fail(lines, "ranks", word);
    run.last = run.first;
    const bool is_well = !take(left, '-') || take(left, run.last);
    if (!is_well || run.last < run.first || run.last >= most_ranks_of_file) {
      fail(lines, "ranks", word);
    }
  } while (take(left, ','));
  if (!left.empty()) fail(lines, "ranks", word);
  return all;
}

}  // namespace

std::optional<mapping::known_grid> read_grid_comment(line_reader& lines) {
  if (lines.word() != "%" || lines.word() != "cartesian" || lines.word() != "communicator:") {
    return std::nullopt;
  }
  mapping::known_grid grid;
  grid.extents = read_numbers(lines, "dims");
  if (read_numbers(lines, "periods").size() != grid.extents.size()) {
    lines.fail("the Cartesian communicator has different numbers of periods and dims", grid_advice);
  }
  grid.ranks = read_runs(lines);
  lines.expect_line_end();
  std::uint64_t cells = 1;
  for (const std::uint32_t each : grid.extents) {
    cells = std::min(cells * each, std::uint64_t{most_ranks_of_file} + 1);
  }
  if (cells == grid.cells()) return grid;
  lines.fail("the Cartesian communicator has dims that do not match its number of ranks, " +
                 std::to_string(grid.cells()),
             grid_advice);
}

}  // namespace acre::machines
