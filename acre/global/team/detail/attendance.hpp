// SPDX-License-Identifier: BSD-3-Clause
// A rank's record of a team's collectives: number entered, recent marks, failures. Other ranks
// query it (roll_call.hpp). Costs three stores per collective.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace acre::global {

enum class collective_kind : std::uint8_t {
  none,
  team,
  barrier,
  broadcast,
  reduce,
  allreduce,
  scan,
  gather,
  allgather,
  alltoall,
  drain,
  scope_end,
  job_end,
  call,
  halo_update,
  count_
};

[[nodiscard]] const char* name_of(collective_kind kind) noexcept;

enum class collective_form : std::uint8_t { messages, memory };

/// Properties of a collective on which all members must agree.
struct collective_mark {
  static constexpr std::uint64_t any_size = ~std::uint64_t{0};
  static constexpr rank_t no_root = ~rank_t{0};

  collective_kind kind = collective_kind::none;
  collective_form form = collective_form::messages;
  rank_t root = no_root;
  std::uint64_t bytes = any_size;

  [[nodiscard]] std::array<std::uint64_t, 2> words() const noexcept {
    return {std::uint64_t{root} << 32 | std::uint64_t(form) << 8 | std::uint64_t(kind), bytes};
  }
  [[nodiscard]] static collective_mark from(std::uint64_t first, std::uint64_t second) noexcept;

  [[nodiscard]] bool contradicts(const collective_mark& other) const noexcept;
};

/// Entered by one thread at a time, read by any.
class attendance {
 public:
  explicit attendance(std::uint64_t team);
  ~attendance();
  attendance(const attendance&) = delete;
  attendance& operator=(const attendance&) = delete;

  [[nodiscard]] std::uint64_t team() const noexcept { return team_; }

  /// Enters the next collective.
  /// @return its number, from 1
  /// @throws acre::error if a collective of this team has failed here, or in a call served for
  /// another rank
  std::uint64_t enter(const collective_mark& mark) {
    if (has_failed() || !runtime::code_here.serves.is_of_program()) [[unlikely]]
      refuse(mark.kind);
    const std::uint64_t number = entered_.load(std::memory_order_relaxed) + 1;
    write(number, mark);
    entered_.store(number, std::memory_order_release);
    return number;
  }
  [[nodiscard]] std::uint64_t entered() const noexcept;

  /// Collective that blocks a thread of this rank, or 0. A member it waits for must not wait for
  /// this rank elsewhere.
  [[nodiscard]] std::uint64_t blocked_in() const noexcept {
    return blocked_in_.load(std::memory_order_acquire);
  }

  [[nodiscard]] std::optional<collective_mark> mark_of(std::uint64_t number) const noexcept;

  /// Fails collective `number` and prevents further ones. Members that query this rank (roll call)
  /// learn the cause; later failures do not change it.
  void fail(std::uint64_t number, const std::string& cause) noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  void fail_by_exception(std::uint64_t number) noexcept;
  [[nodiscard]] std::optional<std::string> failure_of(std::uint64_t number) const;

  void hear(std::uint64_t number, std::string problem) noexcept;
  [[nodiscard]] bool has_heard(std::uint64_t number) const noexcept;
  [[noreturn]] void throw_what_was_heard(collective_kind kind);
  void count_answer() noexcept;
  [[nodiscard]] std::uint32_t answers() const noexcept;

  /// Names the call that a collective is part of. Keeps the last.
  /// @param name  of static lifetime
  void note_call(std::uint64_t number, const char* name, const site& where) noexcept;
  [[nodiscard]] std::string call_of(std::uint64_t number) const;

 private:
  friend class blocked_in_collective;
  static constexpr std::size_t kept = 32;

  /// Releases, so that mark_of(), which sees an overwritten mark, also sees `entered_`.
  void write(std::uint64_t number, const collective_mark& mark) noexcept {
    const auto words = mark.words();
    marks_[number % kept][0].store(words[0], std::memory_order_release);
    marks_[number % kept][1].store(words[1], std::memory_order_release);
  }
  [[noreturn]] void refuse(collective_kind kind) const;

  const std::uint64_t team_;
  std::atomic<std::uint64_t> entered_{0};
  std::atomic<std::uint64_t> blocked_in_{0};
  std::array<std::array<std::atomic<std::uint64_t>, 2>, kept> marks_{};

  mutable spin_lock lock_;
  std::atomic<bool> failed_{false};
  std::uint64_t failed_in_ = 0;
  std::string cause_;
  std::atomic<std::uint64_t> heard_of_{~std::uint64_t{0}};
  std::string heard_;
  std::atomic<std::uint32_t> answers_{0};
  std::uint64_t noted_in_ = 0;
  const char* noted_call_ = nullptr;
  site noted_at_;
};

class blocked_in_collective {
 public:
  blocked_in_collective(attendance& here, std::uint64_t number) noexcept
      : here_(here), outer_(here.blocked_in_.exchange(number, std::memory_order_release)) {}
  ~blocked_in_collective() { here_.blocked_in_.store(outer_, std::memory_order_release); }
  blocked_in_collective(const blocked_in_collective&) = delete;
  blocked_in_collective& operator=(const blocked_in_collective&) = delete;

 private:
  attendance& here_;
  std::uint64_t outer_;
};

}  // namespace acre::global
