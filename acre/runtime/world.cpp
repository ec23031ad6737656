// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/world.hpp>

#include <acre/runtime/job_nodes.hpp>

namespace acre::runtime {

constinit world_view world{};
constinit const job_nodes* the_nodes = nullptr;

std::uint32_t node_of(rank_t rank) noexcept { return the_nodes->node_of[rank]; }
std::uint32_t node_count() noexcept { return the_nodes->node_count; }
std::uint32_t node_size() noexcept {
  return the_nodes == nullptr ? 1 : static_cast<std::uint32_t>(the_nodes->neighbours.size());
}
bool crowded() noexcept { return the_nodes != nullptr && the_nodes->cpus_a_rank == 0; }
std::size_t cpus_a_rank() noexcept { return the_nodes == nullptr ? 1 : the_nodes->cpus_a_rank; }

}  // namespace acre::runtime
