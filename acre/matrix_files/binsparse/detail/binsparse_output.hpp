// SPDX-License-Identifier: BSD-3-Clause
// Writes a CSR matrix into a Binsparse file.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_header.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_input.hpp>
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace acre::matrix_files {

[[nodiscard]] inline std::string in_group(std::string group, const std::string& name) {
  while (group.ends_with('/')) group.pop_back();
  return group + "/" + name;
}
[[nodiscard]] inline bool is_root(const std::string& group) {
  return group.find_first_not_of('/') == std::string::npos;
}

[[nodiscard]] inline hdf5_writer binsparse_writer(const team& members, const std::string& path,
                                                  const std::string& group, const site& where) {
  if (is_root(group)) return {members, path, where};
  return hdf5_writer::adding_to(members, path, where);
}

/// @param header  with symmetry; the rest is set. Collective
template <class T>
void write_csr(hdf5_writer& file, const std::string& group, const csr_matrix<T>& a,
               binsparse_header header, const site& where) {
  using part = typename base::part_of_number<T>::type;
  const team& members = a.members();
  const csr_rows<T> rows = a.local();
  const std::size_t entries = a.local_entries();
  header.rows = a.rows();
  header.columns = a.columns();
  header.entries = a.entries();
  header.pointers_to_1 = binsparse_type_of<std::uint64_t>();
  header.indices_1 = binsparse_type_of<column_t>();
  header.values = binsparse_type_of<part>();
  header.is_complex = base::is_complex<T>;
  header.is_iso = std::is_empty_v<T>;

  const bool is_last = members.rank() + 1 == members.size();
  const std::uint64_t before =
      members.exclusive_scan(std::uint64_t{entries}, std::uint64_t{0}, op::sum, where);
  std::vector<std::uint64_t> pointers(rows.count + (is_last ? 1 : 0), before + entries);
  for (std::size_t row = 0; row < rows.count; ++row) pointers[row] = before + rows.begin_of(row);
  file.store_joined(in_group(group, "pointers_to_1"), std::span<const std::uint64_t>(pointers),
                    where);
  file.store_joined(in_group(group, "indices_1"), std::span(rows.columns, entries), where);
  const std::string values = in_group(group, "values");
  if constexpr (std::is_empty_v<T>) {
    const std::uint8_t one[] = {1};
    const bool is_first = members.rank() == 0;
    file.store_joined(values, std::span<const std::uint8_t>(one, is_first ? 1 : 0), where);
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(rows.values);
    file.store_joined(values, std::span(bytes, entries), where);
  } else if constexpr (base::is_complex<T>) {
    const auto* parts = reinterpret_cast<const part*>(rows.values);
    file.store_joined(values, std::span(parts, 2 * entries), where);
  } else {
    file.store_joined(values, std::span(rows.values, entries), where);
  }
  file.attribute(is_root(group) ? "/" : group, "binsparse", text_of(header), where);
}

}  // namespace acre::matrix_files
