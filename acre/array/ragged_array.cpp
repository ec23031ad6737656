// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/ragged_array.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/layout/cut_at.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace acre::arrays {
namespace {

/// Exclusive upper bound, as segment offsets have 44 bits.
constexpr std::size_t most_elements = std::size_t{1} << offset_bits;

std::size_t sum_of(std::span<const std::size_t> lengths) noexcept {
  std::size_t sum = 0;
  for (const std::size_t each : lengths) {
    if (each > most_elements - sum) return most_elements;
    sum += each;
  }
  return sum;
}

}  // namespace

ragged_rows::ragged_rows(const team& members, std::span<const std::size_t> lengths,
                         const site& where)
    : me_(members.rank()) {
  struct part {
    std::size_t rows;
    std::size_t elements;
  };
  const auto parts = members.allgather(part{lengths.size(), sum_of(lengths)}, where);
  std::size_t most = 0;
  firsts_.push_back(0);
  for (const part& each : parts) {
    if (each.elements == most_elements) {
      throw error("ragged_array",
                  "member " + std::to_string(elements_.size()) +
                      " has more elements than fit a segment" + describe_place(where),
                  "check for a negative length");
    }
    firsts_.push_back(firsts_.back() + each.rows);
    elements_.push_back(each.elements);
    most = std::max(most, each.rows);
  }
  begins_ = symmetric_array<std::size_t>(members, most + 1, where);
  std::size_t begin = 0;
  std::size_t row = 0;
  for (const std::size_t each : lengths) {
    begins_.local()[row++] = begin;
    begin += each;
  }
  begins_.local()[row] = begin;
}

rank_t ragged_rows::member_of(std::size_t row, const site& where) const {
  if (row >= count()) [[unlikely]] {
    throw_no_row("ragged_array::row", row, count(), where);
  }
  return static_cast<rank_t>(layout::block_at(firsts_, row));
}

ragged_rows::place ragged_rows::find(std::size_t row, const site& where) const {
  const rank_t member = member_of(row, where);
  const std::size_t inside = row - firsts_[member];
  std::array<std::size_t, 2> ends{};
  if (member == me_) {
    ends = {begins_.local()[inside], begins_.local()[inside + 1]};
  } else {
    acre::get(begins_.pointer(member) + static_cast<std::ptrdiff_t>(inside), std::span(ends));
  }
  return {.member = member, .first = ends[0], .length = ends[1] - ends[0]};
}

std::vector<ragged_rows::place> ragged_rows::find_many(std::span<const std::size_t> rows,
                                                       const site& where) const {
  std::vector<place> found;
  std::vector<std::array<std::size_t, 2>> ends(rows.size());
  found.reserve(rows.size());
  for (const std::size_t row : rows)
    found.push_back({.member = member_of(row, where), .first = 0, .length = 0});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t inside = rows[i] - firsts_[found[i].member];
    if (found[i].member == me_) {
      ends[i] = {begins_.local()[inside], begins_.local()[inside + 1]};
    } else {
      get_nbi(begins_.pointer(found[i].member) + static_cast<std::ptrdiff_t>(inside),
              std::span<std::size_t>(ends[i]), where);
    }
  }
  quiet();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    found[i].first = ends[i][0];
    found[i].length = ends[i][1] - ends[i][0];
  }
  return found;
}

std::span<const std::size_t> share_of_rows(const team& members,
                                           std::span<const std::size_t> lengths) {
  const std::vector<double> weights(lengths.begin(), lengths.end());
  const auto places = layout::places_by_weight(weights, lengths.size(), members.size());
  const std::size_t first = places[members.rank()];
  return lengths.subspan(first, places[members.rank() + 1] - first);
}

void throw_no_row(const char* call, std::size_t row, std::size_t rows, const site& where) {
  throw error(call,
              "row " + std::to_string(row) + " is out of range (" + std::to_string(rows) +
                  " rows)" + describe_place(where),
              static_cast<std::ptrdiff_t>(row) < 0 ? "the row number is less than 0"
              : rows == 0                          ? "check rows() or local_rows() first"
                          : "rows are numbered 0 to " + std::to_string(rows - 1));
}

}  // namespace acre::arrays
