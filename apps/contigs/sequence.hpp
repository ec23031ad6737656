// SPDX-License-Identifier: BSD-3-Clause
// Canonical sequence of a path, independent of start and direction.
#pragma once

#include <apps/genome/kmer.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace acre::contigs {

[[nodiscard]] std::string reverse_complement(std::string_view letters);

/// Smaller of a sequence and its reverse complement.
[[nodiscard]] std::string canonical_line(std::string letters);

/// One turn from the smallest canonical k-mer, in its direction: number of k-mers plus k - 1
/// letters.
/// @param circle  ACGT letters from any start, possibly fewer than k
template <std::size_t Words>
[[nodiscard]] std::string canonical_circle(std::string_view circle, unsigned k);

extern template std::string canonical_circle<1>(std::string_view, unsigned);
extern template std::string canonical_circle<2>(std::string_view, unsigned);

}  // namespace acre::contigs
