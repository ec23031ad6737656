// The roll call: who waits for long in a collective asks those it waits for whether
// they still come.
//
// Each rank keeps an attendance for each of its teams: how many collectives it has
// entered, the last of them with what all members must say alike, and what failed. A
// question names a collective by its team and its number there. It is answered at once,
// in whatever thread of the other rank finds it: all is well, or the collective cannot
// happen any more, because that rank is in another one, has left it by an exception, or
// has ended its job. Then it is an error here as well, and so on all who wait for this
// rank. A collective that nobody waits long for costs three stores.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace acre::detail {

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
    return {std::uint64_t{root} << 32 | std::uint64_t{static_cast<std::uint8_t>(form)} << 8 |
                static_cast<std::uint8_t>(kind),
            bytes};
  }
  [[nodiscard]] static collective_mark from(std::uint64_t first, std::uint64_t second) noexcept {
    return {.kind = static_cast<collective_kind>(first),
            .form = static_cast<collective_form>(first >> 8),
            .root = static_cast<rank_t>(first >> 32),
            .bytes = second};
  }

  /// Whether members that say these cannot be in the same collective.
  [[nodiscard]] bool contradicts(const collective_mark& other) const noexcept {
    return kind != other.kind || form != other.form || root != other.root || bytes != other.bytes;
  }
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
  /// @throws acre::error when one of this team has failed here
  std::uint64_t enter(const collective_mark& mark) {
    if (has_failed()) [[unlikely]] {
      refuse(mark.kind);
    }
    const std::uint64_t number = entered() + 1;
    write(number, mark);
    entered_.store(number, std::memory_order_release);
    return number;
  }
  /// The number of the last one that was entered.
  [[nodiscard]] std::uint64_t entered() const noexcept {
    return entered_.load(std::memory_order_relaxed);
  }

  /// What this rank said of a collective; nothing when it is too long ago.
  [[nodiscard]] std::optional<collective_mark> mark_of(std::uint64_t number) const noexcept;

  /// A collective has failed here: those who wait for this rank in it hear of that, and no
  /// other one of this team is entered. The first failure counts.
  void fail(std::uint64_t number, const std::string& cause) noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// The cause, for who waits for this rank in the collective of that number.
  [[nodiscard]] std::optional<std::string> failure_of(std::uint64_t number) const;

  /// The other way: the answer of a rank that was asked, for who waits here.
  void hear(std::uint64_t number, std::string problem) noexcept;
  [[nodiscard]] bool has_heard(std::uint64_t number) const noexcept {
    return heard_of_.load(std::memory_order_acquire) == number;
  }
  [[noreturn]] void throw_what_was_heard(collective_kind kind);
  void count_answer() noexcept { answers_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint32_t answers() const noexcept {
    return answers_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kept = 32;

  void write(std::uint64_t number, const collective_mark& mark) noexcept {
    const auto words = mark.words();
    auto& place = marks_[number % kept];
    place[0].store(words[0], std::memory_order_relaxed);
    place[1].store(words[1], std::memory_order_relaxed);
  }
  [[noreturn]] void refuse(collective_kind kind) const;

  const std::uint64_t team_;
  std::atomic<std::uint64_t> entered_{0};
  std::array<std::array<std::atomic<std::uint64_t>, 2>, kept> marks_{};

  mutable spin_lock lock_;
  std::atomic<bool> failed_{false};
  std::uint64_t failed_in_ = 0;
  std::string cause_;
  std::atomic<std::uint64_t> heard_of_{~std::uint64_t{0}};  ///< none yet
  std::string heard_;
  std::atomic<std::uint32_t> answers_{0};
};

/// Runs a rank's part of a collective, and notes what it throws.
template <class Part>
void attend(attendance& here, std::uint64_t number, Part&& part) {
  try {
    part();
  } catch (const error& failure) {
    here.fail(number, failure.problem());
    throw;
  } catch (const std::exception& failure) {
    here.fail(number, failure.what());
    throw;
  } catch (...) {
    here.fail(number, "an exception that is no std::exception");
    throw;
  }
}

/// Asks a rank whether it comes to a collective that this rank has entered. The answer goes to
/// the attendance, and to the messages that are waited for (mailbox.hpp). Without room for the
/// question it is not asked.
/// @return whether it was asked
bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number);
/// The same for who knows the collective's channel only.
bool ask_whether_it_comes(rank_t whom, std::uint64_t channel);

/// A message that was waited for on this channel does not come.
void fail_collective_of(std::uint64_t channel, const std::string& cause) noexcept;

/// When a wait asks: not at once, then less and less often.
class roll_call_times {
 public:
  /// Whether it is time, by a look at the clock in some calls.
  [[nodiscard]] bool is_time() noexcept {
    return ++looks_ % looks_between_times == 0 && is_time_now();
  }
  /// @param all_answered  whether those who were asked before are alive: others are asked seldom
  void put_off(bool all_answered) noexcept;

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::uint32_t looks_between_times = 16;

  [[nodiscard]] bool is_time_now() noexcept;

  std::uint32_t looks_ = 0;
  clock::time_point next_{};
  clock::duration between_{};
};

/// The words of errors: all of them end like this.
inline constexpr const char* same_collectives =
    "all ranks of a team call the same collectives in the same order, with equal sizes";

inline constexpr const char* no_more_use =
    "split off another team: one in which a collective has failed is of no more use";

/// When a job starts, and when this rank takes part in nothing more but its end.
void start_roll_calls() noexcept;
void note_end_of_job() noexcept;

}  // namespace acre::detail
