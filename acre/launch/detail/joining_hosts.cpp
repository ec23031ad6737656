// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/joining_hosts.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/network_interfaces.hpp>
#include <acre/fabric/open_conduit.hpp>
#include <acre/launch/detail/own_addresses.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <sched.h>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace acre::launch {
namespace {

constexpr std::chrono::seconds timeout_for_hosts{10};

struct host_numbers {
  std::vector<rank_t> leaders;
  std::vector<std::size_t> of_ranks;
};

host_numbers number_hosts(const running_job& job) {
  host_numbers found;
  std::unordered_map<std::uint64_t, std::size_t> numbers;
  for (rank_t r = 0; r < job.handshakes.size(); ++r) {
    const auto [number, is_new] =
        numbers.try_emplace(job.handshakes[r].network, found.leaders.size());
    if (is_new) found.leaders.push_back(r);
    found.of_ranks.push_back(number->second);
  }
  return found;
}

/// Networks by which hosts may reach each other; empty: all.
std::string selected_networks(const std::vector<interface_address>& here) {
  for (const char* const name : {"ACRE_INTERFACE", "ACRE_OFI_INTERFACE"}) {
    if (const auto selected = environment(name)) return *selected;
  }
  const auto domains = environment("ACRE_OFI_DOMAINS");
  if (!domains) return {};
  std::string main(domains->begin(), std::ranges::find(*domains, ','));
  // Domains of other hardware have no addresses.
  const bool is_interface = std::ranges::any_of(
      here, [&](const interface_address& each) { return each.interface == main; });
  return is_interface ? main : std::string();
}

host_handshake send_host_handshake(const host_links& links) {
  host_handshake mine{.name = host_name(), .port = links.port(), .addresses = {}};
  const auto here = addresses_of_interfaces();
  for (const interface_address& each : addresses_to_try(here, selected_networks(here))) {
    mine.addresses.push_back(each.address);
  }
  if (mine.addresses.empty()) {
    const std::string down = names_of_interfaces_down();
    throw error("job",
                "host " + mine.name +
                    " has only loopback addresses, but this job has ranks on other hosts" +
                    (down.empty() ? "" : "; interfaces that are down: " + down),
                "bring up the interface that connects the hosts: ip link set NAME up");
  }
  return mine;
}

/// `answers[a][b]`: the addresses of host b at which b answered host a.
struct reachability {
  const host_numbers& hosts;
  std::span<const host_handshake> names;
  std::span<const std::vector<std::byte>> answers;

  [[nodiscard]] unsigned answered(std::size_t from, std::size_t to) const {
    return std::to_integer<unsigned>(answers[hosts.leaders[from]][to]);
  }
  [[nodiscard]] const ip_address& best_of(std::size_t host, unsigned some) const {
    return names[host].addresses.at(static_cast<std::size_t>(std::countr_zero(some)));
  }
};

/// Best address of `version` per host that all linked hosts reach; empty if a host has none.
std::vector<ip_address> common_addresses(const reachability& known, std::uint8_t version) {
  std::vector<ip_address> common;
  for (std::size_t to = 0; to < known.names.size(); ++to) {
    unsigned all = 0;
    const auto& addresses = known.names[to].addresses;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (addresses[i].version == version) all |= 1U << i;
    }
    for (std::size_t from = 0; from < known.names.size(); ++from) {
      if (makes_link(from, to, known.names.size())) all &= known.answered(from, to);
    }
    if (all == 0) return {};
    common.push_back(known.best_of(to, all));
  }
  return common;
}

/// If no IP version joins all hosts, an endpoint listens on all.
void choose_addresses(running_job& job, const reachability& known, std::size_t self) {
  std::vector<ip_address> chosen = common_addresses(known, 4);
  if (chosen.empty()) chosen = common_addresses(known, 6);
  if (chosen.empty()) {
    job.listen_everywhere = true;
    for (std::size_t to = 0; to < known.names.size(); ++to) {
      const bool is_known = makes_link(self, to, known.names.size());
      chosen.push_back(known.best_of(to, is_known ? known.answered(self, to) : 1U));
    }
  }
  for (const std::size_t host : known.hosts.of_ranks) job.addresses.push_back(chosen[host]);
}

}  // namespace

bool in_one_network(const running_job& job) {
  return std::ranges::all_of(job.handshakes, [&](const handshake& each) {
    return each.network == job.handshakes[0].network;
  });
}

void meet_hosts(running_job& job) {
  if (job.node_count == 1 || in_one_network(job)) return;
  if (!fabric::uses_addresses(environment("ACRE_CONDUIT").value_or(""))) return;
  const host_numbers hosts = number_hosts(job);
  const std::size_t self = hosts.of_ranks[runtime::world.rank];
  std::vector<std::byte> mine;
  if (hosts.leaders[self] == runtime::world.rank) {
    job.links = std::make_unique<host_links>();
    mine = pack(send_host_handshake(*job.links));
  }
  const auto handshakes = job.launcher->exchange(mine);
  std::vector<host_handshake> names;
  names.reserve(hosts.leaders.size());
  for (const rank_t leader : hosts.leaders) names.push_back(unpack_host(handshakes[leader]));
  std::vector<answered_addresses> reached;
  if (job.links != nullptr) {
    reached = job.links->reach(job.secret, self, names, timeout_for_hosts);
  }
  const auto answers = job.launcher->exchange(std::as_bytes(std::span(reached)));
  choose_addresses(job, {.hosts = hosts, .names = names, .answers = answers}, self);
}

namespace {

template <class Choice>
void greet(running_job& job, Choice chosen) {
  struct : fabric::receiver {
    void deliver(const fabric::message& /*greeting*/) override { ++come; }
    rank_t come = 0;
  } guests;
  rank_t expected = 0;
  std::vector<rank_t> left;
  for (rank_t r = 0; r < runtime::world.size; ++r) {
    if (job.node_of[r] == job.node_of[runtime::world.rank]) continue;
    if (chosen(r)) {
      left.push_back(r);
    } else {
      ++expected;
    }
  }
  fabric::message_header greeting;
  greeting.source = runtime::world.rank;
  const auto deadline = std::chrono::steady_clock::now() + timeout_for_hosts;
  while (!left.empty() || guests.come < expected) {
    std::erase_if(
        left, [&](rank_t each) { return job.conduit->try_send(each, greeting, nullptr, nullptr); });
    if (job.conduit->progress(guests) == 0) ::sched_yield();
    if (std::chrono::steady_clock::now() > deadline) {
      throw error("job",
                  "hosts of this job cannot reach each other at the addresses from which they "
                  "connect",
                  "set ACRE_INTERFACE to a network that connects all hosts");
    }
  }
  job.launcher->barrier();
}

}  // namespace

void connect_in_order(running_job& job) {
  greet(job, [](rank_t other) { return other > runtime::world.rank; });
  greet(job, [](rank_t other) { return other < runtime::world.rank; });
}

void watch_links(running_job& job) {
  if (job.links == nullptr) return;
  const auto silence =
      environment_seconds("ACRE_LINK_SECONDS").value_or(std::chrono::milliseconds(10'000));
  job.links->watch(silence, [&job](host_links::end_of_link how, const std::string& problem) {
    if (how == host_links::end_of_link::hung_up) job.launcher->let_launcher_speak();
    runtime::note_lost_host(problem);
  });
}

}  // namespace acre::launch
