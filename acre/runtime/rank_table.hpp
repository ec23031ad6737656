// SPDX-License-Identifier: BSD-3-Clause
// Table by rank in which an invalid rank is a memory fault. This saves a bounds check: two of a
// put's nine instructions. Memory in reach of a signed 32-bit index is reserved and unmapped; the
// fault address yields the index. Entries in the first pages below the table, except a
// window_table's zeros, give invalid addresses (`no_address`).
#pragma once

#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre::runtime {

class rank_table {
 public:
  /// Empty: any index faults. As assign(), throws acre::error if addresses run out.
  rank_table() : rank_table(0, 0) {}
  rank_table(std::size_t ranks, std::uintptr_t value) { assign(ranks, value); }
  ~rank_table() { release(); }
  rank_table(const rank_table&) = delete;
  rank_table& operator=(const rank_table&) = delete;

  void assign(std::size_t ranks, std::uintptr_t value);

  [[nodiscard]] const std::uintptr_t* data() const noexcept { return entries_; }
  [[nodiscard]] std::uintptr_t& operator[](rank_t rank) noexcept { return entries_[rank]; }

  /// An entry whose sum with any address is invalid.
  static constexpr std::uintptr_t no_address = std::uintptr_t{1} << 54;

 private:
  void release() noexcept;

  std::byte* reserved_ = nullptr;
  std::size_t reserved_bytes_ = 0;
  std::uintptr_t* entries_ = nullptr;
};

/// Index whose entry is at `address`; no value if not an int.
[[nodiscard]] std::optional<std::int32_t> index_at(const std::uintptr_t* table,
                                                   const void* address) noexcept;

/// Empty table, for use outside a job.
[[nodiscard]] const std::uintptr_t* table_of_no_ranks();

}  // namespace acre::runtime
