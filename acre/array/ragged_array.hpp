// SPDX-License-Identifier: BSD-3-Clause
// Distributed rows of different lengths, compressed; numbers of rows ascend by member. Construction
// and destruction are collective.
//
//     acre::ragged_array<int> graph(acre::world(), my_degrees);   // own rows
//     auto row = graph[7];                                        // a global_span
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

class ragged_rows {
 public:
  ragged_rows() = default;
  /// Collective. Cost: B and 2 allgathers.
  /// @throws acre::error on all members if a member has 2^44 or more elements, or memory is short
  ragged_rows(const team& members, std::span<const std::size_t> lengths, const site& where);

  struct place {
    rank_t member;
    std::size_t first;
    std::size_t length;
  };
  /// Locates a row. Cost: R; l if local. @throws acre::error for an invalid row
  [[nodiscard]] place find(std::size_t row, const site& where) const;
  /// As find(), with all reads at once.
  [[nodiscard]] std::vector<place> find_many(std::span<const std::size_t> rows,
                                             const site& where) const;
  [[nodiscard]] rank_t member_of(std::size_t row, const site& where) const;
  [[nodiscard]] std::size_t count() const noexcept { return firsts_.empty() ? 0 : firsts_.back(); }
  [[nodiscard]] std::size_t first_of(rank_t member) const noexcept { return firsts_[member]; }
  [[nodiscard]] std::span<const std::size_t> own() const { return begins_.local(); }
  [[nodiscard]] const std::vector<std::size_t>& elements() const noexcept { return elements_; }

 private:
  rank_t me_ = 0;
  std::vector<std::size_t> firsts_;
  std::vector<std::size_t> elements_;
  symmetric_array<std::size_t> begins_;
};

/// Lengths of this member's rows in a contiguous partition, balanced by elements.
[[nodiscard]] std::span<const std::size_t> share_of_rows(const team& members,
                                                         std::span<const std::size_t> lengths);
[[noreturn]] void throw_no_row(const char* call, std::size_t row, std::size_t rows,
                               const site& where);

struct the_lengths_of_own_rows {
  template <class X>
    requires(!std::convertible_to<X, std::span<const std::size_t>> && !std::same_as<X, site>)
  the_lengths_of_own_rows(const X&) = delete;  // ragged_array(team, std::vector<std::size_t>{...})
};

}  // namespace arrays

/// Moves: local, row pointers stay valid. Destruction: collective, 2 B.
template <class T>
class ragged_array : private arrays::array_elements<T, arrays::irregular_kind> {
  static_assert(arrays::is_array_element<T>,
                "ranks read and write the elements of a ragged_array<T> as bytes: T must be "
                "trivially copyable, and not a pointer. For strings use an acre::text_array");
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

  ragged_array() = default;

  /// Makes an own row per length, filled with `initial`. Collective. Cost: 2 B and 3 allgathers.
  /// @throws acre::error on all members for short memory
  ragged_array(const team& of, std::span<const std::size_t> own_lengths, const T& initial = T{},
               const site& where = site::current())
      : ragged_array(of, arrays::ragged_rows(of, own_lengths, where), initial, where) {}
  ragged_array(const team&, arrays::the_lengths_of_own_rows);

  /// Returns any row. Cost: R to locate it; l if local. @throws acre::error for an invalid row
  [[nodiscard]] global_span<T> row(std::size_t index, const site& where = site::current()) const {
    return span_of(rows_.find(index, where));
  }
  [[nodiscard]] global_span<T> operator[](std::size_t index) const { return row(index, {}); }
  /// Returns rows, located together. Cost: R each; l if local. @throws acre::error as row()
  [[nodiscard]] std::vector<global_span<T>> rows_at(std::span<const std::size_t> indices,
                                                    const site& where = site::current()) const {
    std::vector<global_span<T>> found;
    found.reserve(indices.size());
    for (const auto& place : rows_.find_many(indices, where)) found.push_back(span_of(place));
    return found;
  }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_.count(); }
  /// Owner of a row. Cost: l. @throws acre::error for an invalid row
  [[nodiscard]] member owner_of_row(std::size_t index, const site& where = site::current()) const {
    return members()[rows_.member_of(index, where)];
  }

  [[nodiscard]] std::size_t local_rows() const {
    return *this ? rows_.first_of(members().rank() + 1) - first_local_row() : 0;
  }
  [[nodiscard]] std::size_t first_local_row() const { return rows_.first_of(members().rank()); }
  /// Row by its number on this member, checked in builds with ACRE_CHECKS.
  [[nodiscard]] std::span<T> local_row(std::size_t number,
                                       const site& where = site::current()) const
      noexcept(!base::has_checks) {
    const std::span<const std::size_t> begins = rows_.own();
    if constexpr (base::has_checks) {
      if (number >= local_rows()) [[unlikely]] {
        arrays::throw_no_row("ragged_array::local_row", number, local_rows(), where);
      }
    }
    return {this->memory().template own<T>() + begins[number], begins[number + 1] - begins[number]};
  }
  using elements::local;
  /// Places of own rows in local(), and their end; empty without an array.
  [[nodiscard]] std::span<const std::size_t> local_offsets() const noexcept {
    return *this ? rows_.own().first(local_rows() + 1) : std::span<const std::size_t>();
  }

  using elements::begin;
  using elements::end;
  using elements::identity;
  using elements::size;
  [[nodiscard]] const team& members() const {
    return arrays::irregular_memory(this->memory_or_null(), "ragged_array").members();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return this->is_made(); }

 private:
  [[nodiscard]] global_span<T> span_of(const arrays::ragged_rows::place& at) const {
    if (at.length == 0) return {};
    return {this->memory().template pointer<T>(layout::place{at.member, at.first}), at.length};
  }

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

/// Distributes rows of `all_lengths`, a list equal on all members: contiguous, balanced by
/// elements. Collective.
template <class T>
[[nodiscard]] ragged_array<T> make_ragged(const team& members,
                                          std::span<const std::size_t> all_lengths,
                                          const T& initial = T{},
                                          const site& where = site::current()) {
  return {members, arrays::share_of_rows(members, all_lengths), initial, where};
}

}  // namespace acre
