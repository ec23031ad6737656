// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/roll_call.hpp>

#include <acre/base/error.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/counters.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace acre::global {

const char* name_of(collective_kind kind) noexcept {
  static constexpr const char* names[] = {"none",
                                          "team::split",
                                          "barrier",
                                          "broadcast",
                                          "reduce",
                                          "allreduce",
                                          "scan",
                                          "gather",
                                          "allgather",
                                          "alltoall",
                                          "drain",
                                          "the end of a container",
                                          "the end of the job",
                                          "the start of a call",
                                          "halo::update"};
  static_assert(std::size(names) == static_cast<std::size_t>(collective_kind::count_));
  return kind < collective_kind::count_ ? names[static_cast<std::size_t>(kind)] : "unknown";
}

namespace {

using runtime::word;

struct former_team {
  std::uint64_t entered;
  std::optional<std::string> failure;
};

struct teams_attended {
  std::mutex lock;
  std::unordered_map<std::uint64_t, attendance*> by_team;
  std::unordered_map<std::uint64_t, former_team> former;
  std::deque<std::uint64_t> former_by_age;
  std::atomic<bool> job_has_ended{false};
};

/// Never destroyed: static objects may hold teams.
teams_attended& attended() {
  static auto& made = *new teams_attended;
  return made;
}

void remember(std::uint64_t team, former_team what) {
  constexpr std::size_t most = 1024;
  teams_attended& all = attended();
  if (all.former.insert_or_assign(team, std::move(what)).second) all.former_by_age.push_back(team);
  if (all.former_by_age.size() <= most) return;
  all.former.erase(all.former_by_age.front());
  all.former_by_age.pop_front();
}

template <class Use>
void with_attendance(std::uint64_t team, Use&& use) {
  const std::lock_guard hold(attended().lock);
  const auto found = attended().by_team.find(team);
  if (found != attended().by_team.end()) use(*found->second);
}

bool has_entered(std::uint64_t team, std::uint64_t number) {
  bool has = false;
  with_attendance(team, [&](const attendance& here) { has = number <= here.entered(); });
  return has;
}

constexpr unsigned channel_bits = 16;

std::uint64_t number_of(const attendance& here, std::uint64_t channel) noexcept {
  const std::uint64_t last = here.entered();
  return last - static_cast<std::uint16_t>(last - channel);
}

enum class verdict : std::uint8_t { comes, is_elsewhere, has_left, has_no_handle, has_ended };

struct roll_answer {
  verdict says = verdict::comes;
  collective_mark mark;
  std::string cause;
};

roll_answer answer_of(const attendance& here, std::uint64_t number, const collective_mark& asked) {
  if (auto cause = here.failure_of(number)) {
    return {.says = verdict::has_left, .mark = {}, .cause = std::move(*cause)};
  }
  const auto mark = here.mark_of(number);
  const bool is_known = mark && asked.kind != collective_kind::none;
  if (is_known && mark->contradicts(asked)) {
    return {.says = verdict::is_elsewhere, .mark = *mark, .cause = here.call_of(number)};
  }
  return {};
}

roll_answer answer_of(const former_team& there, std::uint64_t number) {
  if (there.failure) return {.says = verdict::has_left, .mark = {}, .cause = *there.failure};
  if (number > there.entered) return {.says = verdict::has_no_handle, .mark = {}, .cause = {}};
  return {};
}

roll_answer find_answer(std::uint64_t team, std::uint64_t number, const collective_mark& asked) {
  const teams_attended& all = attended();
  const std::lock_guard hold(attended().lock);
  roll_answer given;
  bool was_there = false;
  if (const auto found = all.by_team.find(team); found != all.by_team.end()) {
    given = answer_of(*found->second, number, asked);
    was_there = number <= found->second->entered();
  } else if (const auto former = all.former.find(team); former != all.former.end()) {
    given = answer_of(former->second, number);
    was_there = number <= former->second.entered;
  }
  if (given.says != verdict::has_left && !was_there && all.job_has_ended) {
    return {.says = verdict::has_ended, .mark = {}, .cause = {}};
  }
  return given;
}

std::array<word, 3> words_of(const series_members& series) noexcept {
  return {series.team, series.entered, std::uint64_t{series.caller} << 32 | series.asked};
}

series_members series_from(std::span<const word> words) noexcept {
  return {.team = words[0],
          .entered = words[1],
          .caller = static_cast<rank_t>(words[2] >> 32),
          .asked = static_cast<rank_t>(words[2])};
}

/// True if `here` cannot leave the collective before `other` enters it.
bool waits_for(const collective_mark& mark, rank_t here, rank_t other) noexcept {
  // A comparison of calls (same_call.hpp) has no root.
  if (mark.root == collective_mark::no_root && mark.kind != collective_kind::scan) return true;
  switch (mark.kind) {
    case collective_kind::broadcast:
      return mark.root == other;
    case collective_kind::reduce:
    case collective_kind::gather:
      return mark.root == here;
    case collective_kind::scan:
      return other < here;
    default:
      return true;
  }
}

std::optional<roll_answer> find_collective_before(const series_members& series) {
  const teams_attended& all = attended();
  const std::lock_guard hold(attended().lock);
  const auto found = all.by_team.find(series.team);
  if (found == all.by_team.end()) return std::nullopt;
  const attendance& here = *found->second;
  const std::uint64_t number = here.blocked_in();
  if (number <= series.entered) return std::nullopt;
  const auto mark = here.mark_of(number);
  if (!mark || !waits_for(*mark, series.asked, series.caller)) return std::nullopt;
  return roll_answer{.says = verdict::is_elsewhere, .mark = *mark, .cause = here.call_of(number)};
}

// Query: team, number, mark; for a series, also series_members. Answer: team, number, verdict,
// mark; payload: cause of failure, or current call.

void answer_question(const runtime::message& received, runtime::responder& back) {
  const auto& words = received.arguments;
  roll_answer given = find_answer(words[0], words[1], collective_mark::from(words[2], words[3]));
  if (given.says == verdict::comes && words.size() > 6 && !has_entered(words[0], words[1])) {
    const auto series = series_from(words.subspan(4));
    if (auto before = find_collective_before(series)) given = std::move(*before);
  }
  const auto mark = given.mark.words();
  const word answered[] = {words[0], words[1], static_cast<word>(given.says), mark[0], mark[1]};
  constexpr std::size_t most = 800;
  back.reply(handler_ids::roll_call_answer, answered,
             std::as_bytes(std::span(given.cause)).first(std::min(given.cause.size(), most)));
}

constexpr std::string_view has_left = " has left the collective: ";

std::string origin_of(const std::string& cause) {
  const std::size_t last = cause.rfind(has_left);
  return last == std::string::npos ? cause : cause.substr(last + has_left.size());
}

std::string describe(const collective_mark& mark, const collective_mark& beside,
                     const std::string& call) {
  if (mark.kind == collective_kind::call && !call.empty()) return call;
  if (mark.kind == collective_kind::halo_update) {
    const bool is_of_all = mark.root == collective_mark::no_root;
    return (call.empty() ? name_of(mark.kind) : call) +
           (is_of_all ? " in all directions" : " in direction number " + std::to_string(mark.root));
  }
  std::string text = name_of(mark.kind);
  if (mark.kind != beside.kind) return text;
  if (mark.form != beside.form) {
    return text + (mark.form == collective_form::memory ? ", the blocking form" : "_async");
  }
  if (mark.root != beside.root) return text + " with root " + std::to_string(mark.root);
  if (mark.bytes == collective_mark::any_size) return text + " of values that are serialised";
  return text + " with " + std::to_string(mark.bytes) + " bytes";
}

std::string problem_of(rank_t other, const roll_answer& given, const collective_mark& here,
                       const std::string& call_here) {
  const std::string who = "rank " + std::to_string(other);
  switch (given.says) {
    case verdict::is_elsewhere:
      return "rank " + std::to_string(runtime::world.rank) + " is in " +
             describe(here, given.mark, call_here) + ", but " + who + " is in " +
             describe(given.mark, here, given.cause);
    case verdict::has_left:
      return std::string(who).append(has_left) + given.cause;
    case verdict::has_no_handle:
      if (here.kind == collective_kind::halo_update) {
        return who + " has destroyed its halo after fewer updates than this rank";
      }
      return who + " has destroyed its handle of this team";
    case verdict::has_ended:
      return who + " has already finalised its job";
    case verdict::comes:
      break;
  }
  return {};
}

[[maybe_unused]] const bool roll_call_registered =
    runtime::set_builtin_handler(handler_ids::roll_call, answer_question, {.arguments = 4});

bool ask(rank_t whom, std::uint64_t team, std::uint64_t number, const collective_mark& mark,
         std::span<const word> within = {}) {
  const auto words = mark.words();
  std::array<word, 7> question{team, number, words[0], words[1]};
  std::ranges::copy(within, question.begin() + 4);
  const bool was_sent =
      runtime::try_send(whom, handler_ids::roll_call, std::span(question).first(4 + within.size()));
  if (was_sent) runtime::count(runtime::counted::message_sent, ~std::uint64_t{0});
  return was_sent;
}

}  // namespace

namespace {

std::string problem_at(const error& failure, const site& where) {
  const std::string place = describe_place(where);
  return failure.problem().ends_with(place) ? failure.problem() : failure.problem() + place;
}

}  // namespace

void rethrow_with_place(const site& where) {
  try {
    throw;
  } catch (const error& failure) {
    throw error(failure.call(), problem_at(failure, where), failure.advice());
  }
}

void rethrow_as(const char* call, const site& where) {
  try {
    throw;
  } catch (const error& failure) {
    throw error(call, problem_at(failure, where), failure.advice());
  }
}

heard_answer take_answer(const runtime::message& received) {
  const auto& words = received.arguments;
  const std::uint64_t team = words[0];
  const std::uint64_t number = words[1];
  if (words[2] > static_cast<word>(verdict::has_ended)) {
    throw error("roll call",
                "rank " + std::to_string(received.header.source) + " sent an invalid answer");
  }
  const roll_answer given{
      .says = static_cast<verdict>(words[2]),
      .mark = collective_mark::from(words[3], words[4]),
      .cause = std::string(reinterpret_cast<const char*>(received.payload.data()),
                           received.payload.size())};
  std::string problem;
  with_attendance(team, [&](attendance& here) {
    here.count_answer();
    if (given.says == verdict::comes) return;
    problem = problem_of(received.header.source, given,
                         here.mark_of(number).value_or(collective_mark{}), here.call_of(number));
    here.hear(number, problem);
  });
  return {.channel = team << channel_bits | static_cast<std::uint16_t>(number),
          .problem = std::move(problem)};
}

bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number) {
  return ask(whom, here.team(), number, here.mark_of(number).value_or(collective_mark{}));
}

bool ask_whether_it_comes(rank_t whom, const attendance& here, std::uint64_t number,
                          const series_members& series) {
  return ask(whom, here.team(), number, here.mark_of(number).value_or(collective_mark{}),
             words_of(series));
}

bool ask_whether_it_comes(rank_t whom, std::uint64_t channel) {
  bool was_asked = false;
  with_attendance(channel >> channel_bits, [&](const attendance& here) {
    was_asked = ask_whether_it_comes(whom, here, number_of(here, channel));
  });
  return was_asked;
}

void fail_collective_of(std::uint64_t channel, const std::string& cause) noexcept {
  with_attendance(channel >> channel_bits,
                  [&](attendance& here) { here.fail(number_of(here, channel), cause); });
}

std::string call_of_channel(std::uint64_t channel) {
  std::string call;
  with_attendance(channel >> channel_bits,
                  [&](const attendance& here) { call = here.call_of(number_of(here, channel)); });
  return call;
}

void start_roll_calls() noexcept {
  const std::lock_guard hold(attended().lock);
  attended().by_team.clear();
  attended().former.clear();
  attended().former_by_age.clear();
  attended().job_has_ended = false;
}

void note_end_of_job() noexcept { attended().job_has_ended = true; }

namespace {

using clock = std::chrono::steady_clock;

std::int64_t now_on_clock() noexcept { return clock::now().time_since_epoch().count(); }
constexpr std::int64_t in_units(clock::duration time) noexcept { return time.count(); }

}  // namespace

void roll_call_times::put_off(bool all_answered) noexcept {
  using namespace std::chrono_literals;
  between_ = std::min(2 * between_, all_answered ? in_units(800ms) : in_units(30s));
  next_ = now_on_clock() + between_;
}

bool roll_call_times::is_time_now() noexcept {
  using namespace std::chrono_literals;
  const std::int64_t now = now_on_clock();
  if (between_ == 0) {
    between_ = in_units(40ms);
    next_ = now + between_;
  }
  return now >= next_;
}

attendance::attendance(std::uint64_t team) : team_(team) {
  write(0, {.kind = collective_kind::team});
  const std::lock_guard hold(attended().lock);
  attended().by_team.insert_or_assign(team, this);
}

attendance::~attendance() {
  const std::lock_guard hold(attended().lock);
  const auto found = attended().by_team.find(team_);
  if (found == attended().by_team.end() || found->second != this) return;
  attended().by_team.erase(found);
  remember(team_, {.entered = entered(), .failure = failure_of(~std::uint64_t{0})});
}

collective_mark collective_mark::from(std::uint64_t first, std::uint64_t second) noexcept {
  return {.kind = static_cast<collective_kind>(first),
          .form = static_cast<collective_form>(first >> 8),
          .root = static_cast<rank_t>(first >> 32),
          .bytes = second};
}

bool collective_mark::contradicts(const collective_mark& other) const noexcept {
  return kind != other.kind || form != other.form || root != other.root || bytes != other.bytes;
}

std::uint64_t attendance::entered() const noexcept {
  return entered_.load(std::memory_order_relaxed);
}

bool attendance::has_heard(std::uint64_t number) const noexcept {
  return heard_of_.load(std::memory_order_acquire) == number;
}

void attendance::count_answer() noexcept { answers_.fetch_add(1, std::memory_order_relaxed); }

std::uint32_t attendance::answers() const noexcept {
  return answers_.load(std::memory_order_relaxed);
}

void attendance::note_call(std::uint64_t number, const char* name, const site& where) noexcept {
  const std::lock_guard hold(lock_);
  noted_in_ = number;
  noted_call_ = name;
  noted_at_ = where;
}

std::string attendance::call_of(std::uint64_t number) const {
  const std::lock_guard hold(lock_);
  if (noted_call_ == nullptr || noted_in_ != number) return {};
  return noted_call_ + describe_place(noted_at_);
}

void attendance::fail_by_exception(std::uint64_t number) noexcept {
  try {
    throw;
  } catch (const error& failure) {
    fail(number, failure.problem());
  } catch (const std::exception& failure) {
    fail(number, failure.what());
  } catch (...) {
    fail(number, "an exception that is not a std::exception");
  }
}

std::optional<collective_mark> attendance::mark_of(std::uint64_t number) const noexcept {
  const auto is_kept = [&] {
    const std::uint64_t last = entered_.load(std::memory_order_acquire);
    return number <= last && last - number < kept - 1;
  };
  if (!is_kept()) return std::nullopt;
  const auto& place = marks_[number % kept];
  const auto mark = collective_mark::from(place[0].load(std::memory_order_relaxed),
                                          place[1].load(std::memory_order_relaxed));
  std::atomic_thread_fence(std::memory_order_acquire);
  if (!is_kept()) return std::nullopt;
  return mark;
}

void attendance::fail(std::uint64_t number, const std::string& cause) noexcept {
  const std::lock_guard hold(lock_);
  if (has_failed()) {
    failed_in_ = std::min(failed_in_, number);
    return;
  }
  failed_in_ = number;
  cause_ = origin_of(cause);
  failed_.store(true, std::memory_order_release);
}

std::optional<std::string> attendance::failure_of(std::uint64_t number) const {
  const std::lock_guard hold(lock_);
  if (!has_failed() || number < failed_in_) return std::nullopt;
  return cause_;
}

void attendance::refuse(collective_kind kind) const {
  runtime::require_no_served_call(name_of(kind));
  throw error(name_of(kind), "an earlier collective of this team failed: " + cause_, no_more_use);
}

void attendance::hear(std::uint64_t number, std::string problem) noexcept {
  const std::lock_guard hold(lock_);
  heard_ = std::move(problem);
  heard_of_.store(number, std::memory_order_release);
}

void attendance::throw_what_was_heard(collective_kind kind) {
  std::string problem;
  {
    const std::lock_guard hold(lock_);
    problem = heard_;
  }
  throw error(name_of(kind), problem, same_collectives);
}

}  // namespace acre::global
