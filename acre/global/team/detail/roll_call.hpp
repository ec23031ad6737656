// SPDX-License-Identifier: BSD-3-Clause
// The roll call: who waits for long in a collective asks those it waits for whether
// they still come.
//
// A question names a collective by its team and its number there. It is answered at once,
// in whatever thread of the other rank finds it, from that rank's attendance: all is well, or
// the collective cannot happen any more, because that rank is in another one, has left it by
// an exception, or has ended its job. Then it is an error here as well, and so on all who wait
// for this rank.
#pragma once

#include <acre/base/site.hpp>
#include <acre/fabric/message.hpp>
#include <acre/global/team/detail/attendance.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <string>

namespace acre::global {

/// Runs a rank's part of a collective, and notes what it throws.
template <class Part>
void attend(attendance& here, std::uint64_t number, Part&& part) {
  try {
    part();
  } catch (...) {
    here.fail_by_exception(number);
    throw;
  }
}

/// Throws again what is being handled; an acre::error says where the collective was called, if it
/// does not say so already.
[[noreturn]] void rethrow_with_place(const site& where);
/// The same, as an error of that call.
[[noreturn]] void rethrow_as(const char* call, const site& where);

/// Runs a collective that a call consists of: an acre::error of it is one of that call. Under
/// failures_held, so that what user code has thrown meanwhile keeps its name.
template <class Part>
auto in_the_name_of(const char* call, const site& where, Part&& part) {
  try {
    return part();
  } catch (...) {
    rethrow_as(call, where);
  }
}

/// The part of a question about a call of a series (call_series.hpp) that describes the team and
/// its collectives.
struct series_members {
  std::uint64_t team;
  std::uint64_t entered;  ///< by the asker, of the team's collectives
  rank_t asker;           ///< numbers in the team
  rank_t asked;
};

/// Asks a rank whether it comes to a collective that this rank has entered. The answer goes to
/// the attendance, and to the messages that are waited for (mailbox.hpp). Without room for the
/// question it is not asked.
/// @return whether it was asked
bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number);
/// The same for a call of a series of these members (call_series.hpp): a member that is blocked in
/// a collective of theirs, which waits for this rank, does not come either.
bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number,
                          const series_members& series);
/// The same for who knows the collective's channel only.
bool ask_whether_it_comes(rank_t whom, std::uint64_t channel);

/// An answer of a rank, as the attendance has it.
struct heard_answer {
  std::uint64_t channel;
  std::string problem;  ///< empty: the rank comes
};
/// Takes the message that answers a question.
/// @throws acre::error when it is malformed
[[nodiscard]] heard_answer take_answer(const fabric::message& received);

/// A message that was waited for on this channel does not come.
void fail_collective_of(std::uint64_t channel, const std::string& cause) noexcept;

/// The call of which the collective on this channel is a part: "sort at user.cpp:12"; empty where
/// none was noted.
[[nodiscard]] std::string call_of_channel(std::uint64_t channel);

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
  static constexpr std::uint32_t looks_between_times = 16;

  [[nodiscard]] bool is_time_now() noexcept;

  std::uint32_t looks_ = 0;
  // On the steady clock, in its own units: <chrono> is heavy.
  std::int64_t next_ = 0;
  std::int64_t between_ = 0;
};

/// The words of errors: all of them end like this.
inline constexpr const char* same_collectives =
    "all ranks of a team call the same collectives in the same order, with equal sizes";

inline constexpr const char* no_more_use =
    "split off another team: one in which a collective has failed is of no more use";

/// When a job starts, and when this rank takes part in nothing more but its end.
void start_roll_calls() noexcept;
void note_end_of_job() noexcept;

}  // namespace acre::global
