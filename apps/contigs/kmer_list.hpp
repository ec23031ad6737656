// SPDX-License-Identifier: BSD-3-Clause
// Lists of k-mers with extensions, as Meraculous writes them. Line: KMER, tab, left and right
// letter: a base, F (fork) or X (missing). Plain or gzip.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace acre::contigs {

/// Returns k by the first line; empty if not a list.
/// @throws acre::error if unreadable
[[nodiscard]] std::optional<unsigned> k_of_list(const std::string& path);

enum class listed { inner, all };

/// Calls `take(letters, left, right)` for this rank's part of the lists; with `inner` only for
/// k-mers with both bases. One rank reads a gzip file.
/// @throws acre::error with file and line on an invalid line or another k
void read_lists(std::span<const std::string> paths, unsigned k, std::uint32_t rank,
                std::uint32_t ranks,
                const std::function<void(std::string_view letters, char left, char right)>& take,
                listed which = listed::inner);

}  // namespace acre::contigs
