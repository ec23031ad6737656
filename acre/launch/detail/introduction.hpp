// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a job tell one another before anything is mapped: which
// host each is on and what it brings. All of them draw the same conclusions from
// it, each in time that grows with the number of ranks and no faster.
#pragma once

#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/message.hpp>
#include <acre/fabric/smp_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::launch {

/// The CPUs that a process may use, a bit each, in as many words as it takes.
using cpu_mask = std::vector<std::uint64_t>;

[[nodiscard]] cpu_mask usable_cpus();

struct introduction {
  std::uint64_t host = 0;     ///< whose ranks may share memory
  std::uint64_t network = 0;  ///< whose ranks can meet on the loopback interface
  fabric::smp_memory::ticket ticket;
  std::uint64_t memory_bytes = 0;      ///< of the host
  std::uint64_t reservable_bytes = 0;  ///< by this process, of addresses and files
  std::uint64_t heap_bytes = 0;        ///< asked for by the user; 0: choose
  std::uint64_t agreement = 0;         ///< the digest of what must be alike (agreement.hpp)
  std::uint64_t program = 0;           ///< the build of the program and its libraries
  std::uint32_t ranks_per_node = 0;    ///< asked for by the user; 0: all of a host
  std::uint64_t static_bytes = 0;      ///< of static data that others may touch; 0: none
  secret_key share;                    ///< of the job's secret
  cpu_mask cpus;
};

/// An introduction as it travels: 120 bytes and the CPUs; and back.
[[nodiscard]] std::vector<std::byte> pack(const introduction& mine);
/// @throws acre::error when rank `from` runs another version of Acre
[[nodiscard]] introduction unpack(std::span<const std::byte> packed, fabric::rank_t from);

/// What the ranks of this job know and nobody else: of all that they have drawn, so that one good
/// generator of random numbers among them is enough. It came by way of the launcher, which is
/// trusted.
[[nodiscard]] secret_key job_secret(std::span<const introduction> all);

/// How many CPUs there are for each rank on the host of rank `self`; 0: fewer than ranks. Those
/// that they may use together: launchers may bind each of them to CPUs of its own.
[[nodiscard]] std::size_t cpus_a_rank(std::span<const introduction> all, fabric::rank_t self);

/// This rank's static data, if the ranks share it; else nothing.
/// @throws acre::error when only some share theirs, or they run several programs
[[nodiscard]] std::span<std::byte> shared_static_data(std::span<const introduction> all);

/// The heap that every rank can have: the least that any rank asked for, or three quarters of a
/// rank's share of its host's memory. Ranks that are many on a host reserve more than their share,
/// up to least_heap_bytes: what all of them share lies in the heap of the first.
inline constexpr std::size_t least_heap_bytes = std::size_t{64} << 20;
[[nodiscard]] std::size_t affordable_heap_bytes(std::span<const introduction> all);

}  // namespace acre::launch
