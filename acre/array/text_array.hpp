// SPDX-License-Identifier: BSD-3-Clause
// Distributed strings of any length; indices ascend by member. Changes are collective and replace
// all strings, reads are one-sided.
//
//     acre::text_array names(acre::world(), own_names);
//     const std::string last = names[names.size() - 1];
//     for (const std::string_view name : names.local()) …
//     acre::sort(names);                                          // algorithm/sort_text.hpp
//
// A ragged_array of bytes: strings may contain any bytes, and are ordered by them.
#pragma once

#include <acre/array/detail/own_texts.hpp>
#include <acre/array/ragged_array.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace arrays {

/// Ranges of std::string, std::string_view or const char*, whose elements are not temporary.
template <class R>
concept texts = std::ranges::input_range<const R> &&
                std::convertible_to<std::ranges::range_reference_t<const R>, std::string_view> &&
                (std::is_lvalue_reference_v<std::ranges::range_reference_t<const R>> ||
                 std::is_trivially_copyable_v<std::ranges::range_reference_t<const R>>);

}  // namespace arrays

/// Moves: local. Destruction: collective, 2 B, in the same order on all members. Any thread reads.
class text_array {
 public:
  using value_type = std::string;
  /// Random-access range of std::string_view, valid until the next change of the array.
  using local_range = arrays::own_texts;

  /// Null handle.
  text_array() = default;
  /// Collective, as below, without strings.
  explicit text_array(const team& members, const site& where = site::current());
  /// Stores copies. Collective. Cost: 3 B, 3 allgathers, 1 allreduce, l for each byte.
  /// @throws acre::error on all members for short memory
  template <arrays::texts R>
  text_array(const team& members, const R& own, const site& where = site::current())
      : text_array(members, views_of(members, own, where), where) {}
  text_array(const team& members, std::initializer_list<std::string_view> own,
             const site& where = site::current());

  // --- any string: one-sided ---

  /// Cost: 2 R, of which the second reads the bytes; l if local.
  /// @throws acre::error for an invalid index
  [[nodiscard]] std::string at(std::size_t index, const site& where = site::current()) const;
  [[nodiscard]] std::string operator[](std::size_t index) const { return at(index, {}); }
  /// Strings of indices in any order. Cost: as at() for each, in two rounds of concurrent reads.
  /// @throws acre::error for an invalid index
  [[nodiscard]] std::vector<std::string> gather(std::span<const std::size_t> indices,
                                                const site& where = site::current()) const;
  /// Cost: l. @throws acre::error for an invalid index
  [[nodiscard]] member owner(std::size_t index, const site& where = site::current()) const;

  /// Number of all strings. Cost: l.
  [[nodiscard]] std::size_t size() const noexcept { return rows_.rows(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Number of bytes of all strings. Cost: l.
  [[nodiscard]] std::size_t byte_count() const noexcept { return rows_.size(); }

  // --- in sorted strings: one-sided, as of std::vector<std::string> ---
  //
  // Cost: at() for each of about log2(size()) strings.

  [[nodiscard]] std::size_t lower_bound(std::string_view text,
                                        const site& where = site::current()) const;
  [[nodiscard]] std::size_t upper_bound(std::string_view text,
                                        const site& where = site::current()) const;
  /// First and last index.
  [[nodiscard]] std::pair<std::size_t, std::size_t> equal_range(
      std::string_view text, const site& where = site::current()) const;

  // --- own strings: l ---

  [[nodiscard]] local_range local() const noexcept {
    return {rows_.local_offsets(), rows_.local().data()};
  }
  /// For loops and reductions (algorithm/elements.hpp).
  [[nodiscard]] local_range own_elements() const noexcept { return local(); }
  [[nodiscard]] std::size_t local_size() const noexcept { return local().size(); }
  /// Index of local()[0].
  [[nodiscard]] std::size_t first_local() const { return rows_.first_local_row(); }

  const char* begin() const = delete;  // loop over t.local(), or call acre::for_each(t, f)
  const char* end() const;

  // --- collective ---

  /// Equalises the members' numbers of strings up to 1. Cost: 1 allgather; if
  /// strings move, also 1 allreduce and 1 alltoallv of them, and the construction. Memory: 2 copies
  /// of own strings.
  /// @throws acre::error on all members, without a change, for short memory
  void rebalance(const site& where = site::current());
  /// Removes all strings. Cost: as construction and destruction.
  void clear(const site& where = site::current());
  /// Local.
  void swap(text_array& other) noexcept { std::swap(rows_, other.rows_); }
  friend void swap(text_array& a, text_array& b) noexcept { a.swap(b); }

  [[nodiscard]] const team& members() const;
  /// Equal on all members, for checks of collective calls.
  [[nodiscard]] std::uint64_t identity() const { return rows_.identity(); }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(rows_); }

 private:
  struct views {
    std::vector<std::string_view> texts;
    std::vector<std::size_t> lengths;
  };
  text_array(const team& members, const views& own, const site& where);

  template <class R>
  [[nodiscard]] static views views_of(const team& members, const R& own, const site& where) {
    views mine;
    global::succeed_together(members, "text_array", where, [&] {
      for (auto&& each : own) mine.texts.emplace_back(each);
      for (const std::string_view text : mine.texts) mine.lengths.push_back(text.size());
    });
    return mine;
  }
  void check(std::size_t index, const char* call, const site& where) const;
  template <class Precedes>
  [[nodiscard]] std::size_t partition_point(const Precedes& precedes, const site& where) const;

  ragged_array<char> rows_;
};

}  // namespace acre
