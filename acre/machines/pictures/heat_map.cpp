// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/heat_map.hpp>

#include <acre/machines/pictures/canvas.hpp>
#include <acre/machines/pictures/floor_plan.hpp>
#include <acre/machines/pictures/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace acre::machines {
namespace {

constexpr double side = 500;
constexpr box field{78, 92, side, side};
constexpr box scale{field.x + side + 34, field.y, 16, side};
constexpr double map_width = scale.x + 110;
constexpr double page_height = field.y + side + 40;

class byte_scale {
 public:
  explicit byte_scale(const binned_traffic& shown) {
    for (const double each : shown.bytes) {
      if (each <= 0) continue;
      least_ = least_ > 0 ? std::min(least_, each) : each;
      most_ = std::max(most_, each);
    }
  }

  [[nodiscard]] bool empty() const { return most_ == 0; }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double share(double bytes) const {
    return most_ > least_ ? std::log(bytes / least_) / std::log(most_ / least_) : 1;
  }
  [[nodiscard]] static colour ink(double share) {
    constexpr double lightest = 0.12;
    return load_colour(lightest + (1 - lightest) * share);
  }

 private:
  double least_ = 0;
  double most_ = 0;
};

void draw_cells(canvas& page, const binned_traffic& shown, const byte_scale& of) {
  const double step = side / static_cast<double>(shown.bins);
  constexpr double beside_half_pixels = 1e-6;
  const auto edge = [&](std::size_t i) {
    return static_cast<double>(i) * step + beside_half_pixels;
  };
  boxes_by_colour cells;
  for (std::size_t from = 0; from < shown.bins; ++from) {
    for (std::size_t to = 0; to < shown.bins; ++to) {
      const double bytes = shown.from_to(from, to);
      if (bytes <= 0) continue;
      cells[byte_scale::ink(of.share(bytes))].push_back(
          {field.x + edge(to), field.y + edge(from), step, step});
    }
  }
  page.fill(cells);
  page.frame(field, grey, 0.7);
}

/// 1, 2 or 5 times a power of ten, for at most 8 labels.
mapping::rank_t tick_step(mapping::rank_t ranks) {
  constexpr mapping::rank_t most = 8;
  mapping::rank_t step = 1;
  for (unsigned i = 0; (ranks - 1) / step >= most; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

void draw_axes(canvas& page, const binned_traffic& shown, mapping::rank_t ranks) {
  const double each = side / (static_cast<double>(shown.bins) * shown.ranks_a_bin);
  const mapping::rank_t step = tick_step(ranks);
  for (mapping::rank_t rank = 0; rank < ranks; rank += step) {
    const double at = (rank + 0.5) * each;
    const std::string number = std::to_string(rank);
    page.line({field.x - 4, field.y + at}, {field.x, field.y + at}, grey, 0.7);
    page.line({field.x + at, field.y - 4}, {field.x + at, field.y}, grey, 0.7);
    page.text({field.x - 7, field.y + at + 3.5}, number, {.size = 10, .at = anchor::right});
    page.text({field.x + at, field.y - 8}, number, {.size = 10, .at = anchor::middle});
    if (ranks - rank <= step) break;
  }
  page.text({field.x - 7, field.y - 8}, "from", {.size = 10, .bold = true, .at = anchor::right});
  page.text({field.x + side + 7, field.y - 8}, "to", {.size = 10, .bold = true});
}

void draw_scale(canvas& page, const byte_scale& of) {
  constexpr std::size_t steps = 100;
  const double step = scale.height / steps;
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / steps;
    page.fill({scale.x, scale.y + scale.height - static_cast<double>(i + 1) * step, scale.width,
               step + 0.3},
              byte_scale::ink(of.most() > of.least() ? share : 1));
  }
  page.frame(scale, grey, 0.7);
  const auto mark = [&](double bytes) {
    const double y = scale.y + scale.height * (1 - of.share(bytes));
    page.line({scale.x + scale.width, y}, {scale.x + scale.width + 4, y}, grey, 0.7);
    page.text({scale.x + scale.width + 7, y + 3.5}, in_bytes(bytes), {.size = 10});
    return y;
  };
  const double top = mark(of.most());
  if (of.most() <= of.least()) return;
  const double bottom = mark(of.least());
  const auto first = static_cast<int>(std::ceil(std::log10(of.least())));
  const auto last = static_cast<int>(std::floor(std::log10(of.most())));
  const int step_of_powers = 1 + (last - first) / 10;
  constexpr double line_height = 13;
  for (int power = first; power <= last; power += step_of_powers) {
    const double bytes = std::pow(10, power);
    const double y = scale.y + scale.height * (1 - of.share(bytes));
    if (y - top > line_height && bottom - y > line_height) mark(bytes);
  }
}

void draw_words(canvas& page, const mapping::communication& what, const binned_traffic& shown,
                const byte_scale& of) {
  const text_style title{.size = 17, .bold = true};
  page.text({30, 30}, page.fitted(what.name, map_width - 60, title), title);
  const std::string words = of.empty()
                                ? "no rank sends data to another rank"
                                : fmt::format("{} ranks, {} between them; white: no bytes",
                                              what.traffic.ranks(), in_bytes(what.traffic.total()));
  page.text({30, 50}, words, {.size = 11, .ink = grey});
  if (shown.ranks_a_bin > 1) {
    page.text({field.x, field.y + side + 22},
              fmt::format("A cell is the sum over {0} sending ranks and {0} receiving ranks.",
                          shown.ranks_a_bin),
              {.size = 11, .ink = grey});
  }
}

}  // namespace

binned_traffic binned(const mapping::traffic& flows, std::size_t most) {
  const std::size_t ranks = flows.ranks();
  binned_traffic made;
  made.ranks_a_bin =
      static_cast<mapping::rank_t>(std::max<std::size_t>(1, (ranks + most - 1) / most));
  made.bins = (ranks + made.ranks_a_bin - 1) / made.ranks_a_bin;
  made.bytes.resize(made.bins * made.bins);
  for (mapping::rank_t from = 0; from < flows.ranks(); ++from) {
    for (const auto& [to, bytes] : flows.from(from)) {
      made.bytes[from / made.ranks_a_bin * made.bins + to / made.ranks_a_bin] += bytes;
    }
  }
  return made;
}

void draw_heat_map(const mapping::communication& what, const std::string& path) {
  const binned_traffic shown = binned(what.traffic, path.ends_with(".svg") ? 250 : 1000);
  const byte_scale of(shown);
  canvas page(path, map_width, page_height);
  draw_words(page, what, shown, of);
  draw_cells(page, shown, of);
  draw_axes(page, shown, what.traffic.ranks());
  if (!of.empty()) draw_scale(page, of);
  page.finish();
}

}  // namespace acre::machines
