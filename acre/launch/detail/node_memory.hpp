// SPDX-License-Identifier: BSD-3-Clause
// The memory of a node as this rank maps it: the page that the node shares, and
// each rank's box, segment and, where they are shared, static data.
#pragma once

#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/static_data.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::launch {

/// Where a rank of the node lies in this process.
struct mapped_rank {
  std::byte* segment = nullptr;
  /// Its window, when static data is shared: the first page of its static data. The
  /// same distance lies between it and the segment everywhere.
  std::byte* window = nullptr;
};

/// Where things are in the file:
///
///     node box | box, segment of rank 0 | box, segment of rank 1 | … | static data of rank 0 | …
///
/// Boxes end where their segments begin, which is on huge pages.
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

/// Maps all of the file in one piece.
/// @return where the ranks of the node are; and the node's page through `node`
[[nodiscard]] std::vector<mapped_rank> map_whole(fabric::smp_memory& file,
                                                 const node_layout& layout, std::byte*& node);

/// Maps the file so that each rank has its window, and moves this process's static data,
/// `mine`, onto it. Nothing may write to static data meanwhile but the caller.
/// @param self this rank's place in the node
/// @throws acre::error when what this rank's segment needs behind its static data is in use
[[nodiscard]] std::vector<mapped_rank> map_windows(fabric::smp_memory& file,
                                                   const node_layout& layout, std::size_t self,
                                                   std::span<std::byte> mine, std::byte*& node);

}  // namespace acre::launch
