// SPDX-License-Identifier: BSD-3-Clause
// Writes Binsparse files as other programs do.
#pragma once

#include <acre/global/team/team.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <hdf5.h>
#include <string>
#include <vector>

namespace acre::binsparse_test {

struct dataset {
  std::string name;
  hid_t type;
  std::vector<double> values;
};

/// @param more  e.g. ",\"structure\":\"symmetric_lower\""
inline std::string described(const std::string& format, const std::string& shape,
                             const std::string& values, const std::string& more = "") {
  return R"({"binsparse":{"version":"0.1","format":")" + format + R"(","shape":)" + shape +
         R"(,"number_of_stored_values":5,"data_types":{"pointers_to_1":"int32",)" +
         R"("indices_0":"int32","indices_1":"int32","values":")" + values + "\"}" + more + "}}";
}

/// Writes on rank 0. Alternates contiguous and chunked datasets, variable and fixed-length text.
inline void write_binsparse(const std::string& path, const std::string& text,
                            const std::vector<dataset>& datasets) {
  if (rank() == 0) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool is_in_chunks = text.size() % 2 == 0;
    for (const dataset& each : datasets) {
      const hsize_t count = each.values.size();
      const hid_t space = H5Screate_simple(1, &count, nullptr);
      const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
      const hsize_t chunk = 2;
      if (is_in_chunks && count >= chunk) H5Pset_chunk(how, 1, &chunk);
      is_in_chunks = !is_in_chunks;
      const hid_t made =
          H5Dcreate2(file, each.name.c_str(), each.type, space, H5P_DEFAULT, how, H5P_DEFAULT);
      EXPECT_GE(
          H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, each.values.data()), 0);
      H5Dclose(made);
      H5Pclose(how);
      H5Sclose(space);
    }
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool is_variable = datasets.size() % 2 == 0;
    H5Tset_size(type, is_variable ? H5T_VARIABLE : text.size());
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t said = H5Acreate2(file, "binsparse", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* const words = text.c_str();
    EXPECT_GE(H5Awrite(said, type, is_variable ? static_cast<const void*>(&words) : words), 0);
    H5Aclose(said);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
  }
  barrier();
}

}  // namespace acre::binsparse_test
