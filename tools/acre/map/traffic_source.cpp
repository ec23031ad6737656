#include "traffic_source.hpp"

#include "../messages_file.hpp"
#include "places_in.hpp"
#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/machines/traffic/traffic_file.hpp>
#include <acre/mapping/structure.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace acre::tool {
namespace {

std::vector<std::uint32_t> extents_of(const std::string& grid) {
  specification_reader words(grid, "map: --grid", "as 64x32x32");
  auto extents = words.numbers('x');
  words.expect_end();
  return extents;
}

/// Where the numbers of messages are; empty: they do not count, or nobody wrote them.
std::string messages_of(const map_options& options) {
  if (options.microseconds == 0 || !options.messages.empty()) return options.messages;
  const std::string beside = messages_file(options.matrix);
  std::error_code none;
  return std::filesystem::is_regular_file(beside, none) ? beside : "";
}

void count_messages(mapping::communication& what, const map_options& options) {
  const std::string file = messages_of(options);
  if (file.empty()) return;
  const mapping::communication numbers = mapping::read_communication(file);
  if (numbers.traffic.ranks() != what.traffic.ranks()) {
    throw error("map",
                fmt::format("{} has messages of {} ranks, and {} bytes of {}", file,
                            numbers.traffic.ranks(), options.matrix, what.traffic.ranks()),
                "name the file of the same job with --messages");
  }
  what.traffic = what.traffic.in_messages(numbers.traffic);
  what.messages_from = numbers.name;
}

/// What a file says, with the grid of its ranks: as it is given, or as it is found.
mapping::communication traffic_of_file(const map_options& options,
                                       std::chrono::steady_clock::time_point until) {
  mapping::communication what = mapping::read_communication(options.matrix);
  count_messages(what, options);
  if (options.grid.empty()) return with_structure(std::move(what), until);
  what.extents = extents_of(options.grid);
  if (places_in(what.extents) != what.traffic.ranks()) {
    throw error("map", "a grid of " + options.grid + " is not one of the " +
                           std::to_string(what.traffic.ranks()) + " ranks of " + options.matrix);
  }
  return what;
}

}  // namespace

mapping::communication traffic_of(const map_options& options, std::size_t slots,
                                  std::chrono::steady_clock::time_point until) {
  if (!options.matrix.empty()) return traffic_of_file(options, until);
  return mapping::make_communication(options.communication, slots);
}

}  // namespace acre::tool
