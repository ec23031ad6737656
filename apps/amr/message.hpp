// SPDX-License-Identifier: BSD-3-Clause
// Messages between mesh nodes, each with its stage or change, so order is irrelevant. Faces and
// parts are the receiver's.
#pragma once

#include <apps/amr/cells.hpp>
#include <apps/amr/gravity.hpp>
#include <apps/amr/location.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

namespace acre::amr {

enum class relation : std::uint8_t { same, finer, coarser };

struct slab {
  enum class contents : std::uint8_t { ghosts, fluxes };
  contents what = contents::ghosts;
  face at = face::x_low;
  std::uint8_t part = 0;
  std::uint32_t stage = 0;
  values content;

  friend auto acre_fields(slab& s) { return std::tie(s.what, s.at, s.part, s.stage, s.content); }
};

/// To a neighbour at regrid: lower bound of the sender's next level.
struct wish {
  face at = face::x_low;
  std::uint8_t part = 0;
  std::uint32_t level = 0;
};

/// To the parent at regrid: its children must stay.
struct children_stay {};

/// To a child at regrid: it stays.
struct stay {};

/// To the parent: data of a merged child.
struct remains {
  std::uint8_t child = 0;
  std::uint32_t stage = 0;
  std::array<relation, axes> beyond = {};
  values means;

  friend auto acre_fields(remains& r) { return std::tie(r.child, r.stage, r.beyond, r.means); }
};

/// To the parent at a stage of the gas: sums of the sender.
struct masses {
  std::uint8_t child = 0;
  std::uint32_t stage = 0;
  double fastest = 0;  ///< signal, in cells per time
  sources below;       ///< empty without gravity

  friend auto acre_fields(masses& m) { return std::tie(m.child, m.stage, m.fastest, m.below); }
};

/// To a child, after all masses have reached the root.
struct handed {
  std::uint32_t stage = 0;
  double step = 0;  ///< of time
  sources outside;  ///< of the child

  friend auto acre_fields(handed& h) { return std::tie(h.stage, h.step, h.outside); }
};

using message = std::variant<slab, wish, children_stay, stay, remains, masses, handed>;

/// Bytes of values in a step's message; else 0.
[[nodiscard]] inline std::size_t bytes_of(const message& what) noexcept {
  if (const auto* const cells = std::get_if<slab>(&what)) {
    return cells->content.size() * sizeof(double);
  }
  if (const auto* const up = std::get_if<masses>(&what)) return up->below.bytes();
  if (const auto* const down = std::get_if<handed>(&what)) return down->outside.bytes();
  return 0;
}

struct letter {
  location to;
  message content;
};
using letters = std::vector<letter>;

}  // namespace acre::amr
