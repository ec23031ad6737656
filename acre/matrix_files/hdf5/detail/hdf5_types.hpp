// SPDX-License-Identifier: BSD-3-Clause
// The types of HDF5: what Acre's elements are there, and what may be read as these.
#pragma once

#include <acre/matrix_files/hdf5/detail/hdf5_handle.hpp>
#include <acre/matrix_files/hdf5/hdf5_element.hpp>

#include <string>

namespace acre::matrix_files::hdf5 {

/// As elements lie in memory.
[[nodiscard]] handle make_type(const hdf5_type& type);
/// As NumPy says it.
[[nodiscard]] std::string type_text(handle::id type);
/// Whether all values of a type in a file are values of this one.
[[nodiscard]] bool holds_all(const hdf5_type& type, handle::id in_file);

}  // namespace acre::matrix_files::hdf5
