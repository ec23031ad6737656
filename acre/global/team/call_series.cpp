// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/call_series.hpp>

#include <acre/base/bits.hpp>
#include <acre/global/team/detail/attendance.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/global/team/same_call.hpp>

namespace acre {
namespace {

std::uint64_t series_id(const team& members, std::uint64_t object) noexcept {
  constexpr std::uint64_t of_series = std::uint64_t{1} << 47;
  return of_series | (mix_bits(object + global::id_of(members)) & (of_series - 1));
}

}  // namespace

struct call_series::state {
  state(const team& of, std::uint64_t object, const char* name)
      : members(of), call(name), here(series_id(of, object)) {}

  team members;
  const char* call;
  global::attendance here;
  std::uint64_t number = 0;
  global::roll_call_times times;
  std::uint32_t asked = 0;
};

call_series::call_series(const team& members, std::uint64_t object, const char* call)
    : state_(base::make_unique_object<state>(members, object, call)) {}
call_series::~call_series() = default;

void call_series::begin(std::uint32_t meant, const site& where) {
  state& all = *state_;
  all.number = all.here.enter({.kind = global::collective_kind::halo_update, .root = meant});
  all.here.note_call(all.number, all.call, where);
  all.times = {};
  all.asked = all.here.answers();
}

bool call_series::is_time_to_ask() noexcept {
  state& all = *state_;
  if (!all.times.is_time()) return false;
  all.times.put_off(all.here.answers() == all.asked);
  all.asked = all.here.answers();
  return true;
}

void call_series::ask(rank_t member) {
  state& all = *state_;
  const global::series_members series{.team = global::id_of(all.members),
                                      .entered = all.members.phase(),
                                      .caller = all.members.rank(),
                                      .asked = member};
  if (global::ask_whether_it_comes(all.members.world_rank(member), all.here, all.number, series)) {
    ++all.asked;
  }
}

bool call_series::has_failed() const noexcept { return state_->here.has_failed(); }

bool call_series::fail_with_team() noexcept try {
  state& all = *state_;
  const auto cause = global::reference_of(all.members)->here->failure_of(~std::uint64_t{0});
  if (cause) all.here.fail(all.here.entered() + 1, *cause);
  return cause.has_value();
} catch (...) {
  return false;
}

void call_series::check(const site& where) {
  state& all = *state_;
  if (!all.here.has_heard(all.number)) return;
  // Notifies members waiting for this one, here and in the team's next collective.
  global::attendance& of_team = *global::reference_of(all.members)->here;
  global::attend(of_team, of_team.entered() + 1, [&] {
    global::attend(all.here, all.number, [&] {
      global::in_the_name_of(all.call, where, [&] {
        all.here.throw_what_was_heard(global::collective_kind::halo_update);
      });
    });
  });
}

}  // namespace acre
