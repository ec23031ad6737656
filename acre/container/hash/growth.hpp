// SPDX-License-Identifier: BSD-3-Clause
// Growth mode of hash containers: manual or automatic.
#pragma once

#include <cstdint>

namespace acre {

/// Behaviour of a hash container if a key finds no free bucket.
///
/// An automatic container grows at any insertion: a rank that finds a part full, or its owner for
/// other nodes, adds a block from its private heap, usually as large as all before. Keys not found
/// in the first block cost R per further one. The next size(), sync(), grow_if_needed(), resize(),
/// rehash() or reserve() merges the blocks, with a load of at most 0.75 except by resize(). A key
/// is refused only if that heap is full or thousands of hashes nearly collide.
enum class growth : std::uint8_t {
  manual,  ///< grows by collective calls, as resize()
  automatic
};

}  // namespace acre
