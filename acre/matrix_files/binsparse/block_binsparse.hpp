// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads block matrices in Binsparse files: CSR, or the lower triangle. The JSON names
// the datasets of block sizes, "acre_row_blocks" and "acre_column_blocks", for Acre only.
//
//     acre::store_binsparse("h.h5", h);
//     auto again = acre::load_binsparse_blocks<double>(acre::world(), "h.h5");
//
// Link acre::sparse and acre::hdf5.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/matrix_files/binsparse/binsparse.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_input.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_output.hpp>
#include <acre/matrix_files/binsparse/detail/blocks_of_binsparse.hpp>
#include <acre/matrix_files/detail/each_stored_element.hpp>
#include <acre/matrix_files/detail/element_exchange.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace acre {

namespace matrix_files {

/// Reads block sizes. Collective. @throws acre::error when they are missing or do not fit
[[nodiscard]] inline block_distribution blocks_of(binsparse_input& file, const team& members,
                                                  const std::string& path, const site& where) {
  const binsparse_header& header = file.header();
  require_blocks(header, path, where);
  const auto read = [&](const std::string& name, std::uint64_t elements) {
    return sizes_of_blocks(file.numbers(name), elements, path + ": " + name, where);
  };
  block_sizes rows = read(header.row_blocks, header.rows);
  block_sizes columns = read(header.column_blocks, header.columns);
  return {std::move(rows), std::move(columns), members.size()};
}

inline void write_sizes(hdf5_writer& file, const std::string& name, const team& members,
                        const block_sizes& sizes, const site& where) {
  const bool is_first = members.rank() == 0;
  file.store_joined(name, is_first ? sizes.sizes() : std::span<const std::uint32_t>(), where);
}

}  // namespace matrix_files

/// Writes all elements of blocks, zeros included, to a file or, with `group`, into a group.
/// Collective. Cost: 1 allreduce, csr_builder with a copy + hdf5_writer with five datasets.
/// @throws acre::error on all members when writing fails, columns exceed 2^32 - 1, or a diagonal
/// block violates the symmetry
template <class T>
void store_binsparse(const std::string& path, const block_matrix<T>& matrix,
                     const std::string& group = "/", const site& where = site::current()) {
  const team& members = matrix.members();
  global::succeed_together(
      members, "store_binsparse", where,
      [&] { matrix_files::check_diagonal("store_binsparse", matrix, where); },
      "the check of its elements");
  matrix_files::in_call("store_binsparse", [&] {
    csr_builder<T> elements(members, matrix.rows().elements(), matrix.columns().elements(), where);
    matrix_files::each_stored_element(matrix,
                                      [&](std::size_t row, std::size_t column, const T& value) {
                                        elements.add(row, column, value);
                                      });
    const csr_matrix<T> rows = elements.finish(where);
    const auto header = matrix_files::header_of_blocks(matrix.symmetry(), base::is_complex<T>);
    hdf5_writer file = matrix_files::binsparse_writer(members, path, group, where);
    matrix_files::write_sizes(file, matrix_files::in_group(group, header.row_blocks), members,
                              matrix.rows(), where);
    matrix_files::write_sizes(file, matrix_files::in_group(group, header.column_blocks), members,
                              matrix.columns(), where);
    matrix_files::write_csr(file, group, rows, header, where);
    file.close(where);
  });
}

/// Reads the file's blocks, distributed evenly or as `lies`; blocks without entries are
/// absent. `symmetry` is the file's (default) or `none`; real symmetric files may be hermitian.
/// Collective. Cost: some 50 allgathers and broadcasts, 2 alltoallv + finalise(); memory: some 8
/// times a member's elements.
/// @throws acre::error on all members as load_binsparse(); also if block sizes are missing, or
/// extents or symmetry differ
template <class T>
[[nodiscard]] block_matrix<T> load_binsparse_blocks(
    const team& members, const std::string& path,
    const std::optional<block_distribution>& lies = std::nullopt,
    const std::optional<block_symmetry>& symmetry = std::nullopt, const std::string& group = "/",
    const site& where = site::current()) {
  constexpr const char* call = "load_binsparse_blocks";
  return matrix_files::in_call(call, [&] {
    matrix_files::binsparse_input file(members, path, group, where);
    file.check_type<T>();
    const block_symmetry has =
        matrix_files::symmetry_of_blocks(file.header(), symmetry, path, where);
    const block_distribution blocks =
        lies ? *lies : matrix_files::blocks_of(file, members, path, where);
    matrix_files::check_elements(file.header(), blocks, path, where);
    block_matrix<T> loaded(members, blocks, has, where);
    matrix_files::element_exchange<T> elements(blocks, has);
    file.each_entry<T>([&](std::uint64_t row, std::uint64_t column, const T& value) {
      elements.add(row, column, value);
    });
    elements.give_to(loaded, call, path, where);
    return loaded;
  });
}

}  // namespace acre
