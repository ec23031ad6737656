// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/rank_counts.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace acre {
namespace {

std::string line_of(std::string_view name, std::size_t width, const std::string& sum,
                    const std::string& least, const std::string& most) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "%-*.*s %12s  %12s  %12s", static_cast<int>(width),
                static_cast<int>(name.size()), name.data(), sum.c_str(), least.c_str(),
                most.c_str());
  return line.data();
}

std::string in_mean_column(const std::string& text) {
  constexpr std::size_t width = 9;
  return "  " + std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string with_two_digits(double number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

}  // namespace

std::string table_of(const rank_counts& counts, std::string_view title, std::size_t width,
                     mean_column mean) {
  std::string text = line_of(title, width, "all ranks", "least", "most");
  if (mean == mean_column::shown) text += in_mean_column("most/mean");
  text += '\n';
  for (std::size_t count = 0; count < counts.names.size(); ++count) {
    std::uint64_t sum = 0;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    for (std::size_t rank = 0; rank < counts.ranks; ++rank) {
      const std::uint64_t value = counts.value(rank, count);
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (sum == 0) continue;
    text += line_of(counts.names[count], width, std::to_string(sum), std::to_string(least),
                    std::to_string(most));
    if (mean == mean_column::shown) {
      const double share = static_cast<double>(sum) / static_cast<double>(counts.ranks);
      text += in_mean_column(with_two_digits(static_cast<double>(most) / share));
    }
    text += '\n';
  }
  return text;
}

std::string json_of(const rank_counts& counts, std::string_view prefix) {
  std::string text = "{\n  \"ranks\": [";
  for (std::size_t rank = 0; rank < counts.ranks; ++rank) {
    text += rank == 0 ? "\n    {" : ",\n    {";
    for (std::size_t count = 0; count < counts.names.size(); ++count) {
      text.append(count == 0 ? "\"" : ", \"").append(prefix).append(counts.names[count]);
      text.append("\": ").append(std::to_string(counts.value(rank, count)));
    }
    text += '}';
  }
  return text + "\n  ]\n}\n";
}

std::string csv_of(const rank_counts& counts, std::string_view prefix) {
  std::string text = "locality";
  for (const std::string_view each : counts.names) text.append(",").append(prefix).append(each);
  for (std::size_t rank = 0; rank < counts.ranks; ++rank) {
    text.append("\n").append(std::to_string(rank));
    for (std::size_t count = 0; count < counts.names.size(); ++count) {
      text.append(",").append(std::to_string(counts.value(rank, count)));
    }
  }
  return text + "\n";
}

}  // namespace acre
