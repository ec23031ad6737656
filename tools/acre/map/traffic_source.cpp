// SPDX-License-Identifier: BSD-3-Clause
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
#include <variant>

namespace acre::tool {
namespace {

/// File of message counts; empty if unused or missing.
std::string messages_of(const traffic_file& given, bool have_latency) {
  if (!have_latency || !given.messages.empty()) return given.messages;
  const std::string beside = messages_file(given.matrix);
  std::error_code none;
  return std::filesystem::is_regular_file(beside, none) ? beside : "";
}

void count_messages(mapping::communication& what, const std::string& file,
                    const std::string& matrix) {
  const mapping::communication numbers = machines::read_communication(file);
  if (numbers.traffic.ranks() != what.traffic.ranks()) {
    throw error("map",
                fmt::format("{} has messages of {} ranks, but {} bytes of {}", file,
                            numbers.traffic.ranks(), matrix, what.traffic.ranks()),
                "name the file of the same job with --messages");
  }
  what.traffic = what.traffic.in_messages(numbers.traffic);
  what.messages_from = numbers.name;
}

mapping::communication traffic_of_file(const traffic_file& given, bool have_latency,
                                       std::chrono::steady_clock::time_point until) {
  mapping::communication what = machines::read_communication(given.matrix);
  const std::string messages = messages_of(given, have_latency);
  if (!messages.empty()) count_messages(what, messages, given.matrix);
  if (given.grid.empty()) return mapping::with_structure(std::move(what), until);
  what.extents = given.grid;
  if (places_in(what.extents) != what.traffic.ranks()) {
    throw error("map", "a grid of " + join(given.grid) + " does not have the " +
                           std::to_string(what.traffic.ranks()) + " ranks of " + given.matrix);
  }
  return what;
}

}  // namespace

mapping::communication traffic_of(const traffic_source& source, bool have_latency,
                                  std::size_t slots, std::chrono::steady_clock::time_point until) {
  if (const auto* file = std::get_if<traffic_file>(&source)) {
    return traffic_of_file(*file, have_latency, until);
  }
  return mapping::make_communication(std::get<traffic_pattern>(source).specification, slots);
}

}  // namespace acre::tool
