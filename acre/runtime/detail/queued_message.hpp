// SPDX-License-Identifier: BSD-3-Clause
// Queued message in memory of a pool, which must outlive it.
#pragma once

#include <acre/runtime/active_message.hpp>
#include <acre/runtime/byte_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace acre::runtime {

struct alignas(std::max_align_t) queued_message {
  queued_message* next = nullptr;
  byte_pool* pool = nullptr;
  fabric::message_header header;
  rank_t target = 0;
  std::uint32_t units = 0;

  std::size_t bytes_to_come = 0;

  static queued_message* make(byte_pool& pool, const fabric::message_header& header) {
    auto* made = new (pool.allocate(bytes_for(header))) queued_message;
    made->pool = &pool;
    made->header = header;
    return made;
  }

  static queued_message* copy(byte_pool& pool, const fabric::message_header& header,
                              const word* arguments, const void* payload) {
    queued_message* kept = make(pool, header);
    const std::size_t argument_bytes = header.argument_count * sizeof(word);
    std::byte* body = kept->body();
    if (argument_bytes != 0) std::memcpy(body, arguments, argument_bytes);
    if (header.payload_bytes != 0)
      std::memcpy(body + argument_bytes, payload, header.payload_bytes);
    return kept;
  }

  static void operator delete(queued_message* gone, std::destroying_delete_t) {
    // Never null. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    gone->pool->give_back(gone, gone->bytes());
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_for(header); }

  [[nodiscard]] std::byte* body() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] const word* arguments() const noexcept {
    return reinterpret_cast<const word*>(this + 1);
  }
  [[nodiscard]] const std::byte* payload() const noexcept {
    return reinterpret_cast<const std::byte*>(arguments() + header.argument_count);
  }
  [[nodiscard]] message view() const noexcept {
    return {.header = header,
            .arguments = {arguments(), header.argument_count},
            .payload = {payload(), header.payload_bytes}};
  }

 private:
  [[nodiscard]] static std::size_t bytes_for(const fabric::message_header& header) noexcept {
    return sizeof(queued_message) + header.argument_count * sizeof(word) + header.payload_bytes;
  }
};

}  // namespace acre::runtime
