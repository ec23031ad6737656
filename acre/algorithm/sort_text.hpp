// SPDX-License-Identifier: BSD-3-Clause
// Sorts the strings of a text_array by their bytes, as std::string's operator<. Collective.
//
//     acre::sort(names);
//     acre::unique(names);
//
// A sample sort with regular samples (Shi and Schaeffer, 1992).
#pragma once

#include <acre/array/text_array.hpp>
#include <acre/base/site.hpp>

namespace acre {

/// Cost: local std::sort and merges; 3 allreduces, 1 allgather of s = max(16, size of the team)
/// strings of each member, 1 alltoallv of all strings, the construction of an array. Memory: 3
/// copies of own strings. No member receives more than 1 / size + 2 / s of all strings and one for
/// each member; rebalance() makes the numbers equal.
/// @throws acre::error on all members, without a change, for short memory
void sort(text_array& text, const site& where = site::current());

/// Removes all but the first of equal neighbours: of sorted strings, all duplicates. Cost: 1
/// allreduce, 2 R of one string, the construction of an array. Memory: a copy of own strings.
/// @throws acre::error on all members, without a change, for short memory
void unique(text_array& text, const site& where = site::current());

}  // namespace acre
