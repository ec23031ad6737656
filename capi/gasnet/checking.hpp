// SPDX-License-Identifier: BSD-3-Clause
// Argument checks of GASNet calls, in builds with checks.
#pragma once

#include "failure.hpp"
#include "state.hpp"
#include <acre/base/checks.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace acre::gasnet {

inline void check_attached(const char* call) {
  if constexpr (acre::base::has_checks) {
    if (all_segments.nodes == 0) fail(call, "gasnet_attach() must be called before");
  }
}

inline void check(const char* call, gasnet_node_t node, const void* address, std::size_t bytes) {
  if constexpr (acre::base::has_checks) {
    check_attached(call);
    if (node >= all_segments.nodes) fail(call, "node " + std::to_string(node) + " is out of range");
    const gasnet_seginfo_t& segment = all_segments.infos[node];
    const std::uintptr_t offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(segment.addr);
    if (bytes != 0 && (offset >= segment.size || bytes > segment.size - offset)) {
      fail(call, "the address is not in the segment of node " + std::to_string(node));
    }
  }
}

inline void check_value(const char* call, std::size_t bytes) {
  if constexpr (acre::base::has_checks) {
    if (bytes > sizeof(gasnet_register_value_t)) {
      fail(call, "a value has at most 8 bytes, but nbytes is " + std::to_string(bytes));
    }
  }
}

}  // namespace acre::gasnet
