// SPDX-License-Identifier: BSD-3-Clause
// The mailbox of a rank: where the messages of collectives are matched with
// those who wait for them.
//
// A message is named by its envelope: team, number of the collective in that
// team, step of the algorithm, source. Whoever waits posts an `incoming` and
// co_awaits it; a message that comes first is kept. Long messages travel in
// pieces. Messages of one envelope are received in the order of sending.
//
// The handler is a built-in one: it only copies, so messages arrive in any call
// of the rank and in the helper thread. What waits goes on in the owner's
// progress().
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
  std::uint64_t channel = 0;  ///< team and number of the collective
  rank_t peer = 0;            ///< world rank: the source when received, the target when sent
  std::uint16_t step = 0;
  collective_kind kind = collective_kind::none;  ///< not compared when matching
};

/// A message, or a part of it, that has come or is waited for.
struct transfer {
  transfer* next = nullptr;
  envelope name;
  std::byte* data = nullptr;  ///< null: what comes is dropped
  std::size_t bytes = 0;
  std::size_t arrived = 0;
  bool begun = false;
  class incoming* owner = nullptr;
  owned_bytes storage;

  [[nodiscard]] bool complete() const noexcept { return begun && arrived == bytes; }
};

/// A message that is waited for, from when this is made:
///
///     co_await incoming(name, data);                        // data is there
///     const owned_bytes all = co_await incoming(name);      // of any size
///
/// The coroutine goes on in progress() of this rank. One at a time for each envelope.
class incoming : private runtime::deferred_task {
 public:
  /// Takes a message of exactly the target's size.
  incoming(const envelope& name, std::span<std::byte> target);
  /// Takes a message of any size.
  explicit incoming(const envelope& name);
  ~incoming();
  incoming(const incoming&) = delete;
  incoming& operator=(const incoming&) = delete;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  [[nodiscard]] bool await_suspend(std::coroutine_handle<> waiting) noexcept;
  /// @return the message of any size
  /// @throws acre::error when the sender is in another collective, sends another size, or
  ///         does not come any more
  owned_bytes await_resume();

 private:
  friend class mailbox;
  void post();
  [[noreturn]] void report(const std::string& problem) const;
  [[nodiscard]] std::string mismatch() const;

  transfer here_;
  const bool any_size_;
  const std::size_t target_bytes_ = 0;  ///< here_.bytes are those of what comes
  bool done_ = false;
  envelope other_;  ///< what came instead
  std::size_t other_bytes_ = 0;
  bool mismatch_ = false;
  bool resumed_ = false;
  std::coroutine_handle<> waiting_;
  // The roll call: how often it was looked at, and what came of asking.
  std::uint32_t looks_ = 0;
  bool asked_ = false;
  bool suspicious_ = false;
  std::optional<std::string> problem_;
};

/// Sends a message; `data` is free at return.
void post_message(const envelope& name, std::span<const std::byte> data);

/// Drops what is left of a job that has ended.
void clear_mailbox() noexcept;

}  // namespace acre::global
