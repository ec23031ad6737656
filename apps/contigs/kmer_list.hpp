// SPDX-License-Identifier: BSD-3-Clause
// Lists of k-mers with their extensions, as Meraculous writes them.
//
// A line is KMER, a tab, and two letters for what the reads have left and right of it: a base, F
// (fork: several) or X (nothing). A file may be plain or gzip.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace acre::contigs {

/// The k of a list, told by its first line; nothing when the file is something else.
/// @throws acre::error when it cannot be read
[[nodiscard]] std::optional<unsigned> k_of_list(const std::string& path);

/// Which k-mers of a list are read: those that have a base on both sides, or all.
enum class listed { inner, all };

/// Calls `take(letters, left, right)` for the k-mers of this rank's part of the lists. Plain files
/// are cut into equal parts, a gzip file is read by one rank.
/// @throws acre::error with file and line for what is no such line, or has another k
void read_lists(std::span<const std::string> paths, unsigned k, std::uint32_t rank,
                std::uint32_t ranks,
                const std::function<void(std::string_view letters, char left, char right)>& take,
                listed which = listed::inner);

}  // namespace acre::contigs
