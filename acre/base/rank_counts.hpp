// SPDX-License-Identifier: BSD-3-Clause
// Counts of the ranks of a job as text, for people and for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

struct rank_counts {
  std::vector<std::string_view> names;  ///< of the counts
  std::size_t ranks;
  /// The value of a count, by its place in `names`.
  std::function<std::uint64_t(std::size_t rank, std::size_t count)> value;
};

/// The last column of a table, most/mean, shows whether a rank does more than its share.
enum class mean_column { left_out, shown };

/// A line for each count that is not 0 on all ranks: the sum, the least and the most of ranks.
/// @param width of the first column, of which `title` is the head
[[nodiscard]] std::string table_of(const rank_counts& counts, std::string_view title,
                                   std::size_t width, mean_column mean);

/// {"ranks": [{"NAME": 1, …}, …]}; `prefix` begins each name.
[[nodiscard]] std::string json_of(const rank_counts& counts, std::string_view prefix);

/// A line for each rank, in which the rank is the column "locality"; `prefix` begins each name.
[[nodiscard]] std::string csv_of(const rank_counts& counts, std::string_view prefix);

}  // namespace acre
