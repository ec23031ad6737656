// SPDX-License-Identifier: BSD-3-Clause
// acre-map: the program that `acre map` executes.
#include "../complaint.hpp"
#include "command_line.hpp"
#include <acre/base/standard_descriptors.hpp>

#include <cstdio>
#include <exception>
#include <new>

int main(int argc, char** argv) try {
  acre::occupy_closed_standard_descriptors();
  acre::command_line::command acre("Acre: one address space for programs of many processes",
                                   "acre");
  acre.require_command();
  acre::tool::map_options options;
  acre::tool::add_map(acre, options);
  if (const auto why = acre.parse(argc, argv)) {
    if (why->status == 0) return print(*why);
    std::fprintf(stderr, "acre: map: %s\n      see acre map --help\n", why->problem.c_str());
    return acre::tool::usage_error;
  }
  return acre::tool::map(options);
} catch (const std::bad_alloc&) {
  std::fprintf(
      stderr,
      "acre: map: out of memory for this machine and this traffic\n"
      "      use a smaller machine or fewer messages: each mapping needs a word per link and four "
      "per message\n");
  return 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "acre: map: %s\n", problem.what());
  return 1;
}
