// The product of two sparse matrices, C = A B, over any semiring.
//
//     auto c = acre::spgemm<acre::semirings::plus_times<double>>(a, b);
//     auto t = acre::spgemm<acre::semirings::plus_pair<long>>(l, l, acre::masked_by(l));
//
// Row i of C is the sum of the rows of B that row i of A names. In a node these are read where they
// lie, and whoever has made its own rows takes chunks of others'. Over a network a member first
// reads the rows of B that its rows of A name, and no others: it needs room for them.
//
// There are two phases. First rows are made, each with the accumulator that suits its length, and
// lie one after the other with whoever made them; then, when all lengths are known, they are copied
// to where they belong. To count the entries of C beforehand would mean to go through all products
// twice, of which there are many for each entry that remains; copying goes through the entries.
//
// Source: Gustavson: Two fast algorithms for sparse matrices, 1978 (rows as sums of rows);
// Nagasaka, Matsuoka, Azad, Buluç: High-performance sparse matrix-matrix products, 2018 (hash
// tables).
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/succeed_together.hpp>
#include <acre/sparse/csr_matrix.hpp>
#include <acre/sparse/detail/chunk_board.hpp>
#include <acre/sparse/detail/row_products.hpp>
#include <acre/sparse/mask.hpp>
#include <acre/sparse/semiring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace acre {

namespace detail {

/// Where chunks of rows of about equal work begin, and their end.
/// @param works  of each row
[[nodiscard]] std::vector<std::size_t> equal_chunks(std::span<const std::uint64_t> works);

/// How many products each row of this member takes where all of B is mapped here; else how many
/// entries of A it has.
template <class A, class B>
[[nodiscard]] std::vector<std::uint64_t> works_of(const csr_matrix<A>& a, const csr_matrix<B>& b) {
  const csr_rows<A> rows = a.local();
  std::vector<csr_rows<B>> near;
  for (rank_t member = 0; member < b.members().size(); ++member) {
    near.push_back(b.near_rows(member));
  }
  std::vector<std::uint64_t> works(rows.count);
  for (std::size_t row = 0; row < rows.count; ++row) {
    std::uint64_t work = 1 + rows.columns_of(row).size();
    rank_t member = 0;
    for (const column_t column : rows.columns_of(row)) {
      if (!b.is_near()) break;
      while (column >= b.cut().first_of(member + 1)) ++member;
      work += near[member].columns_of(column - near[member].first).size();
    }
    works[row] = work;
  }
  return works;
}

/// Copies what this member has made to where it belongs: to this node's members.
template <class V, class Products>
void place_rows(csr_matrix<V>& result, const Products& products) {
  for (const auto& each : products.all_done()) {
    const csr_rows<V> rows = result.near_rows(each.rows.owner);
    // Nobody reads the result yet, and nobody else has these rows.
    auto* columns = const_cast<column_t*>(rows.columns) + rows.begin_of(each.rows.first);
    auto* values = const_cast<V*>(rows.values) + rows.begin_of(each.rows.first);
    products.pieces().each_between(each.begin, each.end, [&](const auto& from, std::size_t count) {
      columns = std::copy_n(from.columns, count, columns);
      values = std::copy_n(from.values, count, values);
    });
  }
}

}  // namespace detail

/// C = A B, of the entries that a mask lets through. Rows are cut as those of A. Collective.
/// Cost: 6 B and 5 allgathers; over a network R for each run of rows of B that is needed.
/// @throws acre::error on all members when A has another number of columns than B has rows, the
/// mask is not cut as A is, or one has no room
template <class S, class A, class B, class Mask = no_mask>
  requires semiring<S, A, B>
[[nodiscard]] csr_matrix<typename S::value_type> spgemm(const csr_matrix<A>& a,
                                                        const csr_matrix<B>& b,
                                                        const Mask& mask = {},
                                                        const site& where = site::current()) {
  using value = typename S::value_type;
  detail::check_equal("spgemm", "the columns of A", a.columns(), "the rows of B", b.rows(), where);
  detail::check_mask("spgemm", mask, a.cut(), b.columns(), where);
  const team& members = a.members();
  members.barrier(where);
  detail::chunk_board board(members, detail::equal_chunks(detail::works_of(a, b)), where);
  std::optional<detail::row_products<S, A, B, Mask>> products;
  detail::succeed_together(
      members, "spgemm", where,
      [&] {
        products.emplace(a, b, mask);
        while (const auto chunk = board.take(b.is_near())) {
          products->make(*chunk, board.lengths_of(chunk->owner));
        }
      },
      "its part of the product");
  const auto lengths = board.lengths_of(members.rank());
  const std::size_t entries = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  csr_matrix<value> result(
      members, a.cut(), b.columns(), entries,
      [&](const typename csr_matrix<value>::room& room) {
        room.offsets[0] = 0;
        std::inclusive_scan(lengths.begin(), lengths.end(), room.offsets.begin() + 1);
      },
      where);
  detail::place_rows(result, *products);
  members.barrier(where);
  return result;
}

}  // namespace acre
