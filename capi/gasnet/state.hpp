// SPDX-License-Identifier: BSD-3-Clause
// Segment locations of all nodes.
#pragma once

#include "gasnet.h"
#include <acre/runtime/reached.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::gasnet {

using runtime::world;

struct segments {
  /// For each node: this value plus an address in the node's segment is a runtime::reached.
  const std::uintptr_t* to_add = nullptr;
  const gasnet_seginfo_t* infos = nullptr;
  gasnet_node_t nodes = 0;
};
extern constinit segments all_segments;

class place : public runtime::reached {
 public:
  [[gnu::always_inline]] place(gasnet_node_t node, const void* address) noexcept
      : runtime::reached(reinterpret_cast<std::uintptr_t>(address) + all_segments.to_add[node]),
        node_(node) {}

  [[nodiscard, gnu::always_inline]] rank_t rank() const noexcept { return node_; }

 private:
  gasnet_node_t node_;
};

}  // namespace acre::gasnet
