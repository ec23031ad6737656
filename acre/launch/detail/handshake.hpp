// SPDX-License-Identifier: BSD-3-Clause
// Handshake data of each rank, exchanged before memory is mapped. All ranks derive the same results
// in O(ranks) time.
#pragma once

#include <acre/base/cpu_domains.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/message.hpp>
#include <acre/fabric/smp_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::launch {

using base::cpu_mask;
using base::usable_cpus;

struct handshake {
  std::uint64_t host = 0;     ///< equal on ranks that may share memory
  std::uint64_t network = 0;  ///< equal on ranks that share a loopback interface
  fabric::smp_memory::ticket ticket;
  std::uint64_t memory_bytes = 0;
  std::uint64_t reservable_bytes = 0;
  std::uint64_t heap_bytes = 0;
  std::uint64_t agreement = 0;
  std::uint64_t program = 0;
  std::uint32_t ranks_per_node = 0;
  std::uint64_t static_bytes = 0;
  secret_key share;
  cpu_mask cpus;
};

[[nodiscard]] std::vector<std::byte> pack(const handshake& mine);
/// @throws acre::error if rank `from` runs another version of Acre
[[nodiscard]] handshake unpack(std::span<const std::byte> packed, fabric::rank_t from);

/// Combines the shares of all ranks; secure if one random generator is good. Trusts the launcher.
[[nodiscard]] secret_key job_secret(std::span<const handshake> all);

/// CPUs per rank on the host of `self`, over the union of all masks (launchers may bind ranks); 0:
/// oversubscribed.
[[nodiscard]] std::size_t cpus_a_rank(std::span<const handshake> all, fabric::rank_t self);

/// This rank's static data if shared, otherwise empty.
/// @throws acre::error if ranks differ in this or, sharing it, in program
[[nodiscard]] std::span<std::byte> shared_static_data(std::span<const handshake> all);

/// Heap size that all ranks can afford: the minimum of the requested heaps, else of 3/4 of a rank's
/// part of host memory. If ranks are many, memory that can only be reserved counts up
/// to least_heap_bytes, because shared allocations use the first rank's heap.
inline constexpr std::size_t least_heap_bytes = std::size_t{64} << 20;
[[nodiscard]] std::size_t affordable_heap_bytes(std::span<const handshake> all);

}  // namespace acre::launch
