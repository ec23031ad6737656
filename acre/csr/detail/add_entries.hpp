// SPDX-License-Identifier: BSD-3-Clause
// Adds a matrix's entries to a builder.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>

namespace acre::csr {

/// Calls add(matrix row, column as stored, value) for each entry. Collective. Cost: 1 allreduce.
/// @throws as succeed_together()
template <class T, class Add>
void add_entries(const char* call, const team& members, const csr_rows<T>& rows, const site& where,
                 Add&& add) {
  global::succeed_together(
      members, call, where,
      [&] {
        for (std::size_t row = 0; row < rows.count; ++row) {
          for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
            add(rows.first + row, std::size_t{rows.columns[i]}, rows.value(i));
          }
        }
      },
      "adding its entries");
}

}  // namespace acre::csr
