// SPDX-License-Identifier: BSD-3-Clause
// Job data for every call, in 64 bytes.
#pragma once

#include <acre/base/cplusplus.hpp>
#include <acre/fabric/forward.hpp>

#include <cstddef>
#include <cstdint>

namespace acre {

using fabric::rank_t;

/// Global pointer bits: rank above, segment offset below.
inline constexpr unsigned offset_bits = 44;
inline constexpr std::uint64_t offset_mask = (std::uint64_t{1} << offset_bits) - 1;
inline constexpr rank_t max_ranks = rank_t{1} << 20;

}  // namespace acre

namespace acre::runtime {

struct node_box;

/// Addends for a symmetric address, by rank: the sum is a local address, or with a carry an offset
/// in another node's window (see rank_table.hpp).
class window_table {
 public:
  /// Words before the entry of rank 0: zeros first, then invalid addresses for mistaken ranks.
  static constexpr std::size_t header_words = fabric::spare_zeros / sizeof(std::uintptr_t);
  static constexpr std::size_t words_before_ranks = 512;

  /// @param entries  pointer to the entry of rank 0
  [[nodiscard]] static const window_table* of(const std::uintptr_t* entries) noexcept {
    return reinterpret_cast<const window_table*>(entries - words_before_ranks);
  }
  [[nodiscard, gnu::always_inline]] const std::uintptr_t* entries() const noexcept {
    return reinterpret_cast<const std::uintptr_t*>(this) + words_before_ranks;
  }
  [[nodiscard, gnu::always_inline]] std::uintptr_t operator[](std::int64_t rank) const noexcept {
    return entries()[rank];
  }
  /// Zeros for a put (direct_line), usually in a register.
  [[nodiscard]] const void* spare() const noexcept { return this; }
};

struct world_view {
  /// By rank: local segment address minus (rank << offset_bits), an addend for global pointer bits;
  /// 0 for other nodes. (The sum wraps, and is not 0 for mapped segments.)
  const std::uintptr_t* bases = nullptr;
  fabric::conduit* conduit = nullptr;  ///< null on a single node
  rank_t rank = 0;
  rank_t size = 0;  ///< 0 outside a job
  std::byte* segment = nullptr;
  std::size_t segment_bytes = 0;
  node_box* node = nullptr;
  /// This rank's first page of static data (static_data.hpp), and the addends; null without static
  /// data.
  std::byte* window = nullptr;
  const window_table* windows = nullptr;
};

/// Written at job start and end.
extern constinit world_view world;

/// Null on another node. One load and one branch.
[[nodiscard]] inline std::byte* direct_address(std::uint64_t pointer_bits) noexcept {
  const std::uintptr_t base = world.bases[pointer_bits >> offset_bits];
  if (base == 0) [[unlikely]] {
    return nullptr;
  }
  auto* address = reinterpret_cast<std::byte*>(base + pointer_bits);
  // Spares the caller a second branch.
  if (address == nullptr) __builtin_unreachable();
  return address;
}

/// Number of a rank's node. Ranks of one node map each other's segments.
[[nodiscard]] std::uint32_t node_of(rank_t rank) noexcept;
[[nodiscard]] std::uint32_t node_count() noexcept;
/// Number of ranks on this node.
[[nodiscard]] std::uint32_t node_size() noexcept;
/// True if this host is oversubscribed.
[[nodiscard]] bool crowded() noexcept;
/// CPUs per rank on this host; 0 if oversubscribed.
[[nodiscard]] std::size_t cpus_a_rank() noexcept;

}  // namespace acre::runtime

namespace acre {

/// This rank's number, 0 … size()-1.
[[nodiscard]] inline rank_t rank() noexcept { return runtime::world.rank; }

/// Number of ranks; 0 outside a job.
[[nodiscard]] inline rank_t size() noexcept { return runtime::world.size; }

}  // namespace acre
