// SPDX-License-Identifier: BSD-3-Clause
// Simulates the puts of bench-stencil by SimGrid; prints mean and largest seconds of a put.
//
//     simgrid_puts PLATFORM PLACES GRID ITERATIONS BYTES
//
// PLATFORM (bench-stencil --platform) has lines "link NAME BYTES_A_SECOND SECONDS", "pipe …" (not
// shared) and "route FROM TO NAME…", PLACES the node of each rank.
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

void load(const std::string& path, std::map<unsigned, s4u::Host*>& hosts) {
  auto* zone = s4u::create_full_zone("machine");
  std::map<std::string, s4u::Link*> links;
  std::ifstream file(path);
  const auto host = [&](unsigned node) {
    auto& found = hosts[node];
    if (found == nullptr) found = zone->create_host("n" + std::to_string(node), 1e9)->seal();
    return found;
  };
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "link" || kind == "pipe") {
      std::string name;
      double bandwidth = 0;
      double latency = 0;
      words >> name >> bandwidth >> latency;
      auto* link = zone->create_link(name, bandwidth)->set_latency(latency);
      link->set_sharing_policy(kind == "link" ? s4u::Link::SharingPolicy::SHARED
                                              : s4u::Link::SharingPolicy::FATPIPE);
      links[name] = link->seal();
    } else {
      unsigned from = 0;
      unsigned to = 0;
      words >> from >> to;
      std::vector<s4u::LinkInRoute> route;
      for (std::string name; words >> name;) route.emplace_back(links.at(name));
      zone->add_route(host(from)->get_netpoint(), host(to)->get_netpoint(), nullptr, nullptr, route,
                      false);
    }
  }
  zone->seal();
}

struct job {
  std::array<unsigned, 3> grid{};
  std::vector<s4u::Host*> host_of_rank;

  std::vector<unsigned> neighbours(unsigned rank) const {
    std::vector<unsigned> found;
    unsigned stride = 1;
    for (std::size_t d = grid.size(); d-- > 0; stride *= grid[d]) {
      const unsigned at = rank / stride % grid[d];
      if (at > 0) found.push_back(rank - stride);
      if (at + 1 < grid[d]) found.push_back(rank + stride);
    }
    return found;
  }
};

struct outcome {
  double sum = 0;
  double slowest = 0;
  std::uint64_t puts = 0;
};

void put_to_all(const job& all, unsigned rank, unsigned iterations, std::uint64_t bytes,
                outcome& result) {
  const auto to = all.neighbours(rank);
  if (to.empty()) return;
  const double begin = s4u::Engine::get_clock();
  for (unsigned i = 0; i < iterations; ++i) {
    for (const unsigned each : to) {
      s4u::Comm::sendto(all.host_of_rank[rank], all.host_of_rank[each], bytes);
    }
  }
  const double spent = s4u::Engine::get_clock() - begin;
  const auto puts = iterations * to.size();
  result.sum += spent;
  result.puts += puts;
  result.slowest = std::max(result.slowest, spent / static_cast<double>(puts));
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  if (argc < 6) return 2;
  std::map<unsigned, s4u::Host*> hosts;
  load(argv[1], hosts);
  job all;
  std::ifstream places(argv[2]);
  for (unsigned node = 0; places >> node;) all.host_of_rank.push_back(hosts.at(node));
  char x = 0;
  std::istringstream(argv[3]) >> all.grid[0] >> x >> all.grid[1] >> x >> all.grid[2];
  if (all.grid[0] * all.grid[1] * all.grid[2] != all.host_of_rank.size()) return 2;
  const auto iterations = static_cast<unsigned>(std::stoul(argv[4]));
  const std::uint64_t bytes = std::stoull(argv[5]);
  outcome result;
  for (unsigned rank = 0; rank < all.host_of_rank.size(); ++rank) {
    s4u::Actor::create("r", all.host_of_rank[rank],
                       [&, rank] { put_to_all(all, rank, iterations, bytes, result); });
  }
  engine.run();
  std::cout << "{\"mean\": " << result.sum / static_cast<double>(result.puts)
            << ", \"slowest\": " << result.slowest << "}\n";
}
