// What a rank holds of its job while it lasts.
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/bootstrap.hpp>
#include <acre/runtime/detail/host_links.hpp>
#include <acre/runtime/detail/introduction.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/rank_table.hpp>
#include <acre/runtime/segment_heap.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace acre::runtime::detail {

struct running_job {
  std::unique_ptr<bootstrap> launcher;
  std::vector<introduction> introductions;  ///< until all are connected
  secret_key secret;                        ///< of this job's ranks alone
  std::vector<std::uint32_t> node_of;       ///< by rank
  std::uint32_t node_count = 1;
  std::vector<rank_t> neighbours;  ///< the ranks of my node, ascending
  std::size_t cpus_a_rank = 1;
  std::optional<fabric::smp_memory> memory;
  std::span<std::byte> static_data;  ///< of this rank, on the node's file; or none
  std::uint64_t static_offset = 0;   ///< there
  std::vector<std::uintptr_t> bases;
  std::span<std::byte> mapped;               ///< from the first segment of my node to the last
  std::optional<rank_table> windows;         ///< a window_table, where static data is shared
  std::unique_ptr<host_links> links;         ///< of a host's first rank, to other hosts
  std::vector<ip_address> addresses;         ///< by which this host reaches those of ranks
  bool listen_everywhere = false;            ///< other hosts reach this one by several addresses
  std::unique_ptr<fabric::conduit> conduit;  ///< null in a job of one node
  std::optional<segment_heap> symmetric;
  std::optional<segment_heap> private_part;
  std::unique_ptr<engine> motor;
};

/// The one that this process is in, or null.
extern constinit std::unique_ptr<running_job> current;
/// Whether an exception has passed by the end of one, or this process is a child that is no rank.
extern constinit bool abandoned;

}  // namespace acre::runtime::detail
