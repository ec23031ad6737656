// SPDX-License-Identifier: BSD-3-Clause
// Small puts: one provider call each, force-inlined, as a function call would add a fifth. Volatile
// variables and assembly save instructions (tests/budgets).
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/remote_address.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/types.h>

namespace acre::runtime {

/// Retries a refused put.
/// @param result  of the first attempt, which was counted
void retry_put_word(ssize_t result, remote_address place, std::uint64_t value, std::size_t bytes);
void retry_put_small(ssize_t result, remote_address place, const void* source, std::size_t bytes);

/// Puts 1, 2, 4 or 8 bytes; `value` is copied at once.
/// @param target  rank, as wide as the provider needs
/// @param spare   see fabric::direct_line
template <fabric::region_key Region, class T>
  requires(std::has_single_bit(sizeof(T)) && sizeof(T) <= 8)
[[gnu::always_inline]] inline void put_remote_word_nbi(std::uint64_t target, std::uint64_t offset,
                                                       T value, const void* spare = nullptr) {
  // In the stack frame they cost one instruction each, against two to save a register.
  volatile std::uint64_t kept_target = target;
  volatile std::uint64_t kept_offset = offset;
  network_line.issued.fetch_add(1, std::memory_order_acq_rel);
  const ssize_t result =
      network_line.put(network_line.end, &value, sizeof(T), const_cast<void*>(spare), target,
                       offset, network_line.keys[Region], nullptr);
  count_sized<sizeof(T)>(counted::network_put_1, counted::network_put, counted::network_put_bytes);
  if (result != 0) [[unlikely]] {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    retry_put_word(result, {static_cast<rank_t>(kept_target), Region, kept_offset}, bits,
                   sizeof(T));
  }
}

/// As above, to a global pointer.
template <class T>
[[gnu::always_inline]] inline void put_remote_word_nbi(std::uint64_t pointer_bits, T value) {
  std::uint64_t offset = offset_mask;
#if defined(__x86_64__)
  // Compilers prefer the pointer's register, which costs a move.
  asm("andq %1, %0" : "+r"(offset) : "r"(pointer_bits) : "cc");
#else
  offset &= pointer_bits;
#endif
  put_remote_word_nbi<fabric::segment_region>(pointer_bits >> offset_bits, offset, value);
}

/// Puts up to fabric::direct_line::smallest_inject bytes.
/// @tparam Retry  replaces retry_put_small; may throw
template <fabric::region_key Region, auto Retry = &retry_put_small>
[[gnu::always_inline]] inline void put_remote_small_nbi(std::uint64_t target, std::uint64_t offset,
                                                        const void* source, std::size_t bytes) {
  volatile std::uint64_t kept_target = target;
  volatile std::uint64_t kept_offset = offset;
  const void* volatile kept_source = source;
  volatile std::size_t kept_bytes = bytes;
  network_line.issued.fetch_add(1, std::memory_order_acq_rel);
  const ssize_t result = network_line.put(network_line.end, source, bytes, nullptr, target, offset,
                                          network_line.keys[Region], nullptr);
  count(counted::network_put);
  count(counted::network_put_bytes, kept_bytes);
  if (result != 0) [[unlikely]] {
    Retry(result, {static_cast<rank_t>(kept_target), Region, kept_offset}, kept_source, kept_bytes);
  }
}

}  // namespace acre::runtime
