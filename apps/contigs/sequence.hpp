// SPDX-License-Identifier: BSD-3-Clause
// The sequence of a path, in the one form that does not depend on where and in which direction
// the path was read.
#pragma once

#include <apps/genome/kmer.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace acre::contigs {

[[nodiscard]] std::string reverse_complement(std::string_view letters);

/// The smaller of a sequence and its reverse complement.
[[nodiscard]] std::string canonical_line(std::string letters);

/// Once around from the smallest canonical k-mer, in the direction in which it is read as it is,
/// until all k-mers are spelled: as many letters as there are k-mers, and k - 1.
/// @param circle  its letters, of ACGT, from anywhere; they may be fewer than k
template <std::size_t Words>
[[nodiscard]] std::string canonical_circle(std::string_view circle, unsigned k);

extern template std::string canonical_circle<1>(std::string_view, unsigned);
extern template std::string canonical_circle<2>(std::string_view, unsigned);

}  // namespace acre::contigs
