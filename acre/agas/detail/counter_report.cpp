// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/counter_report.hpp>

#include <acre/agas/detail/counter_names.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/rank_counts.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/launch/exchange_at_end.hpp>

#include <cstdio>
#include <cstring>

namespace acre::agas {
namespace {

rank_counts counts_of(std::span<const agas_snapshot> ranks) {
  rank_counts counts{
      .names = {}, .ranks = ranks.size(), .value = [ranks](std::size_t rank, std::size_t counter) {
        return value_of_counter(counter, ranks[rank]);
      }};
  for (const agas_counter_name& each : all_counter_names()) counts.names.push_back(each.counter);
  return counts;
}

void write_report(const std::string& wanted, std::span<const agas_snapshot> ranks) {
  constexpr std::string_view prefix = "/agas/";
  const rank_counts counts = counts_of(ranks);
  if (wanted == "summary") {
    const std::string text = table_of(counts, "/agas counter", 33, mean_column::shown);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  write_whole("ACRE_AGAS_COUNTERS", wanted,
              wanted.ends_with(".csv") ? csv_of(counts, prefix) : json_of(counts, prefix));
}

}  // namespace

void start_agas_counters() {
  const auto wanted = environment_choice("ACRE_AGAS_COUNTERS", {"summary", "*.csv", "*.json"});
  if (wanted && *wanted != "summary" && rank() == 0) require_place("ACRE_AGAS_COUNTERS", *wanted);
  if (environment_choice("ACRE_AGAS_TIMES", {"on", "off"}) == "on") start_taking_agas_times();
}

void report_agas_counters() {
  const auto wanted = environment("ACRE_AGAS_COUNTERS");
  if (!wanted) return;
  const agas_snapshot mine = take_agas_snapshot();
  std::vector<agas_snapshot> all(size(), mine);
  if (size() > 1) {
    const auto answers = launch::exchange_at_end(std::as_bytes(std::span(&mine, 1)));
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::memcpy(&all[r], answers[r].data(), sizeof(agas_snapshot));
    }
  }
  if (rank() == 0) write_report(*wanted, all);
}

}  // namespace acre::agas
