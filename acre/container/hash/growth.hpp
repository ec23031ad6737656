// SPDX-License-Identifier: BSD-3-Clause
// Whether a hash container makes itself larger.
#pragma once

#include <cstdint>

namespace acre {

/// What a container does about keys that find no room.
///
/// An automatic one takes them all, at any time, from any rank, by any call. Where a part is
/// full, whoever finds that adds a block to it, as large as all that it has, from the private
/// heap of a rank of the owner's node. That is no collective call, and keys stay where they are;
/// but what is looked for and not found in the first block costs R for each further one. The
/// next collective call that counts or makes room (size(), sync(), grow_if_needed(), resize(),
/// rehash(), reserve()) moves each part to one block again, with a load of at most three
/// quarters. So a program that calls one of them now and then has what it reserved for; one that
/// never does is right, and slower. A key is refused only where its owner's node has no memory,
/// or when thousands of keys have nearly the same hash; the error says which.
enum class growth : std::uint8_t {
  manual,    ///< resize(), grow_if_needed(); what finds no room is an error
  automatic  ///< grows when needed
};

}  // namespace acre
