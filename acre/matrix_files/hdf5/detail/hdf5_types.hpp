// SPDX-License-Identifier: BSD-3-Clause
// Types of HDF5 in memory and in files.
#pragma once

#include <acre/matrix_files/hdf5/detail/hdf5_handle.hpp>
#include <acre/matrix_files/hdf5/hdf5_element.hpp>

#include <string>

namespace acre::matrix_files::hdf5 {

[[nodiscard]] handle make_type(const hdf5_type& type);
/// NumPy's name: "float64".
[[nodiscard]] std::string type_text(handle::id type);
[[nodiscard]] bool holds_all(const hdf5_type& type, handle::id in_file);

}  // namespace acre::matrix_files::hdf5
