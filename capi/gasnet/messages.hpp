// SPDX-License-Identifier: BSD-3-Clause
// Active messages of GASNet as those of Acre: the index of the handler, the number of arguments
// and the category travel in the message's tag, two arguments in a word, and the address of a
// long message before its payload.
#pragma once

#include "gasnet.h"

#include <cstdint>
#include <span>

namespace acre::gasnet {

/// Those of a program; chooses indices for those that have none.
/// @return false when an index is taken or out of range
[[nodiscard]] bool register_handlers(std::span<gasnet_handlerentry_t> wanted);

/// When there is a job: keeps what it says of messages.
void learn_limits() noexcept;

}  // namespace acre::gasnet

/// What a handler answers to.
struct acre_gasnet_token {
  gasnet_node_t source;
  bool may_reply;
};
