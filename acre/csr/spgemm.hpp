// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrix product C = A B over any semiring: row i of C sums the rows of B selected by row i
// of A.
//
// Mapped rows of B are read in place; others are copied first. If all are mapped, idle ranks take
// others' chunks.
//
// Address space is reserved for an upper bound of entries; if short, entries are counted first, at
// double work.
//
// Sources: Gustavson 1978; Nagasaka, Matsuoka, Azad, Buluç 2018 (hash tables).
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

/// Bounds of chunks of rows, of about equal work.
[[nodiscard]] std::vector<std::size_t> equal_chunks(std::span<const std::uint64_t> works);

/// Memory for this member's result rows: `most` entries, or count() if those exceed half of the
/// free heap.
/// @throws acre::error if the heap is too small
template <class V, class Count>
[[nodiscard]] csr_entries room_for_rows(std::size_t most, Count&& count) {
  constexpr std::size_t entry = sizeof(column_t) + sizeof(V);
  const std::size_t entries =
      most <= runtime::segment_free().private_part / (2 * entry) ? most : count();
  return {global::segment_block::at_most(entries * sizeof(column_t)),
          global::segment_block::at_most(entries * sizeof(V)), entries};
}

}  // namespace csr

/// C = A B, restricted by `mask`; rows cut as A. Collective. Cost: 4 B, 2 allreduces and 3
/// allgathers; across nodes 2 R per run of rows of B, after gathers of their bounds.
/// @throws acre::error on all members for mismatched shapes, mask or teams, or short memory
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
      "allocating the product");
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
      "computing its part of the product");
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
