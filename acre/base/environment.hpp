// SPDX-License-Identifier: BSD-3-Clause
// Parsers of environment variables.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace acre {

/// Value of a variable; null if unset or empty.
[[nodiscard]] std::optional<std::string> environment(const char* name);

/// "4096", "64K", "1.5G" (powers of 1024); null if unset. @throws acre::error naming the variable,
/// as all of these
[[nodiscard]] std::optional<std::size_t> environment_size(const char* name);

/// Non-negative integer; null if unset.
[[nodiscard]] std::optional<std::uint64_t> environment_number(const char* name);

/// Seconds, "10" or "0.5"; null if unset.
[[nodiscard]] std::optional<std::chrono::milliseconds> environment_seconds(const char* name);

/// One of `choices`, of which "*.json" matches any value that ends so; null if unset.
[[nodiscard]] std::optional<std::string> environment_choice(
    const char* name, std::span<const std::string_view> choices);
[[nodiscard]] inline std::optional<std::string> environment_choice(
    const char* name, std::initializer_list<std::string_view> choices) {
  return environment_choice(name, std::span(choices.begin(), choices.size()));
}

/// Parses "64K" as 65536.
[[nodiscard]] std::size_t parse_size(std::string_view text, std::string_view origin);

/// Formats 65536 as "64 KiB".
[[nodiscard]] std::string format_size(std::size_t bytes);

/// Formats 1500 ms as "1.5 s".
[[nodiscard]] std::string format_seconds(std::chrono::milliseconds time);

}  // namespace acre
