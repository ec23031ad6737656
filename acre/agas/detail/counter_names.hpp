// The counters of objects that move by their names, and their values in what a rank says of itself.
#pragma once

#include <acre/agas/counters.hpp>
#include <acre/agas/detail/agas_counters.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre::detail {

/// Of the counter at this place of agas_counter_names().
[[nodiscard]] std::uint64_t value_of_counter(std::size_t counter, const agas_snapshot& of);

/// A name that was read: ranks from `first` to before `end`, and places of agas_counter_names().
struct agas_counter_choice {
  rank_t first = 0;
  rank_t end = 0;
  std::vector<std::size_t> counters;
};
/// @throws acre::error when it is no name
[[nodiscard]] agas_counter_choice read_counter_name(std::string_view name);

struct rank_snapshot {
  rank_t locality;
  agas_snapshot values;
};
/// Of all ranks that one of the names speaks of, in their order. Cost: 2 M for each other rank.
[[nodiscard]] std::vector<rank_snapshot> ask_for_snapshots(
    std::span<const agas_counter_choice> choices);

}  // namespace acre::detail
