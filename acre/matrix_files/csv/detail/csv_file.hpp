// SPDX-License-Identifier: BSD-3-Clause
// Files of text tables: bytes, lines and errors.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace acre::matrix_files {

struct csv_shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};
/// @throws acre::error for more than two dimensions
[[nodiscard]] csv_shape csv_extents(std::span<const std::size_t> extents, const site& where);

/// @throws acre::error for parts of numbers, '#' and ends of lines
void require_delimiter(const char* call, char delimiter, const site& where);

/// Writes the header, and the members' texts in their order. Collective.
/// @throws acre::error on all members if writing fails
void write_csv(const team& members, const std::string& path, const std::string& header,
               std::string_view text, const site& where);

/// Rows of a file; this member has read those from first_row on.
struct csv_rows_found {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t first_row = 0;
};
/// Calls read(text), false if invalid, for each value of this member's share. Collective.
/// @throws acre::error on all members if reading fails, for the first invalid line
[[nodiscard]] csv_rows_found read_csv(const team& members, const std::string& path, char delimiter,
                                      std::size_t header_lines,
                                      const std::function<bool(std::string_view)>& read,
                                      const site& where);

}  // namespace acre::matrix_files
