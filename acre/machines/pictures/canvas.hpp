// SPDX-License-Identifier: BSD-3-Clause
// Drawing on a page: boxes, lines and words, into an SVG or a PNG file by the same
// calls.
//
// Lengths are in points from the upper left corner; a PNG has two pixels a point.
// cairo does the work; its header is seen by the source only.
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
  /// The same box, `by` smaller on each side.
  [[nodiscard]] box shrunk(double by) const noexcept {
    return {x + by, y + by, width - 2 * by, height - 2 * by};
  }
};

/// The column and the row of the i-th thing, when rows of so many columns are filled one by one.
[[nodiscard]] constexpr point place_of(std::size_t i, std::size_t columns) noexcept {
  const std::size_t row = i / columns;
  return {static_cast<double>(i % columns), static_cast<double>(row)};
}

/// What is drawn in the same colour is one path, which makes a file much shorter.
using boxes_by_colour = std::map<colour, std::vector<box>>;

/// Which part of a text lies at the given point, on its base line.
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
  /// @throws acre::error when it ends in something else, or no file can be written there
  canvas(const std::string& path, double width, double height);
  ~canvas();

  void fill(const box& area, const colour& ink);
  void fill(const boxes_by_colour& areas);
  void frame(const box& area, const colour& ink, double width);
  void frame(std::span<const box> areas, const colour& ink, double width);
  void line(point from, point to, const colour& ink, double width);

  void text(point where, const std::string& words, const text_style& style = {});
  [[nodiscard]] double width_of(const std::string& words, const text_style& style = {});
  /// The words as they are, or their beginning and an ellipsis, so that they fit.
  [[nodiscard]] std::string fitted(const std::string& words, double width,
                                   const text_style& style = {});

  /// Writes the file.
  /// @throws acre::error when it cannot be written; what was there before is as it was then
  void finish();

 private:
  struct state;
  void outline(const box& area);
  std::unique_ptr<state> state_;
};

}  // namespace acre::machines
