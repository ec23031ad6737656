// SPDX-License-Identifier: BSD-3-Clause
// Puts with a call that runs at the target after the data has arrived.
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

struct packed_call {
  callable_token invoker = callable_token::none;
  std::span<const std::byte> arguments;
};

/// Owned copy of a call. Counts as under way: drain() waits for it.
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
  void send() const;

 private:
  rank_t target_ = 0;
  callable_token invoker_ = callable_token::none;
  std::vector<std::byte> arguments_;
};

/// Sends a call, as rpc_ff() does, in order of issue. Cost: M.
void send_call(rank_t target, const packed_call& call);

enum class put_route : std::uint8_t { alone, one_message, call_follows, call_when_complete };
[[nodiscard]] put_route route_of_put(std::size_t bytes, const packed_call& call) noexcept;

/// Puts to another node, then runs the call there. Returns when the source is free; complete after
/// quiet().
void put_then_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                   const packed_call& call);
void put_value_then_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                         const packed_call& call);

/// True if puts of `bytes` have read their source at return.
[[nodiscard]] bool source_is_free_at_return(std::size_t bytes) noexcept;

/// As put_then_call(), without waiting. `done` completes with the data, before a call_when_complete
/// is sent; null: complete after quiet().
void start_put_with_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                         put_route route, const packed_call& call, fabric::operation* done);

[[nodiscard]] put_route route_of_box(const fabric::box& shape, const packed_call& call) noexcept;
void start_box_with_call(std::uint64_t target_bits, const void* source, const fabric::box& shape,
                         put_route route, const packed_call& call, fabric::operation& done);

}  // namespace acre::global
