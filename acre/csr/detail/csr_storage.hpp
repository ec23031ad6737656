// SPDX-License-Identifier: BSD-3-Clause
// Where a sparse matrix lies: on each member one block of its segment, which has where its rows
// begin, their columns, and their values; or three, where columns and values were there before it
// was known how many they are. What is here knows the size of a value, not its type.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/detail/column_plan.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/memory/segment_block.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre::csr {

/// Columns and values of a member's rows.
struct csr_entries {
  global::segment_block columns;
  global::segment_block values;
  std::size_t count = 0;
};

class csr_storage : public team_object<team_memory> {
 public:
  struct shape {
    row_cut rows;
    std::size_t columns;
    std::size_t value_bytes;  ///< 0: there are no values
    const std::type_info* value = nullptr;
  };

  /// Not initialised. Collective. Cost: 2 allgathers.
  /// @param entries  of this member's rows
  /// @throws acre::error on all members when one has no room, their shapes differ, or there are
  ///         more columns than 32 bits tell
  csr_storage(const team& members, const shape& wanted, std::size_t entries, const site& where);
  /// The same of entries that are there.
  csr_storage(const team& members, const shape& wanted, csr_entries mine, const site& where);
  /// Collective. Cost: B.
  ~csr_storage();

  [[nodiscard]] const row_cut& rows() const noexcept { return shape_.rows; }
  [[nodiscard]] std::size_t columns() const noexcept { return shape_.columns; }
  [[nodiscard]] std::size_t entries() const noexcept { return all_; }
  [[nodiscard]] std::size_t entries_of(rank_t member) const noexcept {
    return places_[member].entries;
  }

  /// Whether all members' blocks are mapped here.
  [[nodiscard]] bool is_near() const noexcept { return is_near_; }
  /// The block of a member where it is mapped here, else null. l.
  [[nodiscard]] std::byte* direct(rank_t member) const noexcept { return memory().direct(member); }
  [[nodiscard]] std::uint64_t bits_of(rank_t member) const noexcept {
    return memory().bits_of(member);
  }
  /// How far behind the begin of a member's block its columns are, and its values: row offsets are
  /// the first of it.
  [[nodiscard]] std::ptrdiff_t columns_at(rank_t member) const noexcept {
    return places_[member].columns;
  }
  [[nodiscard]] std::ptrdiff_t values_at(rank_t member) const noexcept {
    return places_[member].values;
  }
  /// Which elements of vectors a product needs of others: made by the first one over a network.
  [[nodiscard]] std::optional<column_plan>& plan() const noexcept { return plan_; }
  static constexpr std::size_t alignment = 64;

 private:
  struct place {
    std::size_t entries;
    std::ptrdiff_t columns;
    std::ptrdiff_t values;
  };

  /// All members learn where the entries of each are.
  void agree(const place& mine, const site& where);

  shape shape_;
  std::vector<place> places_;  ///< of each member
  std::size_t all_ = 0;
  bool is_near_ = true;
  global::segment_block columns_;  ///< where they are not in the block
  global::segment_block values_;
  mutable std::optional<column_plan> plan_;
};

/// The place of a column in a row's, if it has an entry there.
[[nodiscard]] std::optional<std::size_t> find_column(std::span<const column_t> columns,
                                                     std::size_t column) noexcept;
/// @throws acre::error: there is no such entry's place
[[noreturn]] void throw_no_entry(const char* call, std::size_t row, std::size_t column,
                                 const csr_storage& all, const site& where);
/// @throws acre::error: x has an element here that is not of this member's rows
[[noreturn]] void throw_not_own(const char* call, std::size_t index, std::size_t first,
                                std::size_t count, const site& where);
/// @throws acre::error when columns have more than 32 bits
void check_columns(const char* call, std::size_t columns, const site& where);
/// Checks what a program calls rows. @throws acre::error
void check_part(std::size_t rows_wanted, std::size_t columns_wanted,
                std::span<const std::uint64_t> offsets, std::span<const column_t> columns,
                std::size_t values, bool has_values, const site& where);
/// @throws acre::error where two matrices or a matrix and a vector do not fit: "the columns of a"
void check_equal(const char* call, const char* what, std::size_t one, const char* other_what,
                 std::size_t other, const site& where);
/// @param like  has the other cut
void check_same_cut(const char* call, const char* what, const row_cut& one, const row_cut& other,
                    const site& where, const char* like = "the matrix");

}  // namespace acre::csr
