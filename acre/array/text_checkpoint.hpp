// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of strings; any number of ranks restores them, in the same order.
//
//     acre::checkpoint(names, "names.acre");
#pragma once

#include <acre/array/text_array.hpp>
#include <acre/base/site.hpp>

#include <string>

namespace acre {

/// Collective. Replaces an old file atomically, even if a rank dies. Cost: 6 allgathers, a copy of
/// own strings, the writes.
/// @throws acre::error on all members if writing fails
void checkpoint(const text_array& text, const std::string& path,
                const site& where = site::current());

/// Replaces all strings; their numbers on members are equal up to 1. Collective. Cost: 5
/// allgathers, construction, rebalance(); reads an equal share of the file.
/// @throws acre::error on all members, without a change, if the file is unreadable, damaged, or of
/// another container
void restore(text_array& text, const std::string& path, const site& where = site::current());

}  // namespace acre
