// SPDX-License-Identifier: BSD-3-Clause
// Reply address of a call.
#pragma once

#include <acre/fabric/message.hpp>
#include <acre/runtime/world.hpp>

namespace acre::global {

/// Only the caller's process can interpret the two words.
struct rpc_return_address {
  rank_t caller;
  fabric::word promise;
  fabric::word finisher;
  bool may_be_gathered = false;
  [[nodiscard]] bool is_awaited() const noexcept { return finisher != 0; }
};

}  // namespace acre::global
