// Memory that ranks of other nodes have lent to this one, for what it wants to put there in one
// piece before it is taken to its place: stages of stage_bytes.
//
// Whom this rank puts to again has lent already: a stage is asked for once, and kept until another
// rank's is needed more. So a rank borrows a few of each other one, and not many of all. Who is
// asked lends as long as most of its private heap is free.
#pragma once

#include <acre/runtime/world.hpp>

#include <cstdint>

namespace acre::detail {

/// A stage that nobody uses; waits while all are in use, and for the owner that has to be asked
/// first: 2 M then. Any thread.
/// @return the bits of a pointer to it; 0 when its owner does not lend now
/// @throws acre::error when the network is lost
[[nodiscard]] std::uint64_t borrow_stage(rank_t owner);

/// It may be borrowed again. Any thread, in handlers too.
void give_stage_back(std::uint64_t bits) noexcept;

}  // namespace acre::detail
