// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/detail/equal_places.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

namespace acre::csr {

equal_places::equal_places(std::size_t row, std::size_t column, const site& where)
    : error("csr_builder::finish",
            "two entries are in row " + std::to_string(row) + " and column " +
                std::to_string(column) + describe_place(where),
            "combine duplicates, for example with finish(std::plus())"),
      row_(row),
      column_(column) {}

namespace {

std::string problem_of(const std::exception& mine, unsigned first) {
  if (const auto* const found = dynamic_cast<const equal_places*>(&mine)) {
    return "row " + std::to_string(found->row() + first) + " has two entries in column " +
           std::to_string(found->column() + first) + ", both counted from " + std::to_string(first);
  }
  if (const auto* const known = dynamic_cast<const error*>(&mine)) return known->problem();
  if (dynamic_cast<const std::bad_alloc*>(&mine) != nullptr) {
    return "a rank is out of memory for its rows and entries";
  }
  return mine.what();
}

}  // namespace

void throw_equal_places(const team& members, const char* call, const std::string& path,
                        unsigned first, const std::exception& mine, const site& where) {
  constexpr std::uint64_t no_row = ~std::uint64_t{0};
  const auto* const found = dynamic_cast<const equal_places*>(&mine);
  const std::vector<std::uint64_t> rows =
      members.allgather(found == nullptr ? no_row : found->row(), where);
  const auto lowest = std::ranges::min_element(rows);
  const std::string problem =
      members.broadcast(problem_of(mine, first), static_cast<rank_t>(lowest - rows.begin()), where);
  throw error(call, path + ": " + problem, *lowest == no_row ? "" : "remove the duplicate entry");
}

}  // namespace acre::csr
