// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/environment.hpp>

#include <acre/base/error.hpp>
#include <acre/base/parse_number.hpp>
#include <acre/base/read_number.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace acre {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::size_t parse_size(std::string_view text, std::string_view origin) {
  double number = 0;
  const auto [rest, failed] = base::read_number(text.data(), text.data() + text.size(), number);
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.ends_with('B') || unit.ends_with('b')) unit.remove_suffix(1);
  if (unit.ends_with('i')) unit.remove_suffix(1);
  constexpr std::string_view units = "KMGTP";
  double scale = 1;
  bool known = unit.empty();
  if (unit.size() == 1) {
    const auto power = units.find(static_cast<char>(unit[0] & ~0x20));
    known = power != std::string_view::npos;
    if (known) scale = std::pow(1024.0, static_cast<double>(power + 1));
  }
  const double bytes = number * scale;
  if (failed != std::errc{} || !known || !(bytes >= 0) || bytes >= 0x1p63) {
    throw error(origin, "\"" + std::string(text) + "\" is not a size",
                "give bytes, or a number with a unit: 65536, 64K, 512M, 1.5G");
  }
  return static_cast<std::size_t>(bytes);
}

std::optional<std::size_t> environment_size(const char* name) {
  const auto text = environment(name);
  if (!text) return std::nullopt;
  return parse_size(*text, name);
}

std::optional<std::uint64_t> environment_number(const char* name) {
  const auto text = environment(name);
  if (!text) return std::nullopt;
  const auto number = base::parse_number<std::uint64_t>(*text);
  if (!number) {
    throw error(name, "\"" + *text + "\" is not a whole number", "give digits only");
  }
  return number;
}

std::optional<std::chrono::milliseconds> environment_seconds(const char* name) {
  const auto text = environment(name);
  if (!text) return std::nullopt;
  const auto seconds = base::parse_number<double>(*text);
  constexpr double longest = 1e9;
  if (!seconds || !(*seconds >= 0 && *seconds <= longest)) {
    throw error(name, "\"" + *text + "\" is not a time", "give a number of seconds: 10 or 0.5");
  }
  return std::chrono::milliseconds(std::llround(std::ceil(*seconds * 1000)));
}

std::optional<std::string> environment_choice(const char* name,
                                              std::span<const std::string_view> choices) {
  auto text = environment(name);
  if (!text) return std::nullopt;
  const auto matches = [&](std::string_view choice) {
    return choice.starts_with('*') ? text->ends_with(choice.substr(1)) : *text == choice;
  };
  if (std::ranges::any_of(choices, matches)) return text;
  std::string all;
  for (const std::string_view each : choices) all.append(all.empty() ? "" : ", ").append(each);
  throw error(name, "\"" + *text + "\" is invalid",
              (choices.size() == 1 ? "valid value: " : "valid values: ") + all);
}

std::string format_size(std::size_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  const char* format = value == std::floor(value) ? "%.0f %s" : "%.1f %s";
  std::snprintf(text.data(), text.size(), format, value, units[unit]);
  return text.data();
}

std::string format_seconds(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.12g s", static_cast<double>(time.count()) / 1000);
  return text.data();
}

}  // namespace acre
