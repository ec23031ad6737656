// SPDX-License-Identifier: BSD-3-Clause
// Two entries that have one place, where nobody says what becomes of them.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace acre::csr {

/// Seen by the member that has their row; the others' error says only that one has failed.
class equal_places : public error {
 public:
  equal_places(std::size_t row, std::size_t column, const site& where);
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  [[nodiscard]] std::uint64_t column() const noexcept { return column_; }

 private:
  std::uint64_t row_;
  std::uint64_t column_;
};

/// What csr_builder::finish() threw on all members, as one error of a file: of the first row.
/// Collective. Cost: 1 allgather and 1 broadcast.
/// @param path  of the file
/// @param first  number of a row or column in it: 0 or 1
[[noreturn]] void throw_equal_places(const team& members, const char* call, const std::string& path,
                                     unsigned first, const std::exception& mine, const site& where);

}  // namespace acre::csr
