// SPDX-License-Identifier: BSD-3-Clause
// Description and attributes of an HDF5 dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace acre {

struct hdf5_dataset {
  std::string name;                  ///< with groups: "/fields/heat"
  std::string type;                  ///< "float64", "int32 (big-endian)"
  std::vector<std::size_t> extents;  ///< empty: scalar
  std::string pattern;               ///< of the stored array; may be empty
};

/// Attribute value.
using hdf5_value = std::variant<std::string, double, std::int64_t>;

}  // namespace acre
