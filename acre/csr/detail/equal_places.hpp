// SPDX-License-Identifier: BSD-3-Clause
// Error for entries in equal places, thrown on all members.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace acre::csr {

class equal_places : public error {
 public:
  equal_places(std::size_t row, std::size_t column, const site& where);
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  [[nodiscard]] std::uint64_t column() const noexcept { return column_; }

 private:
  std::uint64_t row_;
  std::uint64_t column_;
};

/// Throws on all members the error of the first row with two entries in one place. Collective.
/// Cost: 1 allgather + 1 broadcast.
/// @param first  number of the first row and column in the file
[[noreturn]] void throw_equal_places(const team& members, const char* call, const std::string& path,
                                     unsigned first, const std::exception& mine, const site& where);

}  // namespace acre::csr
