// SPDX-License-Identifier: BSD-3-Clause
// The counters of objects that move by their names, and their values in the report of a rank.
#pragma once

#include <acre/agas/counter_name.hpp>
#include <acre/agas/detail/agas_counters.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre::agas {

/// The counts and times of a rank: it travels.
struct agas_snapshot {
  agas_counts counts{};
  agas_ticks nanoseconds{};
  std::uint64_t hints = 0;  ///< in the table now
};
[[nodiscard]] agas_snapshot take_agas_snapshot();

/// The names of all counters.
[[nodiscard]] std::span<const agas_counter_name> all_counter_names() noexcept;
/// Of the counter at this place of all_counter_names().
[[nodiscard]] std::uint64_t value_of_counter(std::size_t counter, const agas_snapshot& of);

/// A name that was read: ranks from `first` to before `end`, and places of all_counter_names().
struct agas_counter_choice {
  rank_t first = 0;
  rank_t end = 0;
  std::vector<std::size_t> counters;
};
/// @throws acre::error  that it is no name of a counter
[[noreturn]] void refuse_counter_name(std::string_view name, const std::string& why);
/// @throws acre::error when it is no name
[[nodiscard]] agas_counter_choice read_counter_name(std::string_view name);

struct rank_snapshot {
  rank_t locality;
  agas_snapshot values;
};
/// Of all ranks that one of the names speaks of, in their order. Cost: 2 M for each other rank.
[[nodiscard]] std::vector<rank_snapshot> ask_for_snapshots(
    std::span<const agas_counter_choice> choices);

}  // namespace acre::agas
