// SPDX-License-Identifier: BSD-3-Clause
// The product of two sparse matrices, C = A B, over any semiring.
//
//     auto c = acre::spgemm<acre::semirings::plus_times<double>>(a, b);
//     auto t = acre::spgemm<acre::semirings::plus_pair<long>>(l, l, acre::masked_by(l));
//
// Row i of C is the sum of the rows of B that row i of A names. In a node these are read where they
// lie, and whoever has made its own rows takes chunks of others'. Over a network a member first
// reads the rows of B that its rows of A name, and no others: it needs room for them.
//
// Rows are made, each with the accumulator that suits its length, in memory that is used again and
// again; they are copied to where they belong when the rows before them are made, too, and so it is
// known how long these are. Room for the longest that all can become is had beforehand, as
// addresses only: pages come with what is written to them. To count the entries of C beforehand
// would mean to go through all products twice. That is done where there are not so many addresses.
//
// Source: Gustavson: Two fast algorithms for sparse matrices, 1978 (rows as sums of rows);
// Nagasaka, Matsuoka, Azad, Buluç: High-performance sparse matrix-matrix products, 2018 (hash
// tables).
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/chunk_board.hpp>
#include <acre/csr/detail/row_placing.hpp>
#include <acre/csr/detail/row_products.hpp>
#include <acre/csr/mask.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/global/memory/segment_block.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/runtime/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre {

namespace csr {

/// Where chunks of rows of about equal work begin, and their end.
/// @param works  of each row
[[nodiscard]] std::vector<std::size_t> equal_chunks(std::span<const std::uint64_t> works);

/// Room for what this member's rows become. @throws acre::error when its heap has not so much
/// @param most  entries that they may have
/// @param count()  how many these are
template <class V, class Count>
[[nodiscard]] csr_entries room_for_rows(std::size_t most, Count&& count) {
  constexpr std::size_t entry = sizeof(column_t) + sizeof(V);
  // The rest is for whatever else is made meanwhile.
  const std::size_t entries =
      most <= runtime::segment_free().private_part / (2 * entry) ? most : count();
  return {global::segment_block::at_most(entries * sizeof(column_t)),
          global::segment_block::at_most(entries * sizeof(V)), entries};
}

}  // namespace csr

/// C = A B, of the entries that a mask lets through. Rows are cut as those of A. Collective.
/// Cost: 4 B, 2 allreduces and 3 allgathers; over a network R for each run of rows of B that is
/// needed.
/// @throws acre::error on all members when A has another number of columns than B has rows, the
/// mask is not cut as A is, they are of different teams, or one has no room
template <class S, class A, class B, class Mask = no_mask>
  requires semiring<S, A, B>
[[nodiscard]] csr_matrix<typename S::value_type> spgemm(const csr_matrix<A>& a,
                                                        const csr_matrix<B>& b,
                                                        const Mask& mask = {},
                                                        const site& where = site::current()) {
  using value = typename S::value_type;
  global::require_same_operands(a.members(), "spgemm", where, a, b, mask);
  csr::check_equal("spgemm", "the columns of A", a.columns(), "the rows of B", b.rows(), where);
  global::check_same_team("spgemm", "B", b.members(), "A", a.members(), where);
  csr::check_mask("spgemm", mask, a.members(), a.cut(), b.columns(), where);
  const team& members = a.members();
  members.barrier(where);
  std::optional<csr::row_products<S, A, B, Mask>> products;
  std::vector<std::size_t> chunks;
  csr::csr_entries room;
  global::succeed_together(
      members, "spgemm", where,
      [&] {
        products.emplace(a, b, mask);
        const auto forecast = products->look_ahead();
        chunks = csr::equal_chunks(forecast.works);
        room = csr::room_for_rows<value>(forecast.most_entries, [&] { return products->count(); });
      },
      "its room for the product");
  csr::chunk_board board(members, chunks, room, where);
  csr::row_placing<value> placing(board, members.rank(), room);
  global::succeed_together(
      members, "spgemm", where,
      [&] {
        while (const auto chunk = board.take(b.is_near())) {
          auto pieces = placing.pieces();
          products->make(*chunk, board.lengths_of(chunk->owner), pieces);
          placing.add(*chunk, std::move(pieces));
        }
      },
      "its part of the product");
  placing.place();
  const auto lengths = board.lengths_of(members.rank());
  room.count = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  room.columns.shrink(room.count * sizeof(column_t));
  room.values.shrink(room.count * sizeof(value));
  auto result =
      csr::csr_access::make<value>(members, a.cut(), b.columns(), std::move(room), lengths, where);
  members.barrier(where);
  return result;
}

}  // namespace acre
