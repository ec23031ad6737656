#include <acre/sparse/detail/equal_places.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace acre::detail {

equal_places::equal_places(std::size_t row, std::size_t column, const site& where)
    : error("csr_builder::finish",
            "two entries are in row " + std::to_string(row) + " and column " +
                std::to_string(column) + describe_place(where),
            "say what becomes of them: finish(std::plus())"),
      row_(row) {}

void throw_equal_places(const team& members, const char* call, const std::string& path,
                        const std::exception& mine, const site& where) {
  constexpr std::uint64_t no_row = ~std::uint64_t{0};
  const auto* const found = dynamic_cast<const equal_places*>(&mine);
  const std::vector<std::uint64_t> rows =
      members.allgather(found == nullptr ? no_row : found->row(), where);
  const auto first = std::ranges::min_element(rows);
  const auto* const known = dynamic_cast<const error*>(&mine);
  const std::string problem =
      members.broadcast(known == nullptr ? std::string(mine.what()) : known->problem(),
                        static_cast<rank_t>(first - rows.begin()), where);
  throw error(call, path + ": " + problem, *first == no_row ? "" : "each place has one entry");
}

}  // namespace acre::detail
