// SPDX-License-Identifier: BSD-3-Clause
#include <bench/stencil/put_simulation.hpp>

#include <acre/topology/network.hpp>

#include <bench/stencil/fair_shares.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace acre::bench {
namespace {

using topology::link_t;
using topology::node_t;

struct pair_of_nodes {
  double latency;
  std::size_t flows;  ///< number in fair_shares
};

/// Network, then the memory of each node.
class machine_model {
 public:
  machine_model(const put_job& job, const put_model& model) : network_(job.network), model_(model) {
    for (link_t i = 0; i < network_.links(); ++i) shares_.add_link(network_.bandwidth(i));
    for (node_t i = 0; i < network_.nodes(); ++i) shares_.add_link(model.memory_bandwidth);
  }

  const pair_of_nodes& between(node_t from, node_t to) {
    const auto [it, is_new] = pairs_.try_emplace({from, to});
    if (!is_new) return it->second;
    std::vector<link_t> route;
    double latency = model_.inside_latency;
    double most = model_.core_bandwidth;
    if (from == to) {
      route.push_back(static_cast<link_t>(network_.links() + from));
    } else {
      network_.route(from, to, route);
      latency = model_.software_latency + model_.link_latency * static_cast<double>(route.size());
      most = std::numeric_limits<double>::infinity();
    }
    it->second = {.latency = latency, .flows = shares_.add_bundle(std::move(route), most)};
    return it->second;
  }
  fair_shares& shares() noexcept { return shares_; }

 private:
  const topology::network& network_;
  put_model model_;
  fair_shares shares_;
  std::map<std::pair<node_t, node_t>, pair_of_nodes> pairs_;
};

struct rank_state {
  std::vector<const pair_of_nodes*> puts;
  std::size_t begun = 0;
  double end = 0;
};

class simulation {
 public:
  simulation(const put_job& job, const put_model& model, std::uint32_t iterations, double bytes,
             double step)
      : machine_(job, model), iterations_(iterations), bytes_(bytes), step_(step) {
    ranks_.resize(job.node_of_rank.size());
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (const std::uint32_t to : neighbours_of(job, rank)) {
        ranks_[rank].puts.push_back(
            &machine_.between(job.node_of_rank[rank], job.node_of_rank[to]));
      }
    }
    queues_.resize(machine_.shares().bundles());
    served_.resize(queues_.size());
  }

  put_times run() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) begin_next(rank);
    while (!starts_.empty() || under_way_ != 0) {
      machine_.shares().compute();
      advance();
      end_flows();
      while (!starts_.empty() && starts_.top().first <= now_ + step_) {
        start_flow(starts_.top().second);
        starts_.pop();
      }
    }
    return times();
  }

 private:
  // (time or bytes served, rank)
  using event = std::pair<double, std::uint32_t>;
  using events = std::priority_queue<event, std::vector<event>, std::greater<>>;

  [[nodiscard]] const pair_of_nodes& put_of(const rank_state& rank) const {
    return *rank.puts[(rank.begun - 1) % rank.puts.size()];
  }

  void begin_next(std::uint32_t number) {
    rank_state& rank = ranks_[number];
    rank.end = now_;
    if (rank.begun == rank.puts.size() * iterations_) return;
    ++rank.begun;
    starts_.emplace(now_ + put_of(rank).latency, number);
  }

  void start_flow(std::uint32_t number) {
    const std::size_t flows = put_of(ranks_[number]).flows;
    queues_[flows].emplace(served_[flows] + bytes_, number);
    machine_.shares().add_flow(flows);
    ++under_way_;
  }

  void advance() {
    double next = starts_.empty() ? std::numeric_limits<double>::infinity() : starts_.top().first;
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      if (queues_[i].empty()) continue;
      const double left = queues_[i].top().first - served_[i];
      next = std::min(next, now_ + left / machine_.shares().rate(i));
    }
    const double passed = std::max(0.0, next - now_);
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      if (!queues_[i].empty()) served_[i] += passed * machine_.shares().rate(i);
    }
    now_ += passed;
  }

  void end_flows() {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      const double reached = served_[i] + step_ * machine_.shares().rate(i);
      while (!queues_[i].empty() && queues_[i].top().first <= reached) {
        const std::uint32_t number = queues_[i].top().second;
        queues_[i].pop();
        machine_.shares().remove_flow(i);
        --under_way_;
        begin_next(number);
      }
    }
  }

  [[nodiscard]] put_times times() const {
    put_times result{.mean = 0, .slowest = 0};
    double puts = 0;
    for (const rank_state& rank : ranks_) {
      if (rank.begun == 0) continue;
      const auto number = static_cast<double>(rank.begun);
      result.mean += rank.end;
      puts += number;
      result.slowest = std::max(result.slowest, rank.end / number);
    }
    result.mean /= puts;
    return result;
  }

  machine_model machine_;
  std::uint32_t iterations_;
  double bytes_;
  double step_;
  double now_ = 0;
  std::size_t under_way_ = 0;
  std::vector<rank_state> ranks_;
  std::vector<events> queues_;  ///< per pair of nodes: bytes served at a flow's end
  std::vector<double> served_;  ///< bytes per flow of the pair since 0
  events starts_;
};

}  // namespace

std::vector<std::uint32_t> neighbours_of(const put_job& job, std::uint32_t rank) {
  std::vector<std::uint32_t> found;
  std::uint32_t stride = 1;
  for (std::size_t d = job.grid.size(); d-- > 0; stride *= job.grid[d]) {
    const std::uint32_t at = rank / stride % job.grid[d];
    if (at > 0) found.push_back(rank - stride);
    if (at + 1 < job.grid[d]) found.push_back(rank + stride);
  }
  return found;
}

put_times simulate_puts(const put_job& job, const put_model& model, std::uint32_t iterations,
                        double bytes, double step) {
  return simulation(job, model, iterations, bytes, step).run();
}

std::string platform_of_puts(const put_job& job, const put_model& model) {
  std::set<std::pair<node_t, node_t>> pairs;
  for (std::uint32_t rank = 0; rank < job.node_of_rank.size(); ++rank) {
    for (const std::uint32_t to : neighbours_of(job, rank)) {
      pairs.emplace(job.node_of_rank[rank], job.node_of_rank[to]);
    }
  }
  std::set<link_t> links;
  std::set<node_t> memories;
  std::string routes;
  std::vector<link_t> crossed;
  for (const auto& [from, to] : pairs) {
    routes += fmt::format("route {} {}", from, to);
    if (from == to) {
      memories.insert(from);
      routes += fmt::format(" memory{} core\n", from);
      continue;
    }
    crossed.clear();
    job.network.route(from, to, crossed);
    for (const link_t each : crossed) routes += fmt::format(" l{}", each);
    routes += " software\n";
    links.insert(crossed.begin(), crossed.end());
  }
  std::string text = fmt::format("pipe software 1e15 {}\npipe core {} {}\n", model.software_latency,
                                 model.core_bandwidth, model.inside_latency);
  for (const node_t each : memories) {
    text += fmt::format("link memory{} {} 0\n", each, model.memory_bandwidth);
  }
  for (const link_t each : links) {
    text += fmt::format("link l{} {} {}\n", each, job.network.bandwidth(each), model.link_latency);
  }
  return text + routes;
}

}  // namespace acre::bench
