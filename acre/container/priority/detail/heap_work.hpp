// SPDX-License-Identifier: BSD-3-Clause
// Members work on the values of a priority queue until it is empty.
//
// An idle member joins an allreduce of the numbers of removed values. Two successive equal sums end
// the work: no member removed a value since it joined the first, so no push was under way at its
// end, and then each part was found empty (after Mattern, Algorithms for distributed termination
// detection, 1987).
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/container/priority/detail/heap_parts.hpp>
#include <acre/container/priority/detail/steal_pause.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/owner/many_at_owners.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/wait.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace acre::container {

/// Pushes of a function that works: to other nodes they are collected until this part is empty.
template <class T, class Compare>
class heap_pusher {
  using parts = heap_parts<T, Compare>;
  using service = heap_push_service<typename parts::part>;

 public:
  heap_pusher(parts& all, const char* call, const site& where)
      : all_(all),
        call_(call),
        where_(where),
        elsewhere_(all.members(), words_of{&all}, call, where) {}

  /// Cost: as priority_queue::push().
  void push(const T& value) { push_to(all_.members().rank(), value); }
  /// Cost: in a node A + W; else 2 M per full message.
  /// @throws acre::error if the member does not exist
  void push(rank_t member, const T& value) {
    static_cast<void>(all_.members()[member]);
    push_to(member, value);
  }
  void push(member to, const T& value) { push_to(all_.members().number_of(to), value); }

  /// @return false if empty
  /// @throws acre::error if an owner refused a value; this rank's part then has it
  bool flush() {
    if (collected_ == 0) return false;
    collected_ = 0;
    std::vector<item> refused;
    elsewhere_.finish([&](const at_owner::answered_item& answer) {
      if (answer.code != service::refused) return;
      refused.push_back({static_cast<rank_t>(answer.number), reader(answer.item).read<T>()});
    });
    push_refused(std::move(refused));
    return true;
  }

 private:
  struct item {
    rank_t member;
    T value;
  };
  struct words_of {
    const parts* all;
    auto operator()(rank_t member) const noexcept { return all->words_for(member); }
  };

  void push_to(rank_t member, const T& value) {
    if (all_.push_directly(member, value)) return;
    elsewhere_.add(member, member, value);
    ++collected_;
  }
  /// Pushes each alone, for the owner's exception; then the others remain here.
  void push_refused(std::vector<item> refused) {
    while (!refused.empty()) {
      try {
        all_.push(refused.back().member, refused.back().value, call_, where_);
        refused.pop_back();
      } catch (...) {
        std::vector<T> values;
        for (item& each : refused) values.push_back(std::move(each.value));
        all_.add_or_keep(std::move(values));
        throw;
      }
    }
  }

  parts& all_;
  const char* call_;
  site where_;
  at_owner::many<service, words_of> elsewhere_;
  std::uint64_t collected_ = 0;
};

template <class T, class Compare>
class heap_work {
  using parts = heap_parts<T, Compare>;

 public:
  heap_work(parts& all, const T* bound, const char* call, const site& where)
      : all_(all), bound_(bound), call_(call), where_(where), more_(all, call, where) {}

  template <class F>
  void run(F& f) {
    std::exception_ptr failure;
    const auto work = [&] {
      if (failure) return;
      try {
        run_while_any(f);
      } catch (...) {
        failure = std::current_exception();
        send_the_rest();
      }
    };
    std::optional<std::uint64_t> before;
    for (;;) {
      work();
      const tally mine{removed_, failure ? std::uint64_t{1} : 0};
      future<tally> sum = all_.members().allreduce_async(mine, add);
      while (!await(sum, failure == nullptr)) work();
      const tally now = sum.get(where_);
      if (failure && (now.failures != 0 || before == now.removed)) std::rethrow_exception(failure);
      if (now.failures != 0) global::throw_failed_elsewhere(call_, where_, "a function");
      if (before == now.removed) return;
      before = now.removed;
    }
  }

 private:
  struct tally {
    std::uint64_t removed;
    std::uint64_t failures;
  };
  static tally add(const tally& a, const tally& b) noexcept {
    return {a.removed + b.removed, a.failures + b.failures};
  }

  static constexpr std::uint64_t removed_between_flushes = 256;

  /// Values that the function pushed before its exception remain.
  void send_the_rest() noexcept {
    try {
      more_.flush();
    } catch (...) {
      // The first exception is thrown.
    }
  }

  template <class F>
  void run_while_any(F& f) {
    do {
      while (std::optional<T> value = next()) {
        pause_.reset();
        ++removed_;
        f(std::move(*value), more_);
        if (removed_ % removed_between_flushes == 0) more_.flush();
      }
    } while (more_.flush());
  }

  [[nodiscard]] std::optional<T> next() {
    if (std::optional<T> own = all_.pop_own(bound_)) return own;
    const rank_t members = all_.members().size();
    const rank_t first = random_member();
    for (rank_t i = 0; i < members; ++i) {
      const rank_t victim = first + i < members ? first + i : first + i - members;
      if (victim == all_.members().rank() || !all_.is_near(victim)) continue;
      if (std::optional<T> stolen = all_.steal(victim, bound_, call_, where_)) return stolen;
    }
    // Once, as it costs a round trip.
    const rank_t far = random_member();
    if (all_.is_near(far)) return std::nullopt;
    return all_.steal(far, bound_, call_, where_);
  }

  /// If this member `works`, waits at most until it has values or may steal.
  /// @return true if the sum is ready
  bool await(const future<tally>& sum, bool works) {
    pause_.begin();
    if (sum.is_ready()) return true;
    runtime::waiter waiting(call_, runtime::may_run::user_code, where_);
    do {
      waiting.step();
      if (sum.is_ready()) return true;
    } while (!works || (!all_.may_have_own(bound_) && !pause_.is_over()));
    return false;
  }

  [[nodiscard]] rank_t random_member() noexcept {
    return static_cast<rank_t>(split_mix(rank(), ++draws_) % all_.members().size());
  }

  parts& all_;
  const T* bound_;
  const char* call_;
  site where_;
  heap_pusher<T, Compare> more_;
  std::uint64_t removed_ = 0;
  steal_pause pause_;
  std::uint64_t draws_ = 0;
};

}  // namespace acre::container
