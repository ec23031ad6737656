// SPDX-License-Identifier: BSD-3-Clause
// Settings from the environment: ACRE_SEGMENT_SIZE=2G and its like.
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

/// The value of an environment variable; empty values count as absent.
[[nodiscard]] std::optional<std::string> environment(const char* name);

/// A size in bytes: "4096", "64K", "1.5G" (powers of 1024), or nothing when not set.
/// @throws acre::error naming the variable when the text is no size
[[nodiscard]] std::optional<std::size_t> environment_size(const char* name);

/// A non-negative whole number, or nothing when not set.
/// @throws acre::error naming the variable when the text is no number
[[nodiscard]] std::optional<std::uint64_t> environment_number(const char* name);

/// A time in seconds, "10" or "0.5", or nothing when not set.
/// @throws acre::error naming the variable when the text is no time
[[nodiscard]] std::optional<std::chrono::milliseconds> environment_seconds(const char* name);

/// One of the words of `choices`, or nothing when not set. A choice that begins
/// with a star stands for all that ends in the rest of it: "*.json".
/// @throws acre::error naming the variable and the choices when it is none of them
[[nodiscard]] std::optional<std::string> environment_choice(
    const char* name, std::span<const std::string_view> choices);
[[nodiscard]] inline std::optional<std::string> environment_choice(
    const char* name, std::initializer_list<std::string_view> choices) {
  return environment_choice(name, std::span(choices.begin(), choices.size()));
}

/// Reads "64K" as 65536.
/// @throws acre::error naming `origin` when the text is no size
[[nodiscard]] std::size_t parse_size(std::string_view text, std::string_view origin);

/// Writes 65536 as "64 KiB".
[[nodiscard]] std::string format_size(std::size_t bytes);

/// Writes 1500 ms as "1.5 s".
[[nodiscard]] std::string format_seconds(std::chrono::milliseconds time);

}  // namespace acre
