// SPDX-License-Identifier: BSD-3-Clause
// Maps the memory of a node into each of its ranks.
#pragma once

#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/static_data.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::launch {

struct mapped_rank {
  std::byte* segment = nullptr;
  /// First page of shared static data; equally far from the segment on all ranks.
  std::byte* window = nullptr;
};

/// File layout; segments begin on huge pages:
///
///     node box | box, segment of rank 0 | box, segment of rank 1 | … | static data of rank 0 | …
class node_layout {
 public:
  node_layout(std::size_t ranks, std::size_t segment_bytes, std::size_t static_bytes) noexcept;

  [[nodiscard]] std::size_t file_bytes() const noexcept;
  [[nodiscard]] std::uint64_t segment(std::size_t rank) const noexcept;
  [[nodiscard]] std::uint64_t static_data(std::size_t rank) const noexcept;
  [[nodiscard]] std::size_t ranks() const noexcept { return ranks_; }
  [[nodiscard]] std::size_t segment_bytes() const noexcept { return segment_bytes_; }
  [[nodiscard]] std::size_t static_bytes() const noexcept { return static_bytes_; }

 private:
  std::size_t ranks_;
  std::size_t segment_bytes_;
  std::size_t static_bytes_;
};

/// Maps the whole file. Returns the ranks' locations, and the node's page in `node`.
[[nodiscard]] std::vector<mapped_rank> map_whole(fabric::smp_memory& file,
                                                 const node_layout& layout, std::byte*& node);

/// Maps a window per rank and moves this process's static data `mine` there; no other thread may
/// write to it meanwhile.
/// @param self index in the node
/// @throws acre::error if the addresses after `mine` are in use
[[nodiscard]] std::vector<mapped_rank> map_windows(fabric::smp_memory& file,
                                                   const node_layout& layout, std::size_t self,
                                                   std::span<std::byte> mine, std::byte*& node);

}  // namespace acre::launch
