// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/progress_bar.hpp>

#include <acre/base/environment.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <utility>

namespace acre::genome {
namespace {

constexpr auto shortest_pause = std::chrono::milliseconds(100);

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::min(std::ceil(seconds), 359999.0));
  std::array<char, 32> text{};
  if (whole < 3600) {
    std::snprintf(text.data(), text.size(), "%lld:%02lld", whole / 60, whole % 60);
  } else {
    std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  }
  return text.data();
}

std::string bar(double share, unsigned columns, glyphs letters) {
  constexpr std::array<std::string_view, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<unsigned>(share * columns * 8);
  const bool unicode = letters == glyphs::unicode;
  std::string text;
  for (unsigned i = 0; i < eighths / 8; ++i) text += unicode ? "█" : "#";
  unsigned used = eighths / 8;
  if (unicode && eighths % 8 > 0) {
    text += parts[eighths % 8];
    ++used;
  }
  for (; used < columns; ++used) text += unicode ? " " : ".";
  return text;
}

std::string amount(double number, const std::string& unit) {
  if (unit.empty()) return format_size(static_cast<std::size_t>(number));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), number < 10 ? "%.1f" : "%.0f", number);
  return text.data() + (" " + unit);
}

}  // namespace

std::string progress_line(const progress& state, unsigned columns, glyphs letters) {
  const bool started = state.seconds > 0 && state.done > 0;
  const double rate = started ? static_cast<double>(state.done) / state.seconds : 0;
  const auto speed = started ? amount(rate, state.unit) + "/s" : "";
  if (state.total == 0) {
    return "  " + amount(static_cast<double>(state.done), state.unit) + "  " + speed;
  }

  const double share =
      std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
  const double left = started ? (1 - share) * static_cast<double>(state.total) / rate : 0;
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%3d %%  %12s  %s", static_cast<int>(share * 100),
                speed.c_str(), started ? (duration(left) + " left").c_str() : "");
  const std::string numbers = text.data();
  constexpr std::size_t around = 5;
  constexpr std::size_t widest = 50;
  if (columns < numbers.size() + around + 4) return numbers.substr(0, columns - 1);
  const auto room = static_cast<unsigned>(std::min(columns - numbers.size() - around, widest));
  return "  " + bar(share, room, letters) + "  " + numbers;
}

progress_bar::progress_bar(std::uint64_t total, std::string unit)
    : progress_bar(total, watched_on_terminal() ? &std::cerr : nullptr, clock::now(),
                   std::move(unit)) {}

progress_bar::progress_bar(std::uint64_t total, std::ostream* out, clock::time_point start,
                           std::string unit)
    : total_(total), unit_(std::move(unit)), out_(out), start_(start), drawn_(start) {}

void progress_bar::update(std::uint64_t done, clock::time_point now) {
  if (out_ == nullptr || now - drawn_ < shortest_pause) return;
  drawn_ = now;
  visible_ = true;
  const progress state{.done = done,
                       .total = total_,
                       .seconds = std::chrono::duration<double>(now - start_).count(),
                       .unit = unit_};
  *out_ << '\r' << progress_line(state, terminal_columns(), terminal_glyphs()) << "\033[K"
        << std::flush;
}

void progress_bar::finish() {
  if (visible_) *out_ << "\r\033[K" << std::flush;
  visible_ = false;
}

}  // namespace acre::genome
