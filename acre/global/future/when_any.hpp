// SPDX-License-Identifier: BSD-3-Clause
// Waits for the first of several futures.
//
//     auto first = acre::when_any(ask(1), ask(2)).get();
//     if (first.index == 0) use(std::get<0>(first.futures).get());
//
//     while (!open.empty()) {
//       auto some = acre::when_any(std::move(open)).get();
//       use(some.futures[some.index].get());
//       open = std::move(some.futures);
//       open.erase(open.begin() + some.index);
//     }
//
// The result contains all futures; pending ones stay usable. A failed future counts as ready.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/global/future/shared_future.hpp>

#include <atomic>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {

template <class Futures>
struct when_any_result {
  std::size_t index = 0;  ///< number of a ready future
  Futures futures;
};

/// Future of the first ready one; on a tie, the first argument.
/// @throws acre::error if one has no result
template <class... T>
  requires(sizeof...(T) != 0)
[[nodiscard]] future<when_any_result<std::tuple<future<T>...>>> when_any(future<T>&&... sources);

/// when_any() of a vector.
/// @throws acre::error also if `sources` is empty
template <class T>
[[nodiscard]] future<when_any_result<std::vector<future<T>>>> when_any(
    std::vector<future<T>>&& sources);

/// As when_any(), also for shared futures. Each call adds some hundred bytes to pending shared
/// futures: avoid it in loops.
template <class... Sources>
  requires((global::is_future<Sources> || global::is_shared_future<Sources>) && ...) &&
          (global::is_shared_future<Sources> || ...)
[[nodiscard]] future<when_any_result<std::tuple<Sources...>>> when_any(Sources... sources);
template <class T>
[[nodiscard]] future<when_any_result<std::vector<shared_future<T>>>> when_any(
    std::vector<shared_future<T>> sources);

namespace global {

[[noreturn]] void throw_nothing_to_wait_for(const char* call);

template <class... Sources, class Use>
void for_each_future(std::tuple<Sources...>& futures, Use&& use) {
  std::size_t index = 0;
  std::apply([&](auto&... each) { (use(each, index++), ...); }, futures);
}
template <class Source, class Use>
void for_each_future(std::vector<Source>& futures, Use&& use) {
  for (std::size_t i = 0; i < futures.size(); ++i) use(futures[i], i);
}

/// A counter expects two events: the end of start() and the first arrival. The later one detaches
/// the other arrivals and publishes the result. Owners: the returned future, start(), and each
/// arrival that may run.
template <class Futures>
class any_state final : public future_state<when_any_result<Futures>> {
  class arrival final : public continuation {
   public:
    arrival(any_state& race, std::size_t index) noexcept : race_(&race), index_(index) {}
    continuation* run() noexcept override { return race_->arrive(index_); }

    template <class T>
    bool try_attach(future<T>& source) noexcept {
      return future_access::try_attach(source, *this);
    }
    template <class T>
    bool try_attach(shared_future<T>& source) noexcept {
      among_others_.lead_to(*this);
      return future_access::try_attach(source, among_others_);
    }
    /// Detaches from `source`. False if this has run, will run, or is in a shared future's list.
    template <class T>
    bool try_detach(future<T>& source) noexcept {
      return future_access::try_detach(source, *this);
    }
    template <class T>
    bool try_detach(shared_future<T>& /*source*/) noexcept {
      return false;
    }

   private:
    any_state* race_;
    std::size_t index_;
    shared_arrival among_others_;
  };

 public:
  explicit any_state(Futures&& sources)
      : future_state<when_any_result<Futures>>(2), sources_(std::move(sources)) {
    for_each_future(sources_,
                    [this](auto&, std::size_t index) { arrivals_.emplace_back(*this, index); });
  }

  void start() noexcept {
    for_each_future(sources_, [this](auto& source, std::size_t index) {
      if (attached_ != index) return;
      this->add_owner();
      if (arrivals_[index].try_attach(source)) {
        ++attached_;
      } else {
        static_cast<void>(arrive(index));  // does not publish: start() still runs
      }
    });
    run_chain(count_down());
    this->drop_owner();
  }

 private:
  static constexpr std::size_t undecided = static_cast<std::size_t>(-1);

  continuation* arrive(std::size_t index) noexcept {
    std::size_t expected = undecided;
    continuation* next = nullptr;
    if (first_.compare_exchange_strong(expected, index, std::memory_order_acq_rel)) {
      next = count_down();
    }
    this->drop_owner();
    return next;
  }

  continuation* count_down() noexcept {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) != 1) return nullptr;
    for_each_future(sources_, [this](auto& source, std::size_t index) {
      if (index < attached_ && arrivals_[index].try_detach(source)) {
        this->drop_owner();
      }
    });
    try {
      this->set_value(
          when_any_result<Futures>{first_.load(std::memory_order_relaxed), std::move(sources_)});
    } catch (...) {
      this->set_failure(std::current_exception());
    }
    return this->mark_ready();
  }

  Futures sources_;
  std::vector<arrival> arrivals_;
  std::size_t attached_ = 0;
  std::atomic<std::size_t> first_{undecided};
  std::atomic<std::size_t> missing_{2};
};

template <class Futures>
future<when_any_result<Futures>> first_of(Futures sources) {
  std::size_t number = 0;
  std::size_t first = static_cast<std::size_t>(-1);
  for_each_future(sources, [&](auto& source, std::size_t index) {
    if (!source.is_valid()) throw_no_future("when_any");
    if (source.is_ready() && first > index) first = index;
    ++number;
  });
  if (number == 0) throw_nothing_to_wait_for("when_any");
  if (first < number) {
    return make_ready_future(when_any_result<Futures>{first, std::move(sources)});
  }
  return start_state(new any_state<Futures>(std::move(sources)));
}

}  // namespace global

template <class... T>
  requires(sizeof...(T) != 0)
future<when_any_result<std::tuple<future<T>...>>> when_any(future<T>&&... sources) {
  return global::first_of(std::tuple<future<T>...>(std::move(sources)...));
}

template <class T>
future<when_any_result<std::vector<future<T>>>> when_any(std::vector<future<T>>&& sources) {
  return global::first_of(std::move(sources));
}

template <class... Sources>
  requires((global::is_future<Sources> || global::is_shared_future<Sources>) && ...) &&
          (global::is_shared_future<Sources> || ...)
future<when_any_result<std::tuple<Sources...>>> when_any(Sources... sources) {
  return global::first_of(std::tuple<Sources...>(std::move(sources)...));
}

template <class T>
future<when_any_result<std::vector<shared_future<T>>>> when_any(
    std::vector<shared_future<T>> sources) {
  return global::first_of(std::move(sources));
}

template <class... Sources>
  requires(global::named_future<Sources> || ...)
future<global::fits_everything> when_any(Sources&&...) {
  static_assert(global::never<Sources...>,
                "when_any() moves its futures in and returns them: write "
                "when_any(std::move(f), std::move(g)), or share() them before");
  return {};
}

}  // namespace acre
