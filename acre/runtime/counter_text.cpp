#include <acre/runtime/counter_text.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

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
    "rpc",
    "barrier",
    "collective",
    "no_room",
    "sleep",
    "yield",
    "most_inbox_bytes",
    "huge_page"};

}  // namespace

std::string_view name_of(counted what) { return names[static_cast<std::size_t>(what)]; }

std::string counter_table_text(const std::vector<counter_values>& ranks) {
  std::string text = "counter               all ranks         least          most\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::uint64_t sum = 0;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    for (const auto& values : ranks) {
      sum += values[i];
      least = std::min(least, values[i]);
      most = std::max(most, values[i]);
    }
    if (sum == 0) continue;
    std::array<char, 96> line{};
    std::snprintf(line.data(), line.size(), "%-18.*s %12llu  %12llu  %12llu\n",
                  static_cast<int>(names[i].size()), names[i].data(),
                  static_cast<unsigned long long>(sum), static_cast<unsigned long long>(least),
                  static_cast<unsigned long long>(most));
    text += line.data();
  }
  return text;
}

std::string counter_json(const std::vector<counter_values>& ranks) {
  std::string text = "{\n  \"ranks\": [";
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    text += r == 0 ? "\n    {" : ",\n    {";
    for (std::size_t i = 0; i < names.size(); ++i) {
      text +=
          (i == 0 ? "\"" : ", \"") + std::string(names[i]) + "\": " + std::to_string(ranks[r][i]);
    }
    text += "}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace acre::runtime
