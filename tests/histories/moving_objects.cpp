// SPDX-License-Identifier: BSD-3-Clause
// No call to a moving object is lost, repeated or out of order: each thread numbers its calls per
// object.
#include "trial.hpp"
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <random>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace histories {
namespace {

constexpr std::uint32_t most_threads = 4;

/// True once in `once_in` draws; decides where a move fails.
bool happens(unsigned once_in) {
  thread_local std::minstd_rand chance(std::random_device{}());
  return chance() % once_in == 0;
}

struct call_stamp {
  std::uint32_t lane;  ///< number of a thread of a rank
  std::uint32_t number;
};

struct wanderer_state {
  std::vector<std::uint32_t> next;  ///< next expected call number, by lane
  std::uint64_t sum = 0;
  std::uint64_t touches = 0;
  std::uint32_t out_of_turn = 0;
  std::uint32_t moves = 0;
  std::vector<std::uint32_t> load;  ///< some states span several messages
  acre::rank_t saved_by = 0;

  friend auto acre_fields(wanderer_state& s) {
    return std::tie(s.next, s.sum, s.touches, s.out_of_turn, s.moves, s.load, s.saved_by);
  }
};

class wanderer {
 public:
  explicit wanderer(wanderer_state begin) : state_(std::move(begin)) { touches_ = state_.touches; }
  wanderer(wanderer&& other) noexcept
      : state_(std::move(other.state_)), touches_(other.touches_.load()) {}

  std::uint32_t take(call_stamp stamp, std::uint64_t amount, const std::string& text) {
    // Only one call may run at a time.
    if (is_busy_.exchange(true)) ++state_.out_of_turn;
    if (happens(4096)) ::sched_yield();
    std::uint32_t& next = state_.next.at(stamp.lane);
    if (stamp.number != next || text.size() != amount % 4096) ++state_.out_of_turn;
    ++next;
    state_.sum += amount;
    is_busy_ = false;
    return stamp.number;
  }
  acre::future<std::uint32_t> take_slowly(call_stamp stamp, std::uint64_t amount) {
    take(stamp, amount, std::string(amount % 4096, ' '));
    is_busy_ = true;
    return acre::rpc(
               stamp.number % acre::size(), [](std::uint32_t n) { return n; }, stamp.number)
        .then([this](std::uint32_t n) {
          is_busy_ = false;
          return n;
        });
  }
  void touch() { ++touches_; }
  static constexpr auto acre_concurrent = std::tuple(&wanderer::touch);

  [[nodiscard]] wanderer_state state() const {
    wanderer_state now = state_;
    now.touches = touches_;
    now.saved_by = acre::rank();
    return now;
  }

  friend wanderer_state acre_save(const wanderer& w) { return w.state(); }
  friend wanderer acre_load(std::type_identity<wanderer>, wanderer_state state) {
    // Fails at other ranks only, so a failed move can be undone.
    if (state.saved_by != acre::rank() && happens(64))
      throw std::runtime_error("cannot be made here, now");
    for (const std::uint32_t each : state.load) {
      if (each != state.load.size()) ++state.out_of_turn;
    }
    return wanderer(std::move(state));
  }
  friend bool acre_before_move(wanderer&, acre::rank_t) { return !happens(32); }
  friend void acre_after_move(wanderer& w) { ++w.state_.moves; }

 private:
  wanderer_state state_;
  std::atomic<std::uint64_t> touches_ = 0;
  std::atomic<bool> is_busy_ = false;
};

using wanderer_id = acre::object_id<wanderer>;

struct sent_calls {
  std::uint32_t number = 0;
  std::uint64_t sum = 0;
  std::uint64_t touches = 0;
};

class caller {
 public:
  caller(std::uint32_t lane, std::uint64_t seed, const std::vector<wanderer_id>& objects)
      : lane_(lane), chance_(seed), objects_(objects), sent_(objects.size()) {}

  void run(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      step();
      if (below(64) == 0) acre::progress();
      if (below(512) == 0) ::usleep(static_cast<useconds_t>(below(100)));
    }
    while (!answers_.empty()) take_answer();
    while (!moves_.empty()) take_move();
  }

  [[nodiscard]] std::uint32_t lane() const noexcept { return lane_; }
  [[nodiscard]] const sent_calls& sent_to(std::size_t object) const { return sent_[object]; }
  [[nodiscard]] bool is_fine() const noexcept { return is_fine_; }

 private:
  struct awaited {
    acre::future<std::uint32_t> answer;
    std::uint32_t number;
  };

  std::uint64_t below(std::uint64_t bound) { return chance_() % bound; }

  void step() {
    const std::size_t which = below(objects_.size());
    const wanderer_id& to = objects_[which];
    sent_calls& sent = sent_[which];
    const std::uint64_t amount = below(16) == 0 ? below(4096) : below(64);
    const call_stamp stamp{lane_, sent.number};
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        return move(to);
      case 3:
        acre::invoke_ff(to, &wanderer::touch);
        ++sent.touches;
        return;
      case 4:
        await(acre::invoke(to, &wanderer::take_slowly, stamp, amount), stamp.number);
        break;
      case 5:
        await(acre::invoke(to, &wanderer::take, stamp, amount, std::string(amount % 4096, ' ')),
              stamp.number);
        break;
      default:
        acre::invoke_ff(to, &wanderer::take, stamp, amount, std::string(amount % 4096, ' '));
    }
    ++sent.number;
    sent.sum += amount;
  }

  void move(const wanderer_id& object) {
    moves_.push_back(acre::migrate(object, static_cast<acre::rank_t>(below(acre::size()))));
    if (moves_.size() > 16) take_move();
  }
  void take_move() {
    try {
      moves_.front().get();
    } catch (const acre::error&) {
    }
    moves_.pop_front();
  }
  void await(acre::future<std::uint32_t> answer, std::uint32_t number) {
    answers_.push_back({std::move(answer), number});
    if (answers_.size() > 32) take_answer();
  }
  void take_answer() {
    if (answers_.front().answer.get() != answers_.front().number) is_fine_ = false;
    answers_.pop_front();
  }

  std::uint32_t lane_;
  std::mt19937_64 chance_;
  const std::vector<wanderer_id>& objects_;
  std::vector<sent_calls> sent_;
  std::deque<awaited> answers_;
  std::deque<acre::future<void>> moves_;
  bool is_fine_ = true;
};

std::vector<wanderer_id> make_objects(trial& round) {
  const std::uint64_t count = 1 + round.together(8);
  std::vector<wanderer_id> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto home = static_cast<acre::rank_t>(round.together(acre::size()));
    const std::uint64_t heavy = round.together(8) == 0 ? round.together(50'000) : 0;
    wanderer_id made;
    if (acre::rank() == home) {
      wanderer_state begin;
      begin.next.resize(acre::size() * most_threads);
      begin.load.assign(heavy, static_cast<std::uint32_t>(heavy));
      made = acre::create_id_here<wanderer>(std::move(begin));
    }
    all.push_back(acre::world().broadcast(made, home));
  }
  return all;
}

bool has_seen_all(const wanderer_state& seen, std::size_t object,
                  const std::deque<caller>& callers) {
  std::vector<std::uint32_t> next(seen.next.size());
  sent_calls all;
  for (const caller& each : callers) {
    const sent_calls& sent = each.sent_to(object);
    next[each.lane()] = sent.number;
    all.sum += sent.sum;
    all.touches += sent.touches;
  }
  acre::world().allreduce(std::span(next), std::plus<>());
  all.sum = acre::world().allreduce(all.sum);
  all.touches = acre::world().allreduce(all.touches);
  const bool fine = seen.out_of_turn == 0 && seen.next == next && seen.sum == all.sum &&
                    seen.touches == all.touches;
  if (!fine && acre::rank() == 0) {
    std::fprintf(
        stderr, "  object %zu: %u calls out of turn, sum %llu of %llu, %llu touches of %llu\n",
        object, seen.out_of_turn, static_cast<unsigned long long>(seen.sum),
        static_cast<unsigned long long>(all.sum), static_cast<unsigned long long>(seen.touches),
        static_cast<unsigned long long>(all.touches));
  }
  return fine;
}

bool run_wanderers(trial& round, std::uint32_t threads) {
  const std::vector<wanderer_id> objects = make_objects(round);
  std::deque<caller> callers;
  for (std::uint32_t i = 0; i < threads; ++i) {
    callers.emplace_back(acre::rank() * most_threads + i, round.alone(~std::uint64_t{0}), objects);
  }
  const auto steps_of_one = [&] { return round.steps(1500) * (1 + round.alone(4)) / threads; };
  {
    std::vector<std::jthread> others;
    std::atomic<std::uint32_t> working = threads - 1;
    for (std::uint32_t i = 1; i < threads; ++i) {
      others.emplace_back([&working, &mine = callers[i], steps = steps_of_one()] {
        mine.run(steps);
        --working;
      });
    }
    callers[0].run(steps_of_one());
    acre::wait_until([&] { return working == 0; });
  }
  acre::drain();

  bool fine = true;
  for (const caller& each : callers) fine = fine && each.is_fine();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const wanderer_state seen = acre::invoke(objects[i], &wanderer::state).get();
    fine = has_seen_all(seen, i, callers) && fine;
    if (acre::rank() == 0) round.count(seen.moves);
    acre::barrier();
    if (acre::rank() == 0) acre::destroy(objects[i]).get();
  }
  return acre::world().allreduce(fine ? 1 : 0, acre::op::min) == 1;
}

}  // namespace

std::vector<subject> moving_object_subjects() {
  return {{"moves of objects", [](trial& round) { return run_wanderers(round, 1); }},
          {"moves by threads", [](trial& round) {
             return run_wanderers(round, 2 + static_cast<std::uint32_t>(round.together(3)));
           }}};
}

}  // namespace histories
