// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/canvas.hpp>

#include <acre/base/error.hpp>
#include <acre/base/whole_file.hpp>

#include <cairo-svg.h>
#include <cairo.h>
#include <cmath>
#include <utility>

namespace acre::machines {
namespace {

constexpr const char* drawing = "machines::canvas";
constexpr double pixels_a_point = 2;

[[noreturn]] void refuse(const std::string& path, const std::string& problem,
                         std::string_view advice = {}) {
  throw error(drawing, path + ": " + problem, advice);
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct canvas::state {
  std::string path;
  std::string text;
  bool png = false;
  cairo_surface_t* surface = nullptr;
  cairo_t* pen = nullptr;

  explicit state(std::string file) : path(std::move(file)) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    cairo_destroy(pen);
    cairo_surface_destroy(surface);
  }

  /// Whole pixels avoid seams; few decimals shorten an SVG.
  [[nodiscard]] double snapped(double length) const {
    const double steps = png ? pixels_a_point : 4;
    return std::round(length * steps) / steps;
  }
  void require(cairo_status_t status) const {
    if (status != CAIRO_STATUS_SUCCESS) {
      refuse(path, std::string("the picture cannot be drawn: ") + cairo_status_to_string(status));
    }
  }
  void use(const colour& ink) const { cairo_set_source_rgb(pen, ink.red, ink.green, ink.blue); }
  void use(const text_style& style) const {
    cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen, style.size);
  }
};

canvas::canvas(const std::string& path, double width, double height)
    : state_(std::make_unique<state>(path)) {
  state_->png = path.ends_with(".png");
  if (state_->png) {
    state_->surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width * pixels_a_point),
                                   static_cast<int>(height * pixels_a_point));
  } else if (path.ends_with(".svg")) {
    state_->surface = cairo_svg_surface_create_for_stream(append, &state_->text, width, height);
  } else {
    refuse(path, "the picture format is unsupported", "use a name that ends in .svg or .png");
  }
  require_place(drawing, path);
  state_->require(cairo_surface_status(state_->surface));
  state_->pen = cairo_create(state_->surface);
  if (state_->png) cairo_scale(state_->pen, pixels_a_point, pixels_a_point);
  fill({0, 0, width, height}, white);
}

canvas::~canvas() = default;

void canvas::outline(const box& area) {
  const double left = state_->snapped(area.x);
  const double top = state_->snapped(area.y);
  cairo_rectangle(state_->pen, left, top, state_->snapped(area.x + area.width) - left,
                  state_->snapped(area.y + area.height) - top);
}

void canvas::fill(const box& area, const colour& ink) {
  state_->use(ink);
  outline(area);
  cairo_fill(state_->pen);
}

void canvas::fill(const boxes_by_colour& areas) {
  for (const auto& [ink, boxes] : areas) {
    state_->use(ink);
    for (const box& each : boxes) outline(each);
    cairo_fill(state_->pen);
  }
}

void canvas::frame(const box& area, const colour& ink, double width) {
  frame(std::span(&area, 1), ink, width);
}

void canvas::frame(std::span<const box> areas, const colour& ink, double width) {
  state_->use(ink);
  cairo_set_line_width(state_->pen, width);
  for (const box& each : areas) outline(each);
  cairo_stroke(state_->pen);
}

void canvas::line(point from, point to, const colour& ink, double width) {
  state_->use(ink);
  cairo_set_line_width(state_->pen, width);
  cairo_move_to(state_->pen, from.x, from.y);
  cairo_line_to(state_->pen, to.x, to.y);
  cairo_stroke(state_->pen);
}

void canvas::text(point where, const std::string& words, const text_style& style) {
  const double width = style.at == anchor::left ? 0 : width_of(words, style);
  const double shift = style.at == anchor::middle ? width / 2 : width;
  state_->use(style);
  state_->use(style.ink);
  cairo_move_to(state_->pen, where.x - shift, where.y);
  cairo_show_text(state_->pen, words.c_str());
}

double canvas::width_of(const std::string& words, const text_style& style) {
  state_->use(style);
  cairo_text_extents_t extents;
  cairo_text_extents(state_->pen, words.c_str(), &extents);
  return extents.x_advance;
}

std::string canvas::fitted(const std::string& words, double width, const text_style& style) {
  if (width_of(words, style) <= width) return words;
  std::string text = words;
  const auto continues = [](char c) { return (c & 0xC0) == 0x80; };
  while (!text.empty() && width_of(text + "…", style) > width) {
    while (continues(text.back())) text.pop_back();
    text.pop_back();
  }
  return text + "…";
}

void canvas::finish() {
  state_->require(cairo_status(state_->pen));
  if (state_->png) {
    state_->require(cairo_surface_write_to_png_stream(state_->surface, append, &state_->text));
  }
  cairo_surface_finish(state_->surface);
  state_->require(cairo_surface_status(state_->surface));
  write_whole(drawing, state_->path, state_->text);
}

}  // namespace acre::machines
