// SPDX-License-Identifier: BSD-3-Clause
// Draws into SVG or PNG by cairo. Lengths are in points from the upper left; PNG has two pixels per
// point.
#pragma once

#include <acre/machines/pictures/colour.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acre::machines {

struct point {
  double x;
  double y;
};

struct box {
  double x;
  double y;
  double width;
  double height;

  [[nodiscard]] point middle() const noexcept { return {x + width / 2, y + height / 2}; }
  [[nodiscard]] box shrunk(double by) const noexcept {
    return {x + by, y + by, width - 2 * by, height - 2 * by};
  }
};

[[nodiscard]] constexpr point place_of(std::size_t i, std::size_t columns) noexcept {
  const std::size_t row = i / columns;
  return {static_cast<double>(i % columns), static_cast<double>(row)};
}

/// A path per colour keeps files short.
using boxes_by_colour = std::map<colour, std::vector<box>>;

/// Part of a text that is at the given point of its base line.
enum class anchor { left, middle, right };

struct text_style {
  double size = 11;
  bool bold = false;
  anchor at = anchor::left;
  colour ink = black;
};

class canvas {
 public:
  /// @param path ends in .svg or .png
  /// @throws acre::error for another ending or an unwritable file
  canvas(const std::string& path, double width, double height);
  ~canvas();

  void fill(const box& area, const colour& ink);
  void fill(const boxes_by_colour& areas);
  void frame(const box& area, const colour& ink, double width);
  void frame(std::span<const box> areas, const colour& ink, double width);
  void line(point from, point to, const colour& ink, double width);

  void text(point where, const std::string& words, const text_style& style = {});
  [[nodiscard]] double width_of(const std::string& words, const text_style& style = {});
  /// `words`, shortened with an ellipsis if wider than `width`.
  [[nodiscard]] std::string fitted(const std::string& words, double width,
                                   const text_style& style = {});

  /// Writes the file.
  /// @throws acre::error on failure; an older file is then kept
  void finish();

 private:
  struct state;
  void outline(const box& area);
  std::unique_ptr<state> state_;
};

}  // namespace acre::machines
