// SPDX-License-Identifier: BSD-3-Clause
// Checks a Binsparse file's blocks and symmetry against the requested ones.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_header.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acre::matrix_files {

/// @throws acre::error when extents exceed a csr_matrix's
void check_size_of_rows(const binsparse_header& header, const std::string& path, const site& where);

/// Header of a symmetry; real hermitian becomes symmetric.
[[nodiscard]] binsparse_header header_of_blocks(block_symmetry symmetry, bool of_complex);
/// Returns `wanted` or the file's symmetry. @throws acre::error on conflict
[[nodiscard]] block_symmetry symmetry_of_blocks(const binsparse_header& header,
                                                std::optional<block_symmetry> wanted,
                                                const std::string& path, const site& where);
void require_blocks(const binsparse_header& header, const std::string& path, const site& where);
/// @param what  source, for errors
/// @throws acre::error unless they sum to `elements`
[[nodiscard]] block_sizes sizes_of_blocks(std::vector<std::uint32_t> read, std::uint64_t elements,
                                          const std::string& what, const site& where);
void check_elements(const binsparse_header& header, const block_distribution& wanted,
                    const std::string& path, const site& where);

}  // namespace acre::matrix_files
