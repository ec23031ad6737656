// SPDX-License-Identifier: BSD-3-Clause
// Matches messages of collectives with receivers by envelope, FIFO per envelope. Early messages are
// stored, long ones arrive in pieces. The handler only copies, in any call and in the helper
// thread; coroutines resume in progress().
#pragma once

#include <acre/global/team/detail/attendance.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/world.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace acre::global {

struct envelope {
  std::uint64_t channel = 0;
  rank_t peer = 0;
  std::uint16_t step = 0;
  collective_kind kind = collective_kind::none;
};

struct transfer {
  transfer* next = nullptr;
  envelope name;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t arrived = 0;
  bool begun = false;
  class incoming* owner = nullptr;
  owned_bytes storage;

  [[nodiscard]] bool complete() const noexcept { return begun && arrived == bytes; }
};

/// A message to receive. Posted at construction; one at a time per envelope.
class incoming : private runtime::deferred_task {
 public:
  incoming(const envelope& name, std::span<std::byte> target);
  explicit incoming(const envelope& name);
  ~incoming();
  incoming(const incoming&) = delete;
  incoming& operator=(const incoming&) = delete;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  [[nodiscard]] bool await_suspend(std::coroutine_handle<> waiting) noexcept;
  /// @return a message of any size; empty if received into a span
  /// @throws acre::error if the sender is elsewhere, sends another size, or will not arrive
  owned_bytes await_resume();

 private:
  friend class mailbox;
  void post();
  [[noreturn]] void report(const std::string& problem) const;
  [[nodiscard]] std::string mismatch() const;

  transfer here_;
  const bool any_size_;
  const std::size_t target_bytes_ = 0;
  bool done_ = false;
  envelope other_;
  std::size_t other_bytes_ = 0;
  bool mismatch_ = false;
  bool resumed_ = false;
  std::coroutine_handle<> waiting_;
  std::uint32_t looks_ = 0;
  bool asked_ = false;
  bool suspicious_ = false;
  std::optional<std::string> problem_;
};

void post_message(const envelope& name, std::span<const std::byte> data);

void clear_mailbox() noexcept;

}  // namespace acre::global
