// SPDX-License-Identifier: BSD-3-Clause
// The state of a rank's job, while it lasts.
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/launch/detail/host_links.hpp>
#include <acre/launch/detail/introduction.hpp>
#include <acre/runtime/bootstrap.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/job_heaps.hpp>
#include <acre/runtime/job_nodes.hpp>
#include <acre/runtime/rank_table.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace acre::launch {

struct running_job : runtime::job_nodes, runtime::job_heaps {
  std::unique_ptr<runtime::bootstrap> launcher;
  std::vector<introduction> introductions;  ///< until all are connected
  secret_key secret;                        ///< of this job's ranks alone
  std::optional<fabric::smp_memory> memory;
  std::span<std::byte> static_data;  ///< of this rank, on the node's file; or none
  std::uint64_t static_offset = 0;   ///< there
  std::vector<std::uintptr_t> bases;
  std::optional<runtime::rank_table> windows;  ///< a window_table, where static data is shared
  std::unique_ptr<host_links> links;           ///< of a host's first rank, to other hosts
  std::vector<ip_address> addresses;           ///< by which this host reaches those of ranks
  bool listen_everywhere = false;              ///< other hosts reach this one by several addresses
  std::unique_ptr<fabric::conduit> conduit;    ///< null in a job of one node
  std::unique_ptr<runtime::engine> motor;
};

/// The one that this process is in, or null.
extern constinit std::unique_ptr<running_job> current;
/// Makes it the current one, also for the modules below.
void enter(std::unique_ptr<running_job> job) noexcept;
/// There is no current one any more.
[[nodiscard]] std::unique_ptr<running_job> leave() noexcept;

}  // namespace acre::launch
