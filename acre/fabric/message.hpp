// SPDX-License-Identifier: BSD-3-Clause
// An active message as every conduit carries it: a header of 16 bytes, up to
// eight 64-bit arguments, and a payload. Conduits move these bytes and do not
// look inside; what a handler number means is the runtime's business.
#pragma once

#include <acre/fabric/forward.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::fabric {

inline constexpr std::size_t max_arguments = 8;

/// The first 16 bytes of a message, in a ring and on the wire.
struct message_header {
  std::uint32_t payload_bytes = 0;
  std::uint8_t handler = 0;
  std::uint8_t argument_count = 0;
  std::uint16_t flags = 0;  ///< free for the runtime
  rank_t source = 0;
  std::uint32_t tag = 0;  ///< free for the sender
};
static_assert(sizeof(message_header) == 16);

/// A received message. What it refers to lives as long as the call that delivers it.
struct message {
  message_header header;
  std::span<const word> arguments;
  std::span<const std::byte> payload;
};

/// Takes what a conduit has received. `deliver` is called by the thread that
/// polls only, and never blocks; it may send where there is room.
class receiver {
 public:
  virtual void deliver(const message& received) = 0;
  /// Something has come that is no message of this job's ranks. Nobody but this has heard of it.
  virtual void note_refused() noexcept {}

 protected:
  ~receiver() = default;
};

}  // namespace acre::fabric
