// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/counters.hpp>

#include <acre/agas/detail/counter_names.hpp>
#include <acre/runtime/require_job.hpp>

namespace acre {

std::span<const agas_counter_name> agas_counter_names() noexcept {
  return agas::all_counter_names();
}

std::vector<agas_counter_value> read_agas_counters(std::span<const std::string> wanted) {
  runtime::require_job("read_agas_counters");
  std::vector<agas::agas_counter_choice> choices;
  for (const std::string& each : wanted) choices.push_back(agas::read_counter_name(each));
  std::vector<agas_counter_value> values;
  for (const auto& [locality, snapshot] : agas::ask_for_snapshots(choices)) {
    const std::string object = "/agas{locality#" + std::to_string(locality) + "/total}/";
    for (const agas::agas_counter_choice& choice : choices) {
      if (locality < choice.first || locality >= choice.end) continue;
      for (const std::size_t counter : choice.counters) {
        values.push_back({object + std::string(agas::all_counter_names()[counter].counter),
                          locality, agas::value_of_counter(counter, snapshot)});
      }
    }
  }
  return values;
}

std::vector<agas_counter_value> read_agas_counters(std::string_view name) {
  const std::string only(name);
  return read_agas_counters(std::span(&only, 1));
}

std::uint64_t read_agas_counter(std::string_view name) {
  const auto values = read_agas_counters(name);
  if (values.size() != 1) agas::refuse_counter_name(name, "it matches several counters");
  return values.front().value;
}

void start_agas_times() { agas::start_taking_agas_times(); }

void stop_agas_times() noexcept { agas::agas_takes_times.store(false, std::memory_order_relaxed); }

}  // namespace acre
