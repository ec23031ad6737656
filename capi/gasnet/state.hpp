// What every call of GASNet needs to know: where the segments of the nodes are.
#pragma once

#include "gasnet.h"
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::gasnet {

using runtime::world;

/// Written by gasnet_attach(), read by all.
struct segments {
  /// For each node what to add to an address in its segment, as the node knows it: the sum is
  /// the address of the same byte here; or, when its highest bit is set, that bit and the byte's
  /// offset in the Acre segment of the node, which is on another host.
  const std::uintptr_t* to_add = nullptr;
  const gasnet_seginfo_t* infos = nullptr;
  gasnet_node_t nodes = 0;  ///< 0 before gasnet_attach()
};
extern constinit segments all_segments;

inline constexpr std::uintptr_t elsewhere = std::uintptr_t{1} << 63;

/// Of a node and an address in its segment.
class place {
 public:
  [[gnu::always_inline]] place(gasnet_node_t node, const void* address) noexcept
      : sum_(reinterpret_cast<std::uintptr_t>(address) + all_segments.to_add[node]), node_(node) {}

  [[nodiscard, gnu::always_inline]] bool is_here() const noexcept {
    return static_cast<std::intptr_t>(sum_) >= 0;
  }
  [[nodiscard, gnu::always_inline]] std::byte* address() const noexcept {
    return reinterpret_cast<std::byte*>(sum_);
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t offset() const noexcept {
    return sum_ & ~elsewhere;
  }
  [[nodiscard, gnu::always_inline]] rank_t rank() const noexcept { return node_; }

 private:
  std::uintptr_t sum_;
  gasnet_node_t node_;
};

}  // namespace acre::gasnet
