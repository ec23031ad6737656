// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices in files of HDF5 as Binsparse lays them out, read and written by all ranks at
// once.
//
//     acre::store_binsparse("a.h5", a);
//     const auto again = acre::load_binsparse<double>(acre::world(), "a.h5");
//
// Such a file has a dataset for each array of a format, and says in JSON, in the attribute
// "binsparse" of their group, which format, shape and types these are. So it is exact, shorter than
// text, and read by what there is for Python, Julia, MATLAB and C. Each rank reads an equal share
// of the entries, and sends them to who has their rows. CSR, CSC, DCSR, DCSC, COO (which is COOR)
// and COOC can be read, in whatever order entries are, with one value for all (iso), and of
// matrices that are symmetric, hermitian or skew-symmetric; what is written is CSR. What is wrong
// with a file is one error on all ranks, which names the file and the place in the dataset.
//
// Link acre::sparse and acre::hdf5.
//
// Source: Brock, Davis, Kitchen, Welch, Virshup, Ahrens: Binary Sparse Format Specification 0.1.
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

/// What an entry of such a file can become: a number, or nothing but that it is there.
template <class T>
concept binsparse_value =
    std::same_as<T, present> || (std::integral<T> && sizeof(T) <= sizeof(std::uint64_t)) ||
    std::same_as<typename base::part_of_number<T>::type, float> ||
    std::same_as<typename base::part_of_number<T>::type, double>;

/// A file of its own, which takes the place of what has the name; or, with the name of a group, one
/// more matrix in a file, in place of what the group has. Entries without a value are written as
/// one value, 1, that is all entries'. The file has its name when it is whole. Collective. Cost: 1
/// scan, and as hdf5_writer, which stores three datasets.
/// @throws acre::error on all members when the file cannot be written; what had the name before is
///         still there
template <binsparse_value T>
void store_binsparse(const std::string& path, const csr_matrix<T>& a,
                     const std::string& group = "/", const site& where = site::current()) {
  matrix_files::in_call("store_binsparse", [&] {
    hdf5_writer file = matrix_files::binsparse_writer(a.members(), path, group, where);
    matrix_files::write_csr(file, group, a, {}, where);
    file.close(where);
  });
}

/// Its rows are cut equally, or as `rows` says. T holds all values that the file's type has; or,
/// where all entries have one, this value. bint8 becomes 0 or 1, and complex numbers are read only
/// as these. Collective. Cost: some 40 allgathers and broadcasts, 1 alltoallv, and as csr_builder;
/// memory at each member some 5 times its share.
/// @throws acre::error on all members when the file cannot be read, has something else than it
/// says,
///         or what T cannot hold; or two entries have one place
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
  csr::check_equal("load_binsparse", "the rows of the file", header.rows, "those of the cut",
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
