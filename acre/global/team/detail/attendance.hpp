// SPDX-License-Identifier: BSD-3-Clause
// What a rank says of its part in the collectives of a team: how many it has entered, the
// last of them with what all members must say alike, and what failed. Others ask about it
// (roll_call.hpp). A collective that nobody asks about costs three stores.
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

/// What ranks call together, to tell the user when they call different collectives.
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

/// What the members use: both sides of a collective use the same.
enum class collective_form : std::uint8_t { messages, memory };

/// What all members must say alike of a collective.
struct collective_mark {
  static constexpr std::uint64_t any_size = ~std::uint64_t{0};
  static constexpr rank_t no_root = ~rank_t{0};

  collective_kind kind = collective_kind::none;
  collective_form form = collective_form::messages;
  rank_t root = no_root;           ///< its number in the team
  std::uint64_t bytes = any_size;  ///< of each member; any_size on all where they may differ

  /// As two words of a message.
  [[nodiscard]] std::array<std::uint64_t, 2> words() const noexcept {
    return {std::uint64_t{root} << 32 | std::uint64_t(form) << 8 | std::uint64_t(kind), bytes};
  }
  [[nodiscard]] static collective_mark from(std::uint64_t first, std::uint64_t second) noexcept;

  /// Whether members that say these cannot be in the same collective.
  [[nodiscard]] bool contradicts(const collective_mark& other) const noexcept;
};

/// One rank's part in the collectives of a team. Entered by one thread at a time, read by any.
class attendance {
 public:
  /// @param team  the number of the team, the same on all members
  explicit attendance(std::uint64_t team);
  ~attendance();
  attendance(const attendance&) = delete;
  attendance& operator=(const attendance&) = delete;

  [[nodiscard]] std::uint64_t team() const noexcept { return team_; }

  /// This rank enters a collective.
  /// @return its number: 1 is the first after the making of the team
  /// @throws acre::error when one of this team has failed here, and inside a call that this thread
  /// serves for another rank
  std::uint64_t enter(const collective_mark& mark) {
    if (has_failed() || !runtime::code_here.serves.is_of_program()) [[unlikely]]
      refuse(mark.kind);
    const std::uint64_t number = entered_.load(std::memory_order_relaxed) + 1;
    write(number, mark);
    entered_.store(number, std::memory_order_release);
    return number;
  }
  /// The number of the last one that was entered.
  [[nodiscard]] std::uint64_t entered() const noexcept;

  /// The collective in which a thread of this rank is blocked; 0: none. While it lasts, a member
  /// for which that collective waits is not expected elsewhere.
  [[nodiscard]] std::uint64_t blocked_in() const noexcept {
    return blocked_in_.load(std::memory_order_acquire);
  }

  /// What this rank said of a collective; nothing when it is too long ago.
  [[nodiscard]] std::optional<collective_mark> mark_of(std::uint64_t number) const noexcept;

  /// A collective has failed here: those who wait for this rank in it hear of that, and no
  /// other one of this team is entered. The first failure counts.
  void fail(std::uint64_t number, const std::string& cause) noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// The same for the exception that is being handled.
  void fail_by_exception(std::uint64_t number) noexcept;
  /// The cause, for who waits for this rank in the collective of that number.
  [[nodiscard]] std::optional<std::string> failure_of(std::uint64_t number) const;

  /// The other way: the answer of a rank that was asked, for who waits here.
  void hear(std::uint64_t number, std::string problem) noexcept;
  [[nodiscard]] bool has_heard(std::uint64_t number) const noexcept;
  [[noreturn]] void throw_what_was_heard(collective_kind kind);
  void count_answer() noexcept;
  [[nodiscard]] std::uint32_t answers() const noexcept;

  /// The call of which the collective of that number is a part, for ranks that ask. One is kept.
  /// @param name  lives as long as the program
  void note_call(std::uint64_t number, const char* name, const site& where) noexcept;
  /// "sort at user.cpp:12"; empty where none was noted for that collective.
  [[nodiscard]] std::string call_of(std::uint64_t number) const;

 private:
  friend class blocked_in_collective;
  static constexpr std::size_t kept = 32;

  void write(std::uint64_t number, const collective_mark& mark) noexcept {
    const auto words = mark.words();
    marks_[number % kept][0].store(words[0], std::memory_order_relaxed);
    marks_[number % kept][1].store(words[1], std::memory_order_relaxed);
  }
  [[noreturn]] void refuse(collective_kind kind) const;

  const std::uint64_t team_;
  std::atomic<std::uint64_t> entered_{0};
  std::atomic<std::uint64_t> blocked_in_{0};  ///< written by who enters, in waits that get long
  std::array<std::array<std::atomic<std::uint64_t>, 2>, kept> marks_{};

  mutable spin_lock lock_;
  std::atomic<bool> failed_{false};
  std::uint64_t failed_in_ = 0;
  std::string cause_;
  std::atomic<std::uint64_t> heard_of_{~std::uint64_t{0}};  ///< none yet
  std::string heard_;
  std::atomic<std::uint32_t> answers_{0};
  std::uint64_t noted_in_ = 0;  ///< under the lock, as the two below
  const char* noted_call_ = nullptr;
  site noted_at_;
};

/// While it exists, the thread that has entered that collective waits for its end.
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
