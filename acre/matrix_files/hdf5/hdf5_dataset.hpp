// SPDX-License-Identifier: BSD-3-Clause
// Descriptions and attributes of datasets in files of HDF5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace acre {

/// The description of a dataset.
struct hdf5_dataset {
  std::string name;  ///< with its groups: "/fields/heat"
  std::string type;  ///< as NumPy writes it: "float64", "complex64", "{mass: float64}"
  std::vector<std::size_t> extents;  ///< empty: a single element
  std::string pattern;               ///< empty if none is stored
};

/// An attribute of a dataset, a group, or, by the name "/", a file.
using hdf5_value = std::variant<std::string, double, std::int64_t>;

}  // namespace acre
