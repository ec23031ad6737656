// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/picture.hpp>

#include <acre/machines/pictures/canvas.hpp>
#include <acre/machines/pictures/colour.hpp>

#include <vector>

namespace acre::amr {
namespace {

constexpr double side = 400;
constexpr double lines = 0.5;

machines::colour colour_of(std::uint32_t owner, std::uint32_t owners) {
  constexpr double strength = 0.12;
  const double lightness = owner % 2 == 0 ? 0.82 : 0.66;
  return machines::oklch(lightness, strength, static_cast<double>(owner) / owners);
}

machines::box box_of(const location& leaf) {
  const double length = leaf.side() * side;
  return {leaf.at[0] * length, side - (leaf.at[1] + 1) * length, length, length};
}

}  // namespace

bool is_in_picture(const location& leaf) noexcept {
  return leaf.level == 0 || leaf.at[2] == (std::uint32_t{1} << (leaf.level - 1));
}

void draw(std::span<const owned_leaf> leaves, std::uint32_t owners, const std::string& path) {
  machines::canvas page(path, side, side);
  machines::boxes_by_colour filled;
  std::vector<machines::box> frames;
  for (const owned_leaf& each : leaves) {
    if (!is_in_picture(each.where)) continue;
    filled[colour_of(each.owner, owners)].push_back(box_of(each.where));
    frames.push_back(box_of(each.where));
  }
  page.fill(filled);
  page.frame(frames, machines::black, lines);
  page.finish();
}

}  // namespace acre::amr
