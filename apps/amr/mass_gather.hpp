// SPDX-License-Identifier: BSD-3-Clause
// An inner node's part in a stage: it gathers its children's masses and fastest signal for its
// parent, then hands down the time step and the masses outside of each child. Sums are in the
// children's order, so their bits are reproducible.
#pragma once

#include <apps/amr/message.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace acre::amr {

class mass_gather {
 public:
  /// @return true if all children's masses have arrived
  /// @throws acre::error for another stage's message or a repeated one
  bool add(masses& what, const location& node);
  [[nodiscard]] masses sum(const location& node) const;
  [[nodiscard]] double fastest() const noexcept { return fastest_; }
  /// Returns messages to the children; resets the masses.
  [[nodiscard]] letters hand_down(const handed& from_above, const location& node);

  friend auto acre_fields(mass_gather& g) {
    return std::tie(g.of_children_, g.fastest_, g.stage_, g.come_);
  }

 private:
  std::array<sources, children_of_node> of_children_;
  double fastest_ = 0;
  std::uint32_t stage_ = 0;
  std::uint32_t come_ = 0;  ///< a bit for each child
};

}  // namespace acre::amr
