// SPDX-License-Identifier: BSD-3-Clause
// Per-rank counters as a table, JSON or CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

struct rank_counts {
  std::vector<std::string_view> names;
  std::size_t ranks;
  std::function<std::uint64_t(std::size_t rank, std::size_t count)> value;
};

enum class mean_column { left_out, shown };

/// Omits counters that are zero on all ranks.
/// @param width  of the first column, headed `title`
[[nodiscard]] std::string table_of(const rank_counts& counts, std::string_view title,
                                   std::size_t width, mean_column mean);

/// {"ranks": [{"NAME": 1, …}, …]}; `prefix` precedes names.
[[nodiscard]] std::string json_of(const rank_counts& counts, std::string_view prefix);

/// One line per rank, beginning with column "locality"; `prefix` precedes names.
[[nodiscard]] std::string csv_of(const rank_counts& counts, std::string_view prefix);

}  // namespace acre
