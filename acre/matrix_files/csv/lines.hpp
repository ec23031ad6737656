// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores the lines of text files as strings.
//
//     acre::text_array lines = acre::load_lines(acre::world(), "log.txt");
//     acre::store_lines("sorted.txt", lines);
//
// All members must see the file. The old file remains until completion, and after failures.
#pragma once

#include <acre/array/text_array.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <string>

namespace acre {

/// In their order. Collective. Cost: 2 allgathers, 1 allreduce, the construction; each member reads
/// an equal part. Memory: twice this part.
/// @throws acre::error on all members if reading fails, or memory is short
[[nodiscard]] text_array load_lines(const team& members, const std::string& path,
                                    const site& where = site::current());

/// Collective. Cost: 5 allgathers, 1 allreduce, 1 broadcast, 1 scan. Memory: a copy of own strings.
/// @throws acre::error on all members if writing fails, or a string contains a line break
void store_lines(const std::string& path, const text_array& text,
                 const site& where = site::current());

}  // namespace acre
