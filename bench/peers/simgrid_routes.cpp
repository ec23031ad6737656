// SPDX-License-Identifier: BSD-3-Clause
// SimGrid routes of host pairs (two numbers per line), in the format of `bench-mapping routes`.
//
//     simgrid_routes platform.xml < PAIRS
#include <simgrid/s4u.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    std::string from;
    std::string to;
    numbers >> from >> to;
    std::vector<s4u::Link*> links;
    double latency = 0;
    // SimGrid adds a loopback, which is no link of the network.
    if (from != to) {
      engine.host_by_name("n" + from)->route_to(engine.host_by_name("n" + to), links, &latency);
    }
    std::cout << from << " " << to;
    for (const s4u::Link* link : links)
      std::cout << " " << link->get_name() << "=" << link->get_bandwidth();
    std::cout << "\n";
  }
}
