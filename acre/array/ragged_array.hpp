// SPDX-License-Identifier: BSD-3-Clause
// Rows of different lengths, spread over the ranks of a team: adjacency lists, sparse rows, reads.
//
//     acre::ragged_array<int> graph(acre::world(), my_degrees);   // a row for each of these, here
//     for (std::size_t i = 0; i < graph.local_rows(); ++i)
//       for (int& target : graph.local_row(i)) …                  // plain memory
//     auto row = graph[7];                                        // anybody's, a global_span
//     int first = row[0];
//
// Rows are numbered by member, and of a member in its order. Each lies in one piece: all elements
// of a member are one array, and a second one says where rows begin (compressed sparse rows). No
// rank knows all of that: whoever wants another one's row reads where it is.
//
// All elements are a range (view/ranges.hpp), row by row, for all algorithms. Making and destroying
// are collective; everything between is one-sided.
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/array/detail/irregular.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/view/global_span.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace arrays {

/// Which rows are whose, and where they begin among their member's elements.
class ragged_rows {
 public:
  ragged_rows() = default;
  /// Collective. Cost: B and 2 allgathers.
  /// @throws acre::error on all members when the lengths of one are more than 64 bits count, or it
  ///         has no room
  ragged_rows(const team& members, std::span<const std::size_t> lengths, const site& where);

  struct place {
    rank_t member;
    std::size_t first;  ///< among the member's elements
    std::size_t length;
  };
  /// Cost: R; l for this member's own.
  /// @throws acre::error when there is no such row
  [[nodiscard]] place find(std::size_t row, const site& where) const;
  [[nodiscard]] rank_t member_of(std::size_t row, const site& where) const;
  [[nodiscard]] std::size_t count() const noexcept { return firsts_.empty() ? 0 : firsts_.back(); }
  /// Of a member: the number of its first row. One past the last member, the number of all.
  [[nodiscard]] std::size_t first_of(rank_t member) const noexcept { return firsts_[member]; }
  /// Where this member's rows begin, and then the end.
  [[nodiscard]] std::span<const std::size_t> own() const { return begins_.local(); }
  [[nodiscard]] const std::vector<std::size_t>& elements() const noexcept { return elements_; }

 private:
  rank_t me_ = 0;
  std::vector<std::size_t> firsts_;
  std::vector<std::size_t> elements_;  ///< of each member
  symmetric_array<std::size_t> begins_;
};

/// This member's share of rows that all members know: as equal in elements as whole rows can be.
[[nodiscard]] std::span<const std::size_t> share_of_rows(const team& members,
                                                         std::span<const std::size_t> lengths);
/// @param rows  how many there are where `call` looks
[[noreturn]] void throw_no_row(const char* call, std::size_t row, std::size_t rows,
                               const site& where);

/// Takes what is no span of lengths: compilers show the line of a deleted constructor.
struct the_lengths_of_own_rows {
  template <class X>
    requires(!std::convertible_to<X, std::span<const std::size_t>> && !std::same_as<X, site>)
  the_lengths_of_own_rows(const X&) = delete;  // ragged_array(team, std::vector<std::size_t>{...})
};

}  // namespace arrays

/// Moves: local, and row pointers stay valid. Destruction: collective, 2 B.
template <class T>
class ragged_array : private arrays::array_elements<T, arrays::irregular_kind> {
  static_assert(arrays::is_array_element<T>,
                "ranks read and write the elements of a ragged_array<T> as bytes: T is trivially "
                "copyable, and no pointer");
  using elements = arrays::array_elements<T, arrays::irregular_kind>;
  using elements_memory = arrays::array_memory<arrays::irregular_kind>;

 public:
  using typename elements::const_iterator;
  using typename elements::const_reference;
  using typename elements::difference_type;
  using typename elements::iterator;
  using typename elements::reference;
  using typename elements::size_type;
  using typename elements::value_type;

  /// No array: good for being assigned to.
  ragged_array() = default;

  /// On this member a row for each of these lengths, all elements `initial`. Other members say
  /// other lengths. Collective. Cost: 2 B and 3 allgathers.
  /// @throws acre::error on all members when one has no room
  ragged_array(const team& of, std::span<const std::size_t> own_lengths, const T& initial = T{},
               const site& where = site::current())
      : ragged_array(of, arrays::ragged_rows(of, own_lengths, where), initial, where) {}
  /// A compile error for all other arguments.
  ragged_array(const team&, arrays::the_lengths_of_own_rows);

  // --- rows of all members ------------------------------------------------------------------

  /// A row, whoever holds it. Cost: R to learn where it is; l for this member's own.
  /// @throws acre::error when there is no such row
  [[nodiscard]] global_span<T> row(std::size_t index, const site& where = site::current()) const {
    const auto [member, first, length] = rows_.find(index, where);
    if (length == 0) return {};
    return {this->memory().template pointer<T>(layout::place{member, first}), length};
  }
  [[nodiscard]] global_span<T> operator[](std::size_t index) const { return row(index, {}); }
  /// How many rows there are. l.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_.count(); }
  /// The member that holds a row. l. @throws acre::error when there is no such row
  [[nodiscard]] member owner_of_row(std::size_t index, const site& where = site::current()) const {
    return members()[rows_.member_of(index, where)];
  }

  // --- this member's rows ---------------------------------------------------------------------

  /// How many. l.
  [[nodiscard]] std::size_t local_rows() const {
    return *this ? rows_.first_of(members().rank() + 1) - first_local_row() : 0;
  }
  /// The number of the first of them, among all. l.
  [[nodiscard]] std::size_t first_local_row() const { return rows_.first_of(members().rank()); }
  /// One of them, by its number here, as plain memory. l. Checked in builds with ACRE_CHECKS.
  [[nodiscard]] std::span<T> local_row(std::size_t number,
                                       const site& where = site::current()) const
      noexcept(!base::has_checks) {
    const std::span<const std::size_t> begins = rows_.own();
    if constexpr (base::has_checks) {
      if (number + 1 >= begins.size()) [[unlikely]] {
        arrays::throw_no_row("ragged_array::local_row", number, local_rows(), where);
      }
    }
    return {this->memory().template own<T>() + begins[number], begins[number + 1] - begins[number]};
  }
  /// All elements of this member, row by row. l.
  using elements::local;

  // --- all elements -----------------------------------------------------------------------------

  using elements::begin;
  using elements::end;
  using elements::size;
  [[nodiscard]] const team& members() const {
    return arrays::irregular_memory(this->memory_or_null(), "ragged_array").members();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return this->is_made(); }

 private:
  ragged_array(const team& of, arrays::ragged_rows rows, const T& initial, const site& where)
      : elements(make(of, rows.elements(), initial, where)), rows_(std::move(rows)) {}

  [[nodiscard]] static base::unique_object<elements_memory> make(
      const team& of, const std::vector<std::size_t>& counts, const T& initial, const site& where) {
    const runtime::failures_held until_it_is_there;
    const auto pattern = arrays::irregular_pattern(counts);
    std::uint64_t shape = 0;
    for (const std::size_t each : counts) shape = mix_bits(shape + each + 1);
    team_memory blocks(
        of, base::bytes_for(counts[of.rank()], sizeof(T)), alignof(T), "ragged_array",
        {.number = pattern.size(), .unit = "elements", .shape = shape, .type = &typeid(T)}, where);
    auto made = base::make_unique_object<elements_memory>(
        of, pattern, std::move(blocks), where, "the destructor of the ragged_array made");
    const std::span<T> mine = made->template local<T>();
    runtime::use_huge_pages(mine.data(), mine.size_bytes());
    elements::make_elements(*made, initial, where);
    return made;
  }

  arrays::ragged_rows rows_;
};

/// A ragged array whose lengths all members know, alike: each gets rows that follow each other,
/// with as equal numbers of elements as there can be. Collective.
template <class T>
[[nodiscard]] ragged_array<T> make_ragged(const team& members,
                                          std::span<const std::size_t> all_lengths,
                                          const T& initial = T{},
                                          const site& where = site::current()) {
  return {members, arrays::share_of_rows(members, all_lengths), initial, where};
}

}  // namespace acre
