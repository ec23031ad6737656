// SPDX-License-Identifier: BSD-3-Clause
// Type-erased memory of a sparse matrix: one block per member, or separate ones if allocated before
// the number of entries was computed.
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
    std::size_t value_bytes;
    const std::type_info* value = nullptr;
  };

  /// Uninitialised. Collective. Cost: 2 allgathers.
  /// @throws acre::error on all members for short memory, differing shapes or too many columns
  csr_storage(const team& members, const shape& wanted, std::size_t entries, const site& where);
  csr_storage(const team& members, const shape& wanted, csr_entries mine, const site& where);
  ~csr_storage();

  [[nodiscard]] const row_cut& rows() const noexcept { return shape_.rows; }
  [[nodiscard]] std::size_t columns() const noexcept { return shape_.columns; }
  [[nodiscard]] std::size_t entries() const noexcept { return all_; }
  [[nodiscard]] std::size_t entries_of(rank_t member) const noexcept {
    return places_[member].entries;
  }

  [[nodiscard]] bool is_near() const noexcept { return is_near_; }
  [[nodiscard]] std::byte* direct(rank_t member) const noexcept { return memory().direct(member); }
  [[nodiscard]] std::uint64_t bits_of(rank_t member) const noexcept {
    return memory().bits_of(member);
  }
  /// Byte offsets from the begin of a member's block, possibly to a separate block.
  [[nodiscard]] std::ptrdiff_t columns_at(rank_t member) const noexcept {
    return places_[member].columns;
  }
  [[nodiscard]] std::ptrdiff_t values_at(rank_t member) const noexcept {
    return places_[member].values;
  }
  /// Made by the first spmv or spmm across nodes.
  [[nodiscard]] std::optional<column_plan>& plan() const noexcept { return plan_; }
  static constexpr std::size_t alignment = 64;

 private:
  struct place {
    std::size_t entries;
    std::ptrdiff_t columns;
    std::ptrdiff_t values;
  };

  void agree(const place& mine, const site& where);

  shape shape_;
  std::vector<place> places_;
  std::size_t all_ = 0;
  bool is_near_ = true;
  global::segment_block columns_;
  global::segment_block values_;
  mutable std::optional<column_plan> plan_;
};

[[nodiscard]] std::optional<std::size_t> find_column(std::span<const column_t> columns,
                                                     std::size_t column) noexcept;
[[noreturn]] void throw_no_entry(const char* call, std::size_t row, std::size_t column,
                                 const csr_storage& all, const site& where);
[[noreturn]] void throw_not_own(const char* call, std::size_t index, std::size_t first,
                                std::size_t count, const site& where);
void check_columns(const char* call, std::size_t columns, const site& where);
void check_part(std::size_t rows_wanted, std::size_t columns_wanted,
                std::span<const std::uint64_t> offsets, std::span<const column_t> columns,
                std::size_t values, bool has_values, const site& where);
void check_equal(const char* call, const char* what, std::size_t one, const char* other_what,
                 std::size_t other, const site& where);
void check_same_cut(const char* call, const char* what, const row_cut& one, const row_cut& other,
                    const site& where, const char* like = "the matrix");

}  // namespace acre::csr
