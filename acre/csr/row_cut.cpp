// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/row_cut.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace acre {

row_cut row_cut::balanced(const team& members, std::size_t rows,
                          std::span<const std::uint64_t> weights, const site& where) {
  row_cut equals = equal(rows, members.size());
  struct share {
    std::uint64_t rows;
    base::uint128 weight;
  };
  base::uint128 sum = 0;
  for (const std::uint64_t each : weights) sum += each;
  const auto shares = members.allgather(share{weights.size(), sum}, where);
  base::uint128 before = 0;
  base::uint128 all = 0;
  for (rank_t member = 0; member < members.size(); ++member) {
    if (shares[member].rows != equals.count_of(member)) {
      throw error("row_cut::balanced",
                  "member " + std::to_string(member) + " passes " +
                      std::to_string(shares[member].rows) + " weights, but holds " +
                      std::to_string(equals.count_of(member)) + " rows" + describe_place(where),
                  "pass one weight for each of the member's rows in row_cut::equal(rows, members)");
    }
    if (member < members.rank()) before += shares[member].weight;
    all += shares[member].weight;
  }
  if (all == 0) return equals;
  std::vector<std::size_t> firsts(members.size() + std::size_t{1}, rows);
  firsts[0] = 0;
  for (std::size_t i = 0, member = 0; i < weights.size(); ++i) {
    while (member < members.size() && before * members.size() >= all * member) {
      firsts[member] = std::min(firsts[member], equals.first_of(members.rank()) + i);
      ++member;
    }
    before += weights[i];
  }
  members.allreduce(std::span(firsts), op::min, where);
  return row_cut(std::move(firsts), where);
}

namespace csr {

void check_members(const char* call, const row_cut& rows, rank_t members, const site& where) {
  if (rows.members() == members) return;
  throw error(call,
              "the rows are cut for " + std::to_string(rows.members()) +
                  " members, but the team has " + std::to_string(members) + describe_place(where),
              "use row_cut::equal(rows, team.size())");
}

}  // namespace csr

}  // namespace acre
