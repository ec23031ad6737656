// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/job_machine.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/detail/map_command.hpp>
#include <acre/mapping/automatic.hpp>
#include <acre/runtime/world.hpp>
#include <acre/topology/specification.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

namespace acre::global {
namespace {

/// World ranks, node by node.
std::vector<mapping::rank_t> ranks_by_node() {
  std::vector<mapping::rank_t> ranks(runtime::world.size);
  std::iota(ranks.begin(), ranks.end(), mapping::rank_t{0});
  std::ranges::sort(ranks, {}, [](mapping::rank_t r) { return std::pair(runtime::node_of(r), r); });
  return ranks;
}

std::vector<mapping::rank_t> in_slots(const std::vector<topology::slot_t>& slot_of_rank) {
  const std::vector<mapping::rank_t> ranks = ranks_by_node();
  std::vector<mapping::rank_t> found;
  found.reserve(slot_of_rank.size());
  for (const topology::slot_t slot : slot_of_rank) found.push_back(ranks.at(slot));
  return found;
}

std::vector<std::uint32_t> slots_of_nodes() {
  std::vector<std::uint32_t> slots(runtime::node_count());
  for (mapping::rank_t rank = 0; rank < runtime::world.size; ++rank) {
    ++slots[runtime::node_of(rank)];
  }
  return slots;
}

class one_node final : public job_machine {
 public:
  [[nodiscard]] order_of_ranks best(const mapping::communication& communication,
                                    std::chrono::milliseconds) const override {
    std::vector<mapping::rank_t> ranks(communication.traffic.ranks());
    std::iota(ranks.begin(), ranks.end(), mapping::rank_t{0});
    return {.ranks = std::move(ranks)};
  }
};

class specified_machine final : public job_machine {
 public:
  explicit specified_machine(const std::string& specification)
      : network_(topology::make_network(specification)), allocation_(*network_, shares()) {}

  [[nodiscard]] order_of_ranks best(const mapping::communication& communication,
                                    std::chrono::milliseconds time) const override {
    const auto found =
        mapping::automatic({communication, {*network_, allocation_}}, {.at_most = time});
    return {in_slots(found.places), found.measured.time, found.measured.hop_bytes};
  }

 private:
  /// ACRE_NODES, or 0, 1, 2, ….
  [[nodiscard]] std::vector<topology::node_t> nodes() const {
    std::vector<topology::node_t> nodes(runtime::node_count());
    std::iota(nodes.begin(), nodes.end(), 0U);
    if (const auto list = environment("ACRE_NODES")) nodes = topology::make_nodes(*list);
    if (nodes.size() < runtime::node_count()) {
      throw error("team::cartesian",
                  "ACRE_NODES lists " + std::to_string(nodes.size()) + " nodes, but this job has " +
                      std::to_string(runtime::node_count()),
                  "list the machine's number of each node in rank order: 0-3,17");
    }
    nodes.resize(runtime::node_count());
    if (std::ranges::max(nodes) >= network_->nodes()) {
      throw error("team::cartesian",
                  "node " + std::to_string(std::ranges::max(nodes)) +
                      " of this job is out of range in ACRE_TOPOLOGY=" + network_->name() +
                      ", which has " + std::to_string(network_->nodes()) + " nodes",
                  "set ACRE_NODES to the machine's number of each node in rank order");
    }
    return nodes;
  }
  [[nodiscard]] std::vector<topology::allocation::share> shares() const {
    std::vector<topology::allocation::share> shares;
    const std::vector<std::uint32_t> slots = slots_of_nodes();
    const std::vector<topology::node_t> nodes = this->nodes();
    shares.reserve(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      shares.push_back({.node = nodes[i], .slots = slots[i]});
    }
    return shares;
  }

  std::unique_ptr<const topology::network> network_;
  topology::allocation allocation_;
};

class machine_in_file final : public job_machine {
 public:
  machine_in_file(std::string file, std::vector<std::string> hosts)
      : file_(std::move(file)), hosts_(std::move(hosts)) {}

  [[nodiscard]] order_of_ranks best(const mapping::communication& communication,
                                    std::chrono::milliseconds time) const override {
    const mapped_by_command found = map_by_command({.topology = file_,
                                                    .nodes = environment("ACRE_NODES").value_or(""),
                                                    .hosts = hosts_,
                                                    .slots = slots_of_nodes(),
                                                    .time = time},
                                                   communication);
    return {in_slots(found.slot_of_rank), found.seconds, found.hop_bytes};
  }

 private:
  std::string file_;
  std::vector<std::string> hosts_;
};

}  // namespace

std::unique_ptr<const job_machine> job_machine::make(std::vector<std::string> hosts) {
  const std::string given = environment("ACRE_TOPOLOGY").value_or("");
  std::error_code unknown;
  const bool is_file = !given.empty() && std::filesystem::exists(given, unknown);
  if (!is_file && !given.empty() && given.find(':') == std::string::npos) {
    throw error("team::cartesian",
                "ACRE_TOPOLOGY=" + given + " is neither an existing file nor a specification",
                "name a file that acre map reads, or write torus:8x8x6, fat-tree:2;4,4;1,2;1,2 …");
  }
  if (runtime::node_count() == 1) {
    if (!is_file) {
      if (!given.empty()) static_cast<void>(topology::make_network(given));
      if (const auto list = environment("ACRE_NODES")) {
        static_cast<void>(topology::make_nodes(*list));
      }
    }
    return std::make_unique<one_node>();
  }
  if (is_file) return std::make_unique<machine_in_file>(given, std::move(hosts));
  // Default: equidistant nodes.
  return std::make_unique<specified_machine>(
      given.empty() ? "tree:" + std::to_string(runtime::node_count()) : given);
}

}  // namespace acre::global
