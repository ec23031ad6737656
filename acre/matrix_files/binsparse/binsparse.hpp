// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads sparse matrices in Binsparse HDF5 files, described by JSON in the group's
// attribute "binsparse".
//
//     acre::store_binsparse("a.h5", a);
//     const auto again = acre::load_binsparse<double>(acre::world(), "a.h5");
//
// Reads CSR, CSC, DCSR, DCSC, COO (COOR) and COOC, unsorted, iso-valued, with any symmetry; writes
// CSR. Link acre::sparse and acre::hdf5.
//
// Source: Binary Sparse Format Specification 0.1.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/team.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_input.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_output.hpp>
#include <acre/matrix_files/binsparse/detail/blocks_of_binsparse.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace acre {

/// Types of entries.
template <class T>
concept binsparse_value =
    std::same_as<T, present> || (std::integral<T> && sizeof(T) <= sizeof(std::uint64_t)) ||
    std::same_as<typename base::part_of_number<T>::type, float> ||
    std::same_as<typename base::part_of_number<T>::type, double>;

/// Writes a file or, with `group`, adds or replaces a group; the old file remains until completion.
/// Entries without a value get iso value 1. Collective. Cost: 1 scan + hdf5_writer with three
/// datasets.
/// @throws acre::error on all members when writing fails
template <binsparse_value T>
void store_binsparse(const std::string& path, const csr_matrix<T>& a,
                     const std::string& group = "/", const site& where = site::current()) {
  matrix_files::in_call("store_binsparse", [&] {
    hdf5_writer file = matrix_files::binsparse_writer(a.members(), path, group, where);
    matrix_files::write_csr(file, group, a, {}, where);
    file.close(where);
  });
}

/// Reads a matrix, its rows cut equally or as `rows`. T must hold all values of the file's type, or
/// the iso value; bint8 becomes 0 or 1. Collective. Cost: some 40 allgathers and broadcasts, 1
/// alltoallv, and csr_builder; memory: some 5 times a member's entries.
/// @throws acre::error on all members, with path and position, for files that are unreadable,
/// inconsistent, unfit for T, or contain duplicate entries
template <binsparse_value T>
[[nodiscard]] csr_matrix<T> load_binsparse(const team& members, const std::string& path,
                                           const std::optional<row_cut>& rows = std::nullopt,
                                           const std::string& group = "/",
                                           const site& where = site::current()) {
  matrix_files::binsparse_input file(members, path, group, where);
  file.check_type<T>();
  const matrix_files::binsparse_header& header = file.header();
  matrix_files::check_size_of_rows(header, path, where);
  const row_cut cut = rows ? *rows : row_cut::equal(header.rows, members.size());
  csr::check_equal("load_binsparse", "the rows of the file", header.rows, "the rows of the cut",
                   cut.rows(), where);
  csr_builder<T> triples(members, cut, header.columns, where);
  file.each_entry<T>([&](std::uint64_t row, std::uint64_t column, const T& value) {
    triples.add(row, column, value);
  });
  try {
    return triples.finish(where);
  } catch (const std::exception& failure) {
    csr::throw_equal_places(members, "load_binsparse", path, 0, failure, where);
  }
}

}  // namespace acre
