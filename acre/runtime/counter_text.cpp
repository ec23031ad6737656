// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/counter_text.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace acre::runtime {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(counted::count_)> names{
    "direct_put_1",
    "direct_put_2",
    "direct_put_4",
    "direct_put_8",
    "direct_put",
    "direct_put_bytes",
    "direct_get_1",
    "direct_get_2",
    "direct_get_4",
    "direct_get_8",
    "direct_get",
    "direct_get_bytes",
    "direct_atomic",
    "network_put_1",
    "network_put_2",
    "network_put_4",
    "network_put_8",
    "network_put",
    "network_put_bytes",
    "network_get",
    "network_get_bytes",
    "network_atomic",
    "message_sent",
    "message_bytes",
    "message_received",
    "message_refused",
    "message_unsealed",
    "rpc",
    "barrier",
    "collective",
    "no_room",
    "sleep",
    "yield",
    "most_inbox_bytes",
    "huge_page"};

}  // namespace

rank_counts counts_of(const std::vector<counter_values>& ranks) {
  return {.names = {names.begin(), names.end()},
          .ranks = ranks.size(),
          .value = [&ranks](std::size_t rank, std::size_t count) { return ranks[rank][count]; }};
}

}  // namespace acre::runtime
