// SPDX-License-Identifier: BSD-3-Clause
// An inner node's part in the sum up the tree and the way down, once a stage: it gathers its
// children's masses and fastest signal for its parent, then hands down to each child the time step
// and the masses that the child does not have. The sum is in the children's order, so its bits do
// not depend on the order of messages.
#pragma once

#include <apps/amr/message.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace acre::amr {

class mass_gather {
 public:
  /// @return true if all children's masses of the stage have come
  /// @throws acre::error if the message belongs to another stage, or came twice
  bool add(masses& what, const location& node);
  /// For the parent.
  [[nodiscard]] masses sum(const location& node) const;
  [[nodiscard]] double fastest() const noexcept { return fastest_; }
  /// Messages to the children; forgets their masses.
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
