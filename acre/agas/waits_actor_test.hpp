// SPDX-License-Identifier: BSD-3-Clause
// Objects whose functions call, move and end objects, with and without waiting.
#pragma once

#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/global/future/shared_future.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/runtime/world.hpp>

#include <chrono>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::agas::waits {

using acre::testing::other;

class actor;
using actor_id = acre::object_id<actor>;

class actor {
 public:
  long number() const { return 7; }
  long exclusive_number() { return ++calls_; }

  acre::task<long> move_and_call(actor_id me, acre::rank_t to) {
    auto moved = acre::migrate(me, to);
    const long x = co_await acre::invoke(me, &actor::number);
    co_return x + co_await acre::invoke(me, &actor::number);
  }
  acre::task<int> pass(std::vector<actor_id> ring, std::size_t at, int left) {
    if (left == 0) co_return 0;
    const std::size_t next = (at + 1) % ring.size();
    co_return 1 + co_await acre::invoke(ring[next], &actor::pass, ring, next, left - 1);
  }
  long move_and_get(actor_id me, acre::rank_t to) {
    auto moved = acre::migrate(me, to);
    return acre::invoke(me, &actor::exclusive_number).get();
  }
  acre::task<long> end_and_call(actor_id me) {
    auto gone = acre::destroy(me);
    co_return co_await acre::invoke(me, &actor::number);
  }
  acre::task<int> there_and_back(actor_id me, actor_id to, int depth) {
    if (depth == 0) co_return 0;
    co_return 1 + co_await acre::invoke(to, &actor::there_and_back, to, me, depth - 1);
  }
  acre::future<long> call_from(acre::rank_t helper, actor_id me) {
    return acre::rpc(helper, [](actor_id a) { return acre::invoke(a, &actor::number); }, me);
  }
  acre::future<long> await_signal() {
    signal_.emplace();
    return signal_->get_future();
  }
  void signal(long value) { signal_->set_value(value); }
  acre::task<void> be_busy(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) co_await acre::rpc(other(), [] {});
  }
  acre::task<void> tick(actor_id me, bool is_awaited, acre::rank_t until) {
    for (int i = 0; i < 20 && acre::rank() != until; ++i) {
      co_await acre::rpc(other(), [] {});
      if (i != 10) continue;
      if (is_awaited) {
        static_cast<void>(acre::invoke(me, &actor::tick, me, is_awaited, until));
      } else {
        acre::invoke_ff(me, &actor::tick, me, is_awaited, until);
      }
    }
  }

  acre::task<long> call_concurrent(actor_id me) {
    acre::invoke_ff(me, &actor::exclusive_number);
    co_return co_await acre::invoke(me, &actor::number);
  }
  long call_alone(actor_id me) { return acre::invoke(me, &actor::exclusive_number).get(); }
  acre::task<long> await_alone(actor_id me) {
    co_return co_await acre::invoke(me, &actor::exclusive_number);
  }
  long call_by_rpc(acre::rank_t helper, actor_id me) {
    return acre::rpc(
               helper, [](actor_id a) { return acre::invoke(a, &actor::exclusive_number).get(); },
               me)
        .get();
  }
  long call_other(actor_id to, actor_id back) {
    return acre::invoke(to, &actor::call_alone, back).get();
  }
  acre::task<long> await_other(actor_id to, actor_id back) {
    co_return co_await acre::invoke(to, &actor::await_alone, back);
  }
  long cross(actor_id to) {
    meet();
    return acre::invoke(to, &actor::exclusive_number).get();
  }
  long cross_behind(actor_id to) {
    meet();
    acre::invoke_ff(to, &actor::exclusive_number);
    return acre::invoke(to, &actor::number).get();
  }
  acre::task<int> round(std::vector<actor_id> ring, std::size_t at) {
    co_return co_await acre::invoke(ring[at], &actor::pass, ring, at, 2 * int(ring.size()));
  }

  void get_moved(actor_id me, acre::rank_t to) { acre::migrate(me, to).get(); }
  acre::task<void> await_moved(actor_id me, acre::rank_t to) { co_await acre::migrate(me, to); }
  acre::future<void> then_moved(actor_id me, acre::rank_t to) {
    return acre::migrate(me, to).then([] {});
  }
  acre::task<void> await_shared(actor_id me, acre::rank_t to) {
    const auto shared = acre::migrate(me, to).share();
    co_await shared;
  }
  void get_gone(actor_id me) { acre::destroy(me).get(); }
  acre::task<void> await_moved_by(actor_id by, actor_id me, acre::rank_t to) {
    co_await acre::invoke(by, &actor::await_moved, me, to);
  }
  void get_moved_by(actor_id by, actor_id me, acre::rank_t to) {
    acre::invoke(by, &actor::get_moved, me, to).get();
  }
  void begin_move(actor_id me, acre::rank_t to) {
    static_cast<void>([](actor_id moves, acre::rank_t there) -> acre::task<void> {
      co_await acre::migrate(moves, there);
    }(me, to));
  }

  acre::task<long> begin_blocking_move(actor_id me, acre::rank_t to) {
    static_cast<void>([](actor_id moves, acre::rank_t there) -> acre::task<void> {
      co_await acre::rpc(other(), [] {});
      acre::migrate(moves, there).get();
    }(me, to));
    co_await be_busy(std::chrono::milliseconds(30));
    co_return 1;
  }

  static constexpr std::tuple acre_concurrent{&actor::begin_blocking_move,

                                              &actor::number,
                                              &actor::pass,
                                              &actor::move_and_call,
                                              &actor::move_and_get,
                                              &actor::end_and_call,
                                              &actor::there_and_back,
                                              &actor::call_from,
                                              &actor::await_signal,
                                              &actor::signal,
                                              &actor::be_busy,
                                              &actor::tick,
                                              &actor::begin_move,
                                              &actor::get_gone,
                                              &actor::await_moved_by,
                                              &actor::get_moved_by};
  friend auto acre_fields(actor& a) { return std::tie(a.calls_); }

 private:
  static void meet() {
    static int met = 0;
    acre::rpc(0, [] { ++met; }).get();
    while (acre::rpc(0, [] { return met; }).get() % 2 != 0) {
    }
  }

  long calls_ = 0;
  std::optional<acre::promise<long>> signal_;
};

template <class Test>
void on_first_rank(Test&& test) {
  if (acre::rank() == 0) test();
  acre::drain();
}
inline actor_id on(acre::rank_t home) { return acre::create_id<actor>(home).get(); }

}  // namespace acre::agas::waits
