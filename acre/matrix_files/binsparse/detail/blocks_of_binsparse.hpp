// SPDX-License-Identifier: BSD-3-Clause
// What a file of Binsparse says of blocks and their symmetry, and whether these are what is wanted.
// Nothing here reads a file.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_header.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acre::matrix_files {

/// @throws acre::error when a csr_matrix has not so many rows or columns
void check_size_of_rows(const binsparse_header& header, const std::string& path, const site& where);

/// What a file says of a matrix with this symmetry. Of real numbers, hermitian is symmetric.
[[nodiscard]] binsparse_header header_of_blocks(block_symmetry symmetry, bool of_complex);
/// That of a matrix which is made of a file: what is wanted, or what the file says.
/// @throws acre::error when the file does not have the symmetry that is wanted
[[nodiscard]] block_symmetry symmetry_of_blocks(const binsparse_header& header,
                                                std::optional<block_symmetry> wanted,
                                                const std::string& path, const site& where);
/// @throws acre::error when the file does not say how it is cut into blocks
void require_blocks(const binsparse_header& header, const std::string& path, const site& where);
/// Of what was read. @param what  was read, for errors
/// @throws acre::error when they are blocks of another matrix
[[nodiscard]] block_sizes sizes_of_blocks(std::vector<std::uint32_t> read, std::uint64_t elements,
                                          const std::string& what, const site& where);
/// @throws acre::error when the file has other rows or columns than are wanted
void check_elements(const binsparse_header& header, const block_distribution& wanted,
                    const std::string& path, const site& where);

}  // namespace acre::matrix_files
