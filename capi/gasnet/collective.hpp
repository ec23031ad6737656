// SPDX-License-Identifier: BSD-3-Clause
// Collectives in progress. A node notifies its senders that it has entered; each then sends its
// blocks directly to their place. So no message waits for its collective, and any address is
// allowed.
#pragma once

#include "gasnet_coll.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace acre::gasnet {

/// This node's blocks of a collective; both lists are sorted by node.
struct transfers {
  struct block {
    gasnet_node_t node;
    std::byte* address;
  };
  std::vector<block> sent;
  std::vector<block> received;
  /// Size of each block.
  std::size_t bytes = 0;
  /// The sent blocks are the received one (inner nodes of a broadcast).
  bool forwards = false;
  /// Called when data may move, and after all blocks have been sent and received; may be empty.
  std::function<void()> start;
  std::function<void()> finish;
  int flags = 0;
};

/// Nodes begin collectives in one order.
gasnet_coll_handle_t begin_collective(transfers&& own);
[[nodiscard]] bool is_complete(gasnet_coll_handle_t handle) noexcept;
/// Frees the record of a complete collective.
void end_collective(gasnet_coll_handle_t handle);
/// Sends the blocks that may be sent; called by all polls and waits.
void advance_collectives();

}  // namespace acre::gasnet
