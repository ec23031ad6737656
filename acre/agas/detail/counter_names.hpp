// SPDX-License-Identifier: BSD-3-Clause
// Counters of movable objects by name, and their values in a rank's report.
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

struct agas_snapshot {
  agas_counts counts{};
  agas_ticks nanoseconds{};
  std::uint64_t hints = 0;
  std::uint64_t waiting_credit = 0;
};
[[nodiscard]] agas_snapshot take_agas_snapshot();

[[nodiscard]] std::span<const agas_counter_name> all_counter_names() noexcept;
[[nodiscard]] std::uint64_t value_of_counter(std::size_t counter, const agas_snapshot& of);

/// Counters requested by a name: of ranks [first, end), as indices into all_counter_names().
struct agas_counter_choice {
  rank_t first = 0;
  rank_t end = 0;
  std::vector<std::size_t> counters;
};
[[noreturn]] void refuse_counter_name(std::string_view name, const std::string& why);
[[nodiscard]] agas_counter_choice read_counter_name(std::string_view name);

struct rank_snapshot {
  rank_t locality;
  agas_snapshot values;
};
/// Requests the counters of all ranks in `choices`. Cost: 2 M per other rank.
[[nodiscard]] std::vector<rank_snapshot> ask_for_snapshots(
    std::span<const agas_counter_choice> choices);

}  // namespace acre::agas
