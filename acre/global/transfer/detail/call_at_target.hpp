// SPDX-License-Identifier: BSD-3-Clause
// How a put brings a call along, to run where it has put.
#pragma once

#include <acre/global/wire/callable.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::global {

/// A function of rpc.hpp and the bytes of its arguments.
struct packed_call {
  callable_token invoker = callable_token::none;
  std::span<const std::byte> arguments;
};

/// The same for later, on its own. While it is kept it counts as under way: drain() waits for it.
class kept_call {
 public:
  kept_call() = default;
  kept_call(rank_t target, const packed_call& call);
  kept_call(kept_call&& other) noexcept
      : target_(other.target_),
        invoker_(std::exchange(other.invoker_, callable_token::none)),
        arguments_(std::move(other.arguments_)) {}
  kept_call& operator=(kept_call&&) = delete;
  ~kept_call();
  /// Sends it, if there is one.
  void send() const;

 private:
  rank_t target_ = 0;
  callable_token invoker_ = callable_token::none;
  std::vector<std::byte> arguments_;
};

/// Has the target run it. Calls of one rank at one other run in the order of issue. Cost: M.
void send_call(rank_t target, const packed_call& call);

/// How a put to another node goes with its call.
enum class put_route : std::uint8_t {
  alone,              ///< there is no call
  one_message,        ///< carries both; the source is free at return
  call_follows,       ///< the call is sent at once, and comes behind the data
  call_when_complete  ///< the call is sent when the data is there
};
[[nodiscard]] put_route route_of_put(std::size_t bytes, const packed_call& call) noexcept;

/// Puts to another node, and has its rank run the call then. Returns when the source is free.
/// Complete after quiet(). The source is the caller's memory, or what may be copied.
void put_then_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                   const packed_call& call);
void put_value_then_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                         const packed_call& call);

/// Whether so small a put has taken its source when it is issued.
[[nodiscard]] bool source_is_free_at_return(std::size_t bytes) noexcept;

/// The same without waiting; `done` is complete when the data is there, where the call is still to
/// be sent that waits for that. Without a record it is complete after quiet().
void start_put_with_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                         put_route route, const packed_call& call, fabric::operation* done);

/// The same for a box, which no message carries.
[[nodiscard]] put_route route_of_box(const fabric::box& shape, const packed_call& call) noexcept;
void start_box_with_call(std::uint64_t target_bits, const void* source, const fabric::box& shape,
                         put_route route, const packed_call& call, fabric::operation& done);

}  // namespace acre::global
