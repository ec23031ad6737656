// SPDX-License-Identifier: BSD-3-Clause
// Values of varying size in messages, as records of length and bytes.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/global/owner/at_owner.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::container {

[[nodiscard]] constexpr std::size_t record_bytes(std::size_t bytes) noexcept {
  return sizeof(std::uint64_t) + bytes;
}

/// @return start of the next record
inline std::byte* write_record(std::byte* to, std::span<const std::byte> bytes) noexcept {
  const std::uint64_t length = bytes.size();
  std::memcpy(to, &length, sizeof(length));
  if (length != 0) std::memcpy(to + sizeof(length), bytes.data(), length);
  return to + record_bytes(length);
}

template <class F>
void for_each_record(std::span<const std::byte> records, std::uint64_t count, F&& f) {
  for (; count != 0; --count) {
    std::uint64_t length = 0;
    if (records.size() < sizeof(length)) at_owner::throw_not_here();
    std::memcpy(&length, records.data(), sizeof(length));
    if (length > records.size() - sizeof(length)) at_owner::throw_not_here();
    f(records.subspan(sizeof(length), length));
    records = records.subspan(smaller(record_bytes(length), records.size()));
  }
}

}  // namespace acre::container
