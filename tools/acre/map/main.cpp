// The program that `acre map` becomes: its words are "acre", "map", ….
#include "../complaint.hpp"
#include "command_line.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>

int main(int argc, char** argv) try {
  CLI::App acre("Acre: one address space for programs of many processes");
  acre.name("acre");
  acre.require_subcommand(1);
  acre::tool::map_options options;
  acre::tool::add_map(acre, options);
  try {
    acre.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == 0) return acre.exit(stop);  // --help
    std::fprintf(stderr, "acre: map: %s\n      see acre map --help\n", stop.what());
    return acre::tool::usage_error;
  }
  return acre::tool::map(options);
} catch (const std::bad_alloc&) {
  std::fprintf(stderr,
               "acre: map: there is not enough memory for this machine and this traffic\n"
               "      a word a link and four a message are needed, for each of some mappings\n");
  return 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "acre: map: %s\n", problem.what());
  return 1;
}
