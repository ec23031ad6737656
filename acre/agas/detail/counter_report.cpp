// The counters of all ranks at the end of a job.
#include <acre/agas/detail/counter_names.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/launch/exchange_at_end.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace acre::detail {
namespace {

/// What nobody has done is left out. The mean shows who does more than its share.
std::string table_of(std::span<const agas_snapshot> ranks) {
  std::string text =
      "/agas counter                        all ranks         least          most  most/mean\n";
  for (std::size_t counter = 0; counter < agas_counter_names().size(); ++counter) {
    std::uint64_t sum = 0;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    for (const agas_snapshot& each : ranks) {
      const std::uint64_t value = value_of_counter(counter, each);
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (sum == 0) continue;
    const double mean = static_cast<double>(sum) / static_cast<double>(ranks.size());
    const std::string_view name = agas_counter_names()[counter].counter;
    std::array<char, 128> line{};
    std::snprintf(line.data(), line.size(), "%-33.*s %12llu  %12llu  %12llu  %9.2f\n",
                  static_cast<int>(name.size()), name.data(), static_cast<unsigned long long>(sum),
                  static_cast<unsigned long long>(least), static_cast<unsigned long long>(most),
                  static_cast<double>(most) / mean);
    text += line.data();
  }
  return text;
}

std::string csv_of(std::span<const agas_snapshot> ranks) {
  std::string text = "locality";
  for (const agas_counter_name& each : agas_counter_names()) {
    text += ",/agas/";
    text += each.counter;
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    text += '\n';
    text += std::to_string(r);
    for (std::size_t counter = 0; counter < agas_counter_names().size(); ++counter) {
      text += ',';
      text += std::to_string(value_of_counter(counter, ranks[r]));
    }
  }
  return text + "\n";
}

std::string json_of(std::span<const agas_snapshot> ranks) {
  std::string text = "{\n  \"ranks\": [";
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    text += r == 0 ? "\n    {" : ",\n    {";
    for (std::size_t counter = 0; counter < agas_counter_names().size(); ++counter) {
      text += (counter == 0 ? "\"/agas/" : ", \"/agas/") +
              std::string(agas_counter_names()[counter].counter) +
              "\": " + std::to_string(value_of_counter(counter, ranks[r]));
    }
    text += "}";
  }
  return text + "\n  ]\n}\n";
}

void write_report(const std::string& wanted, std::span<const agas_snapshot> ranks) {
  if (wanted == "summary") {
    const std::string text = table_of(ranks);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  write_whole("ACRE_AGAS_COUNTERS", wanted,
              wanted.ends_with(".csv") ? csv_of(ranks) : json_of(ranks));
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
    const auto answers = runtime::exchange_at_end(std::as_bytes(std::span(&mine, 1)));
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::memcpy(&all[r], answers[r].data(), sizeof(agas_snapshot));
    }
  }
  if (rank() == 0) write_report(*wanted, all);
}

}  // namespace acre::detail
