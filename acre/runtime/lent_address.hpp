// SPDX-License-Identifier: BSD-3-Clause
// Addresses that a query sends and its answer returns: 48 bits, and a 16-bit check of rank and kind
// with a random factor. Invalid ones of broken peers pass once in 65,536 times.
#pragma once

#include <acre/runtime/active_message.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <cstdint>

namespace acre::runtime {

inline constexpr unsigned address_bits = 48;
inline constexpr std::uint64_t address_mask = (std::uint64_t{1} << address_bits) - 1;

/// Odd; drawn before main().
extern constinit std::uint64_t check_factor;

[[noreturn]] void throw_not_lent(rank_t from);

/// Only the upper 32 bits serve as checks.
[[nodiscard]] inline std::uint64_t check_of(std::uint64_t address, std::uint64_t with) noexcept {
  return (address ^ with << 40 ^ with >> 24) * check_factor;
}

/// Converts a record's address to a word, which rank `asked` must return in its answer; null is 0.
[[nodiscard]] inline fabric::word lend(const void* record, rank_t asked,
                                       handler_id answer) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(record);
  if (address == 0) return 0;
  const std::uint64_t with = std::uint64_t{asked} << 8 | static_cast<std::uint8_t>(answer);
  return (address & address_mask) | (check_of(address, with) & ~address_mask);
}

/// Lent record, or null.
/// @param lent  word of the answer
/// @throws acre::error if this rank did not ask for it
template <class Record>
[[nodiscard]] Record* returned_or_null(const fabric::message_header& answer, fabric::word lent) {
  auto* const record = reinterpret_cast<Record*>(lent & address_mask);
  if (lend(record, answer.source, handler_id{answer.handler}) != lent) [[unlikely]] {
    throw_not_lent(answer.source);
  }
  return record;
}

/// As above, never null.
template <class Record>
[[nodiscard]] Record& returned(const fabric::message_header& answer, fabric::word lent) {
  auto* const record = returned_or_null<Record>(answer, lent);
  if (record == nullptr) [[unlikely]] {
    throw_not_lent(answer.source);
  }
  return *record;
}

/// Two words for a call's addresses, which any rank may return, as calls are forwarded.
using lent_pair = std::array<fabric::word, 2>;

/// @param second  0: no call waits, both words are 0
[[nodiscard]] inline lent_pair lend_pair(fabric::word first, fabric::word second) noexcept {
  if (second == 0) return {0, 0};
  const std::uint64_t check = check_of(first, second);
  return {first | (check & ~address_mask), second | (check << 16 & ~address_mask)};
}

[[nodiscard]] inline lent_pair returned_pair(fabric::word first, fabric::word second, rank_t from) {
  const lent_pair pair{first & address_mask, second & address_mask};
  if (pair[1] == 0 || lend_pair(pair[0], pair[1]) != lent_pair{first, second}) [[unlikely]] {
    throw_not_lent(from);
  }
  return pair;
}

}  // namespace acre::runtime
