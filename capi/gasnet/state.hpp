// SPDX-License-Identifier: BSD-3-Clause
// What every call of GASNet needs to know: where the segments of the nodes are.
#pragma once

#include "gasnet.h"
#include <acre/runtime/reached.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::gasnet {

using runtime::world;

/// Written by gasnet_attach(), read by all.
struct segments {
  /// For each node what to add to an address in its segment, as the node knows it: the sum is a
  /// runtime::reached.
  const std::uintptr_t* to_add = nullptr;
  const gasnet_seginfo_t* infos = nullptr;
  gasnet_node_t nodes = 0;  ///< 0 before gasnet_attach()
};
extern constinit segments all_segments;

/// Of a node and an address in its segment.
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
