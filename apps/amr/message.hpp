// SPDX-License-Identifier: BSD-3-Clause
// What nodes of the mesh tell each other.
//
// No message needs an answer, and none must come before another: each says what it belongs to.
// Faces and parts are those of the node that receives.
#pragma once

#include <apps/amr/cells.hpp>
#include <apps/amr/location.hpp>

#include <array>
#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

namespace acre::amr {

/// How large what lies behind a face is, seen from a leaf.
enum class relation : std::uint8_t { same, finer, coarser };

/// Between neighbours, in each stage.
struct slab {
  enum class contents : std::uint8_t { ghosts, fluxes };
  contents what = contents::ghosts;
  face at = face::x_low;
  std::uint8_t part = 0;  ///< of the face, where the sender is finer
  std::uint32_t stage = 0;
  values content;

  friend auto acre_fields(slab& s) { return std::tie(s.what, s.at, s.part, s.stage, s.content); }
};

/// Between neighbours, when the mesh changes: "I shall be at this level, or deeper".
struct wish {
  face at = face::x_low;
  std::uint8_t part = 0;
  std::uint32_t level = 0;
};

/// To the parent, when the mesh changes: "your children cannot go".
struct children_stay {};

/// To a child, when the mesh changes: "your siblings stay, so you do".
struct stay {};

/// To the parent: a child that goes.
struct remains {
  std::uint8_t child = 0;
  std::uint32_t stage = 0;
  std::array<relation, axes> beyond = {};  ///< its outer faces, as the parent will see it
  values means;                            ///< 4 x 4 x 4

  friend auto acre_fields(remains& r) { return std::tie(r.child, r.stage, r.beyond, r.means); }
};

using message = std::variant<slab, wish, children_stay, stay, remains>;

struct letter {
  location to;
  message content;
};
using letters = std::vector<letter>;

}  // namespace acre::amr
