// SPDX-License-Identifier: BSD-3-Clause
#include <apps/kmers/spectrum.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

namespace acre::kmers {
namespace {

constexpr unsigned label_width = 6;
constexpr std::uint64_t farthest_peak = 100000;

std::string short_number(double value) {
  constexpr std::array units{"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  std::array<char, 32> text{};
  const char* format = unit > 0 && value < 9.95 ? "%.1f%s" : "%.0f%s";
  std::snprintf(text.data(), text.size(), format, value, units[unit]);
  return text.data();
}

/// Running mean over ±1/8, so that small genomes have one peak.
std::vector<double> smoothed(const histogram& counts) {
  const auto lines = counts.lines();
  const auto last = lines.empty() ? 0 : std::min(lines.back().occurrences, farthest_peak);
  std::vector<double> sums(last + 2, 0);
  for (const auto& [occurrences, number] : lines) {
    if (occurrences <= last) sums[occurrences + 1] = static_cast<double>(number);
  }
  for (std::size_t c = 1; c < sums.size(); ++c) sums[c] += sums[c - 1];
  std::vector<double> means(last + 1, 0);
  for (std::size_t c = 1; c <= last; ++c) {
    const auto reach = c / 8;
    const auto end = std::min<std::size_t>(c + reach, last);
    means[c] = (sums[end + 1] - sums[c - reach]) / static_cast<double>(end + 1 - (c - reach));
  }
  return means;
}

struct frame {
  std::uint64_t counts_per_bar = 1;
  unsigned columns_per_bar = 1;
  unsigned bars = 1;
  double top = 1;
  bool logarithmic = false;
};

/// Right end without a peak: 99.5 % of k-mers.
std::uint64_t bulk_end(const histogram& counts) {
  const auto enough = counts.distinct() - counts.distinct() / 200;
  std::uint64_t seen = 0;
  for (const auto& [occurrences, number] : counts.lines()) {
    seen += number;
    if (seen >= enough) return std::max<std::uint64_t>(occurrences, 10);
  }
  return 10;
}

std::vector<double> bar_values(const histogram& counts, const frame& view) {
  std::vector<double> values(view.bars, 0);
  for (const auto& [occurrences, number] : counts.lines()) {
    const auto bar = (occurrences - 1) / view.counts_per_bar;
    if (bar < values.size()) {
      values[bar] += static_cast<double>(number) / static_cast<double>(view.counts_per_bar);
    }
  }
  return values;
}

frame choose_frame(const histogram& counts, unsigned columns) {
  frame view;
  const auto peak = spectrum_peak(counts);
  // Right end of the picture: beyond repeats that occur twice in the genome.
  const auto last = peak ? *peak * 5 / 2 + 2 : bulk_end(counts);
  view.counts_per_bar = (last + columns - 1) / columns;
  const auto bars = (last + view.counts_per_bar - 1) / view.counts_per_bar;
  view.columns_per_bar = static_cast<unsigned>(std::clamp<std::uint64_t>(columns / bars, 1, 4));
  view.bars = columns / view.columns_per_bar;

  const auto values = bar_values(counts, view);
  view.logarithmic = !peak;
  const auto from = peak ? (*peak / 2) / view.counts_per_bar : 0;
  const auto first = values.begin() +
                     static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(from, values.size() - 1));
  view.top = std::max(1.0, *std::max_element(first, values.end()) * (peak ? 1.15 : 1.0));
  return view;
}

unsigned height(double value, const frame& view, unsigned full) {
  if (value <= 0) return 0;
  const double share =
      view.logarithmic ? std::log1p(value) / std::log1p(view.top) : value / view.top;
  if (share > 1) return full + 1;
  return std::max(1U, static_cast<unsigned>(std::lround(share * full)));
}

std::string_view cell(unsigned eighths, glyphs letters) {
  constexpr std::array<std::string_view, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 9> plain{" ", ".", ".", ".", ":", ":", ":", ":", "#"};
  return letters == glyphs::unicode ? blocks[eighths] : plain[eighths];
}

std::string axis_label(const frame& view, unsigned row, unsigned rows) {
  const auto share = static_cast<double>(rows - row) / rows;
  std::string text;
  if (row % 4 == 0) {
    text = short_number(view.logarithmic ? std::expm1(share * std::log1p(view.top))
                                         : share * view.top);
  }
  return std::string(label_width - std::min<std::size_t>(text.size(), label_width), ' ') + text;
}

std::string horizontal_axis(const frame& view, glyphs letters) {
  const bool unicode = letters == glyphs::unicode;
  std::string line = std::string(label_width, ' ') + (unicode ? " └" : " +");
  std::string numbers(label_width + 2, ' ');
  const unsigned columns = view.bars * view.columns_per_bar;
  unsigned next = 0;
  for (unsigned column = 0; column < columns; ++column) {
    const auto occurrences = column / view.columns_per_bar * view.counts_per_bar + 1;
    const auto number = short_number(static_cast<double>(occurrences));
    const bool bar_begins = column % view.columns_per_bar == 0;
    const bool tick = bar_begins && column >= next && column + number.size() <= columns + 1;
    if (tick) {
      numbers.resize(label_width + 2 + column, ' ');
      numbers += number;
      next = column + 10;
    }
    line += tick ? (unicode ? "┬" : "+") : (unicode ? "─" : "-");
  }
  return line + '\n' + numbers + " times\n";
}

std::string title(const histogram& counts, const frame& view, glyphs letters) {
  std::string text(label_width + 2, ' ');
  text += "k-mers by how often they occur";
  if (const auto peak = spectrum_peak(counts)) text += "; peak at " + std::to_string(*peak);
  if (view.logarithmic) text += " (logarithmic)";
  if (!view.logarithmic && static_cast<double>(counts.number(1)) > view.top) {
    text += letters == glyphs::unicode ? "; ▲ goes on, to " : "; ^ goes on, to ";
    text += short_number(static_cast<double>(counts.number(1))) + " at 1";
  }
  return text + '\n';
}

}  // namespace

std::optional<std::uint64_t> spectrum_peak(const histogram& counts) {
  const auto numbers = smoothed(counts);
  // Most k-mers except errors (below 4).
  std::size_t hill = 0;
  double most = 0;
  for (std::size_t c = 4; c < numbers.size(); ++c) {
    if (static_cast<double>(c) * numbers[c] > most) {
      most = static_cast<double>(c) * numbers[c];
      hill = c;
    }
  }
  if (hill == 0) return std::nullopt;
  const auto begin = numbers.begin() + 1;
  const auto valley = std::min_element(begin, numbers.begin() + static_cast<std::ptrdiff_t>(hill));
  const auto peak = std::max_element(valley, numbers.end());
  if (*peak < 1.5 * *valley || valley == peak) return std::nullopt;
  return static_cast<std::uint64_t>(peak - numbers.begin());
}

std::string draw_spectrum(const histogram& counts, const picture_style& style) {
  if (counts.distinct() == 0) return {};
  const unsigned columns = std::max(style.columns, label_width + 22) - label_width - 9;
  const unsigned rows = std::max(style.rows, 1U);
  const frame view = choose_frame(counts, columns);
  const auto values = bar_values(counts, view);

  std::string picture = title(counts, view, style.letters);
  const bool unicode = style.letters == glyphs::unicode;
  for (unsigned row = 0; row < rows; ++row) {
    std::string line = axis_label(view, row, rows) + (unicode ? " │" : " |");
    const unsigned below = (rows - 1 - row) * 8;
    for (const double value : values) {
      const unsigned high = height(value, view, rows * 8);
      std::string_view shown = cell(std::min(high > below ? high - below : 0, 8U), style.letters);
      if (row == 0 && high > rows * 8) shown = unicode ? "▲" : "^";
      for (unsigned i = 0; i < view.columns_per_bar; ++i) line += shown;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    picture += line + '\n';
  }
  return picture + horizontal_axis(view, style.letters);
}

}  // namespace acre::kmers
