// SPDX-License-Identifier: BSD-3-Clause
// Roll call: a rank that waits long in a collective queries the ranks it waits for. They
// answer at once, in any thread (docs/developers/modules/global.md).
#pragma once

#include <acre/base/site.hpp>
#include <acre/fabric/message.hpp>
#include <acre/global/team/detail/attendance.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <string>

namespace acre::global {

template <class Part>
void attend(attendance& here, std::uint64_t number, Part&& part) {
  try {
    part();
  } catch (...) {
    here.fail_by_exception(number);
    throw;
  }
}

/// Adds the call site to an acre::error without one.
[[noreturn]] void rethrow_with_place(const site& where);
[[noreturn]] void rethrow_as(const char* call, const site& where);

/// Errors name `call`. Requires failures_held, so that user-code exceptions keep their name.
template <class Part>
auto in_the_name_of(const char* call, const site& where, Part&& part) {
  try {
    return part();
  } catch (...) {
    rethrow_as(call, where);
  }
}

struct series_members {
  std::uint64_t team;
  std::uint64_t entered;  ///< collectives of the team that the caller has entered
  rank_t caller;
  rank_t asked;
};

/// Queries rank `whom` about collective `number`; the answer goes to attendance and mailbox.
/// @return false if there was no space to send
bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number);
/// As above, for a call of a series. The answer also reports a member blocked in a team collective
/// that waits for this rank.
bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number,
                          const series_members& series);
bool ask_whether_it_comes(rank_t whom, std::uint64_t channel);

struct heard_answer {
  std::uint64_t channel;
  std::string problem;
};
[[nodiscard]] heard_answer take_answer(const fabric::message& received);

void fail_collective_of(std::uint64_t channel, const std::string& cause) noexcept;

/// Call that made the collective of a channel: "sort at user.cpp:12"; empty if unknown.
[[nodiscard]] std::string call_of_channel(std::uint64_t channel);

class roll_call_times {
 public:
  [[nodiscard]] bool is_time() noexcept {
    return ++looks_ % looks_between_times == 0 && is_time_now();
  }
  /// @param all_answered  true: the interval may grow to 0.8 s; false: to 30 s
  void put_off(bool all_answered) noexcept;

 private:
  static constexpr std::uint32_t looks_between_times = 16;

  [[nodiscard]] bool is_time_now() noexcept;

  std::uint32_t looks_ = 0;
  std::int64_t next_ = 0;
  std::int64_t between_ = 0;
};

inline constexpr const char* same_collectives =
    "call the same collectives on all ranks of a team, in the same order and with equal sizes";

inline constexpr const char* no_more_use =
    "split another team: a team is unusable after a failed collective";

void start_roll_calls() noexcept;
void note_end_of_job() noexcept;

}  // namespace acre::global
