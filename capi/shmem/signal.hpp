// SPDX-License-Identifier: BSD-3-Clause
// Puts with a signal: the data is visible before the signal.
#pragma once

#include "shmem.h"
#include "transfer.hpp"
#include <acre/fabric/atomic_operation.hpp>
#include <acre/runtime/put_message.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace acre::shmem {

[[nodiscard]] constexpr fabric::atomic_operation atomic_of_signal(int operation) noexcept {
  return operation == SHMEM_SIGNAL_ADD ? fabric::atomic_operation::add
                                       : fabric::atomic_operation::store;
}

inline void put_then_signal(runtime::remote_address place, const void* from, std::size_t bytes,
                            std::uint64_t* address, std::uint64_t signal, int operation, int pe) {
  const runtime::remote_address word = remote(address, pe);
  runtime::put_then_signal(place, from, bytes,
                           {.operation = atomic_of_signal(operation),
                            .type = fabric::atomic_type::uint64,
                            .region = word.region,
                            .offset = word.offset,
                            .operand = signal});
}

/// Updates the signal. It becomes visible after this thread's puts to its own node, and after
/// completed remote puts.
inline void send_signal(std::uint64_t* address, std::uint64_t signal, int operation, int pe) {
  if (std::uint64_t* there = mapped(address, pe)) [[likely]] {
    runtime::count(runtime::counted::direct_atomic);
    std::atomic_ref<std::uint64_t> word(*there);
    if (operation == SHMEM_SIGNAL_ADD) {
      word.fetch_add(signal);
    } else {
      word.store(signal, std::memory_order_release);
    }
    return;
  }
  runtime::post_remote_atomic(atomic_of_signal(operation), fabric::atomic_type::uint64,
                              remote(address, pe), signal);
}

/// One message carries data and signal if it fits. Otherwise the signal follows; a remote put must
/// complete before, unless the conduit delivers messages after earlier puts.
template <source Source>
void put_signal(void* dest, const void* from, std::size_t bytes, std::uint64_t* address,
                std::uint64_t signal, int operation, int pe) {
  if (mapped(address, pe) == nullptr && runtime::fits_put_message(bytes)) {
    return put_then_signal(bytes == 0 ? remote(address, pe) : remote(dest, pe), from, bytes,
                           address, signal, operation, pe);
  }
  if (bytes == 0) {
  } else if (mapped(dest, pe) != nullptr || runtime::world.conduit->offers().messages_follow_puts) {
    put<Source>(dest, from, bytes, pe);
  } else {
    runtime::put_remote(remote(dest, pe), from, bytes);
  }
  send_signal(address, signal, operation, pe);
}

}  // namespace acre::shmem
