// SPDX-License-Identifier: BSD-3-Clause
// Header of a file of records.
#pragma once

#include <acre/base/checksum.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::global {

struct record_file_begin {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = 0;
  std::uint32_t format = 0;
  std::uint64_t bytes = 0;
  std::uint64_t description = 0;
  std::uint64_t check = 0;
  std::array<std::uint64_t, 3> unused{};
};
static_assert(sizeof(record_file_begin) == 64);

[[nodiscard]] inline std::uint64_t check_of(record_file_begin begin,
                                            std::span<const std::byte> description) {
  begin.check = 0;
  base::checksum sum;
  sum.add_object(begin);
  sum.add(description);
  return sum.sum();
}

}  // namespace acre::global
