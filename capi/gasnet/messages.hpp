// SPDX-License-Identifier: BSD-3-Clause
// GASNet's active messages over Acre's. The tag contains handler index, argument count and
// category; a 64-bit word contains two arguments; a long message's address precedes its payload.
#pragma once

#include "gasnet.h"

#include <cstdint>
#include <span>

namespace acre::gasnet {

/// Assigns missing indices.
/// @return false if an index is taken or out of range, or a function is null
[[nodiscard]] bool register_handlers(std::span<gasnet_handlerentry_t> wanted);

void learn_limits() noexcept;

}  // namespace acre::gasnet

struct acre_gasnet_token {
  gasnet_node_t source;
  bool may_reply;
};
