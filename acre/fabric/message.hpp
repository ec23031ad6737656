// SPDX-License-Identifier: BSD-3-Clause
// An active message: 16-byte header, up to eight 64-bit arguments, payload. Conduits do not
// interpret them.
#pragma once

#include <acre/fabric/forward.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::fabric {

inline constexpr std::size_t max_arguments = 8;

struct message_header {
  std::uint32_t payload_bytes = 0;
  std::uint8_t handler = 0;
  std::uint8_t argument_count = 0;
  std::uint16_t flags = 0;
  rank_t source = 0;
  std::uint32_t tag = 0;
};
static_assert(sizeof(message_header) == 16);

/// Beginning of a message in transit.
struct message_head {
  std::uint64_t seal = 0;  ///< of the conduit
  message_header header;
};

struct message {
  message_header header;
  std::span<const word> arguments;
  std::span<const std::byte> payload;
};

/// deliver() is called only by the polling thread; it may send, not block.
class receiver {
 public:
  virtual void deliver(const message& received) = 0;
  /// Called for received data that is not a message of this job.
  virtual void note_refused() noexcept {}
  /// Called for each message of a job without seals.
  virtual void note_unsealed() noexcept {}

 protected:
  ~receiver() = default;
};

}  // namespace acre::fabric
