// SPDX-License-Identifier: BSD-3-Clause
// State of this rank's job.
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/launch/detail/handshake.hpp>
#include <acre/launch/detail/host_links.hpp>
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
  std::vector<handshake> handshakes;
  secret_key secret;
  std::optional<fabric::smp_memory> memory;
  std::span<std::byte> static_data;
  std::uint64_t static_offset = 0;
  std::vector<std::uintptr_t> bases;
  std::optional<runtime::rank_table> windows;
  std::unique_ptr<host_links> links;
  std::vector<ip_address> addresses;
  bool listen_everywhere = false;
  std::unique_ptr<fabric::conduit> conduit;
  std::unique_ptr<runtime::engine> motor;
};

/// Null outside a job.
extern constinit std::unique_ptr<running_job> current;
void enter(std::unique_ptr<running_job> job) noexcept;
[[nodiscard]] std::unique_ptr<running_job> leave() noexcept;

}  // namespace acre::launch
