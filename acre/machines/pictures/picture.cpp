// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/picture.hpp>

#include <acre/machines/pictures/parts.hpp>
#include <acre/machines/pictures/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace acre::machines {
namespace {

constexpr double page_width = 1240;
constexpr double margin = 30;
constexpr double between = 30;
constexpr double column = (page_width - 2 * margin - between) / 2;
constexpr double highest_plan = 460;
constexpr double hops_height = 250;
constexpr double head_height = 62;
constexpr double titles_height = 78;

constexpr std::array<double, 2> sides{margin, margin + column + between};

struct layout {
  layout(const mapping::problem& problem, const pictured& before, const pictured& after)
      : given(problem),
        shown{&before, &after},
        plan(plan_floor(problem.where, column, highest_plan)),
        on_map(has_link_map(problem.where, plan)),
        loads{link_loads(problem, before.places), link_loads(problem, after.places)},
        most_load(std::max(before.measured.largest_load, after.measured.largest_load)) {
    if (on_map) {
      links_height = plan.height;
    } else {
      kinds = link_kinds(given.where.network);
      links_height = link_profile_height(kinds.size());
    }
  }

  [[nodiscard]] double height() const {
    return head_height + 2 * titles_height + plan.height + links_height + 40 + hops_height + margin;
  }

  const mapping::problem& given;
  std::array<const pictured*, 2> shown;
  floor_plan plan;
  bool on_map;
  std::array<std::vector<double>, 2> loads;
  double most_load;
  std::vector<link_kind> kinds;
  double links_height = 0;
};

void draw_head(canvas& page, const layout& on) {
  const mapping::communication& what = on.given.what;
  const mapping::machine& where = on.given.where;
  const text_style title{.size = 19, .bold = true};
  const double width = page_width - 2 * margin;
  const std::string network = " on " + page.fitted(where.network.name(), width * 0.45, title);
  const std::string communication =
      page.fitted(what.name, width - page.width_of(network, title), title);
  page.text({margin, 32}, communication + network, title);
  const std::string words = fmt::format(
      "{} ranks on {} of the {} nodes, {} slots. Bytes and seconds are those of one round of the "
      "pattern: {} in all.",
      what.traffic.ranks(), where.allocation.shares().size(), where.network.nodes(),
      where.allocation.slots(), in_bytes(what.traffic.total()));
  page.text({margin, 51}, words, {.size = 11, .ink = grey});
}

void draw_titles(canvas& page, const layout& on, double y, const std::string& title) {
  page.line({margin, y + 4}, {page_width - margin, y + 4}, pale, 1);
  page.text({margin, y + 24}, title, {.size = 14, .bold = true});
  const std::array<std::string, 2> roles{"Default order: ", "Chosen order: "};
  for (std::size_t side = 0; side < 2; ++side) {
    const text_style style{.size = 11, .bold = true};
    page.text({sides[side], y + 66}, page.fitted(roles[side] + on.shown[side]->name, column, style),
              style);
  }
}

point middle_of(const layout& on, std::size_t side, double y) {
  return {sides[side] + (column - on.plan.width) / 2, y};
}

double draw_ranks_part(canvas& page, const layout& on, double y,
                       std::span<const std::string> node_names) {
  draw_titles(page, on, y, "Placement of the ranks");
  const auto& extents = on.given.what.extents;
  page.text(
      {margin, y + 44},
      "Squares are nodes (pale: not the job's). A colour is a rank's place (white: a free slot).",
      label_style);
  draw_rank_legend(page, {margin + 450, y + 44}, extents);
  y += titles_height;
  for (std::size_t side = 0; side < 2; ++side) {
    draw_ranks(page, middle_of(on, side, y), on.given, on.shown[side]->places, on.plan, node_names);
  }
  return y + on.plan.height;
}

double draw_links_part(canvas& page, const layout& on, double y) {
  draw_titles(page, on, y, "Load of the links");
  draw_load_legend(page, {margin, y + 44}, on.most_load);
  const bool map = on.on_map;
  const bool solid = map && on.given.where.network.extents().size() == 3;
  page.text({margin + 480, y + 44},
            solid
                ? "Squares are nodes: +z in the left half, -z in the right; links are beside them: "
                  "each way on its right."
            : map ? "Squares are nodes; links are beside them: each way on its right."
                  : "Links of each kind, the busiest first; the line above is the busiest of both.",
            label_style);
  y += titles_height;
  for (std::size_t side = 0; side < 2; ++side) {
    if (map) {
      draw_link_map(page, middle_of(on, side, y), on.given.where, on.loads[side], on.most_load,
                    on.plan);
    } else {
      draw_link_profile(page, {sides[side], y, column, on.links_height}, on.kinds, on.loads[side],
                        on.most_load);
    }
  }
  return y + on.links_height;
}

void draw_measures(canvas& page, const layout& on, double y) {
  const mapping::metrics& before = on.shown[0]->measured;
  const mapping::metrics& after = on.shown[1]->measured;
  const auto both = [](auto write, auto a, auto b) { return std::array{write(a), write(b)}; };
  const auto plain = [](double number) { return fmt::format("{:.2f}", number); };
  const auto whole = [](unsigned number) { return std::to_string(number); };
  const std::array<std::pair<const char*, std::array<std::string, 2>>, 6> rows{
      {{"Busiest link", both(in_seconds, before.largest_load, after.largest_load)},
       {"Links in use, on the average", both(in_seconds, before.mean_load, after.mean_load)},
       {"Bytes between nodes",
        both(in_bytes, before.bytes_between_nodes, after.bytes_between_nodes)},
       {"Hop-bytes", both(in_bytes, before.hop_bytes, after.hop_bytes)},
       {"Links that a byte crosses, on the average",
        both(plain, before.mean_hops(), after.mean_hops())},
       {"Links that a message crosses, at most",
        both(whole, before.largest_dilation, after.largest_dilation)}}};
  const double x = sides[1];
  const std::array<double, 2> ends{x + 400, x + 500};
  page.text({ends[0], y + 9}, "default", {.size = 10, .at = anchor::right, .ink = grey});
  page.text({ends[1], y + 9}, "chosen", {.size = 10, .at = anchor::right, .ink = grey});
  for (const auto& [name, values] : rows) {
    y += 26;
    page.text({x, y + 9}, name, {.size = 11});
    for (std::size_t side = 0; side < 2; ++side) {
      page.text({ends[side], y + 9}, values[side],
                {.size = 11, .bold = side == 1, .at = anchor::right});
    }
    page.line({x, y + 17}, {ends[1], y + 17}, pale, 0.7);
  }
}

void draw_hops_part(canvas& page, const layout& on, double y) {
  page.line({margin, y + 4}, {page_width - margin, y + 4}, pale, 1);
  page.text({margin, y + 24}, "Distance of the bytes", {.size = 14, .bold = true});
  page.text({sides[1], y + 24}, "Figures", {.size = 14, .bold = true});
  draw_hops(page, {margin, y + 38, column, hops_height}, on.shown[0]->measured,
            on.shown[1]->measured);
  draw_measures(page, on, y + 38);
}

}  // namespace

void draw(const mapping::problem& given, const pictured& before, const pictured& after,
          const std::string& path, std::span<const std::string> node_names) {
  const layout on(given, before, after);
  canvas page(path, page_width, on.height());
  draw_head(page, on);
  double y = draw_ranks_part(page, on, head_height, node_names);
  y = draw_links_part(page, on, y + 10);
  draw_hops_part(page, on, y + 10);
  page.finish();
}

}  // namespace acre::machines
