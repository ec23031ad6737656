// Puts with a signal: who sees the signal sees the data.
#pragma once

#include "shmem.h"
#include "transfer.hpp"
#include <acre/fabric/atomic_operation.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace acre::shmem {

/// Sets the signal, or adds to it, after everything that this thread has put in the memory of
/// its own node; elsewhere after what is complete.
inline void send_signal(std::uint64_t* address, std::uint64_t signal, int operation, int pe) {
  using fabric::atomic_operation;
  if (std::uint64_t* there = mapped(address, pe)) [[likely]] {
    runtime::count(counted::direct_atomic);
    std::atomic_ref<std::uint64_t> word(*there);
    if (operation == SHMEM_SIGNAL_ADD) {
      word.fetch_add(signal);
    } else {
      word.store(signal, std::memory_order_release);
    }
    return;
  }
  runtime::post_remote_atomic(
      operation == SHMEM_SIGNAL_ADD ? atomic_operation::add : atomic_operation::store,
      fabric::atomic_type::uint64, remote(address, pe), signal);
}

/// To another node a signal is a message: sent when the data is there, unless messages follow puts.
template <source Source>
void put_signal(void* dest, const void* from, std::size_t bytes, std::uint64_t* address,
                std::uint64_t signal, int operation, int pe) {
  if (bytes == 0) {
    // The signal alone.
  } else if (mapped(dest, pe) != nullptr || world.conduit->offers().messages_follow_puts) {
    put<Source>(dest, from, bytes, pe);
  } else {
    runtime::put_remote(remote(dest, pe), from, bytes);
  }
  send_signal(address, signal, operation, pe);
}

}  // namespace acre::shmem
