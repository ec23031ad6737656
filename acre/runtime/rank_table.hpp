// SPDX-License-Identifier: BSD-3-Clause
// The memory of a table by rank (window_table) in which a number that is no rank's is a memory
// fault, and never an entry.
//
// Whoever reads it need not compare the number with the size of the job, which would be two
// instructions of a put's nine. The table ends with a page; all that a signed 32-bit index could
// reach before and behind it is reserved, and never mapped, so that the address of the fault
// tells the index. Only the pages in which the table begins have entries below it, and what is
// computed from those is no address (`no_address`); but for the zeros with which a window_table
// begins.
#pragma once

#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre::runtime {

class rank_table {
 public:
  /// Without entries: any index is a fault. It and assign() throw acre::error when there are no
  /// addresses left.
  rank_table() : rank_table(0, 0) {}
  rank_table(std::size_t ranks, std::uintptr_t value) { assign(ranks, value); }
  ~rank_table() { release(); }
  rank_table(const rank_table&) = delete;
  rank_table& operator=(const rank_table&) = delete;

  /// As many entries as ranks, of this value.
  void assign(std::size_t ranks, std::uintptr_t value);

  [[nodiscard]] const std::uintptr_t* data() const noexcept { return entries_; }
  [[nodiscard]] std::uintptr_t& operator[](rank_t rank) noexcept { return entries_[rank]; }

  /// Added to the address of anything in a process it gives an address that no process has.
  static constexpr std::uintptr_t no_address = std::uintptr_t{1} << 54;

 private:
  void release() noexcept;

  std::byte* reserved_ = nullptr;
  std::size_t reserved_bytes_ = 0;
  std::uintptr_t* entries_ = nullptr;
};

/// The index that gives this address in a table, if an int can be it.
[[nodiscard]] std::optional<std::int32_t> index_at(const std::uintptr_t* table,
                                                   const void* address) noexcept;

/// A table without entries, for when there is no job.
[[nodiscard]] const std::uintptr_t* table_of_no_ranks();

}  // namespace acre::runtime
