// SPDX-License-Identifier: BSD-3-Clause
// Copyable future, readable any number of times. Members as of future.
//
//     acre::shared_future<table> rows = acre::rpc(0, read_table).share();
//     rows.then(draw);
//     const table& here = rows.get();
//
// The value lives until the last copy is destroyed. A failure reaches every reader, and is lost
// only without readers. Continuations run in order of attachment. Threads may use different copies,
// not one object.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/future/future.hpp>

namespace acre {
namespace global {

/// Continuation of a shared result. They form a list, newest first.
class shared_arrival final : public continuation {
 public:
  void lead_to(continuation& target) noexcept { target_ = &target; }
  void set_next(shared_arrival* next) noexcept { next_ = next; }

  /// Runs all continuations of the list, oldest first.
  continuation* run() noexcept override {
    shared_arrival* oldest = nullptr;
    for (shared_arrival* each = this; each != nullptr;) {
      shared_arrival* const before = std::exchange(each->next_, oldest);
      oldest = std::exchange(each, before);
    }
    const auto run_one = [](continuation& target) {
      runtime::code_here.serves = target.served();
      return target.run();
    };
    while (shared_arrival* const next = oldest->next_) {
      run_chain(run_one(*oldest->target_));
      oldest = next;
    }
    return run_one(*oldest->target_);
  }
  [[nodiscard]] const future_state_base* brings() const noexcept override {
    return target_->brings();
  }
  [[nodiscard]] const continuation* waits_with() const noexcept override { return next_; }

 private:
  continuation* target_ = nullptr;
  shared_arrival* next_ = nullptr;
};

template <class T>
struct attachment<shared_future<T>> {
  shared_arrival arrival;

  bool try_attach(shared_future<T>& source, continuation& waiting) noexcept {
    arrival.lead_to(waiting);
    return future_access::try_attach(source, arrival);
  }
};

template <class F, class T>
inline constexpr bool reads_elements = false;
template <class F, class... Elements>
inline constexpr bool reads_elements<F, std::tuple<Elements...>> =
    std::is_invocable_v<F&, const Elements&...>;

template <class F, class T>
consteval call_form find_shared_call_form() {
  if constexpr (std::is_void_v<T>) {
    if constexpr (std::is_invocable_v<F&>) {
      return call_form::value;
    } else {
      return std::is_invocable_v<F&, shared_future<T>> ? call_form::whole_future : call_form::none;
    }
  } else if constexpr (std::is_invocable_v<F&, const T&>) {
    return call_form::value;
  } else if constexpr (reads_elements<F, T>) {
    return call_form::elements;
  } else {
    return std::is_invocable_v<F&, shared_future<T>> ? call_form::whole_future : call_form::none;
  }
}

template <class F, class T>
inline constexpr call_form form_of<F, shared_future<T>> = find_shared_call_form<F, T>();

template <call_form Form, class F, class T>
decltype(auto) call(F& function, shared_future<T>& source) {
  if constexpr (Form == call_form::whole_future) {
    return function(std::move(source));
  } else if constexpr (std::is_void_v<T>) {
    return function();
  } else if constexpr (Form == call_form::elements) {
    return std::apply(function, future_access::look(source));
  } else {
    return function(future_access::look(source));
  }
}

}  // namespace global

/// As continuation_of, for shared futures: f(const T&), f(const elements&...) or
/// f(shared_future<T>).
template <class F, class T>
concept shared_continuation_of =
    global::form_of<std::decay_t<F>, shared_future<T>> != global::call_form::none;

template <class T>
class shared_future {
 public:
  using value_type = T;

  shared_future() noexcept = default;
  /// Takes the result of `source`.
  /// @throws acre::error if it was taken before
  shared_future(future<T> source) {
    if (!source.is_valid()) global::throw_no_future("future::share");
    state_ = global::future_access::give_to_share(source);
  }

  shared_future(const shared_future& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) state_->add_owner();
  }
  shared_future(shared_future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  shared_future& operator=(shared_future other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~shared_future() { clear(); }

  [[nodiscard]] bool is_valid() const noexcept { return state_ != nullptr; }
  [[nodiscard]] bool is_ready() const noexcept { return is_valid() && state_->is_ready(); }
  [[nodiscard]] bool has_failed() const noexcept { return is_ready() && state_->has_failed(); }

  /// Makes progress until ready.
  /// @throws the failure
  void wait(site where = site::current()) const { complete("shared_future::wait", where); }

  /// Waits. The result lives as long as any copy of this future.
  /// @throws the failure
  std::add_lvalue_reference_t<const T> get(site where = site::current()) const {
    complete("shared_future::get", where);
    if constexpr (!std::is_void_v<T>) return state_->value();
  }

  /// As future::then(), but `function` only reads the result.
  template <shared_continuation_of<T> F>
  auto then(F&& function) const {
    if (!is_valid()) global::throw_no_future("shared_future::then");
    if (is_ready()) return global::then_now(shared_future(*this), function);
    return global::start_state(new global::then_state<shared_future, std::decay_t<F>>(
        shared_future(*this), std::forward<F>(function)));
  }

 private:
  friend class global::future_access;

  void clear() noexcept {
    if (state_ != nullptr) std::exchange(state_, nullptr)->drop_owner();
  }

  void complete(const char* call, site where) const {
    if (state_ == nullptr) global::throw_no_future(call);
    global::await_state(*state_, call, where);
    if (state_->has_failed()) std::rethrow_exception(state_->see_failure());
  }

  global::future_state<T>* state_ = nullptr;
};

template <class T>
shared_future<T> future<T>::share() {
  return shared_future<T>(std::move(*this));
}

namespace global {

template <class T>
concept joinable = is_future<T> || copies_come_of<T>;

template <class T>
future<T> own_future(future<T> source) {
  return source;
}
template <class T>
future<T> own_future(const shared_future<T>& source) {
  if (!source.is_valid()) throw_no_future("when_all");
  return copy_to_come(source);
}

template <class T>
future<T> copy_to_come(const shared_future<T>& source) {
  if constexpr (std::is_void_v<T>) {
    return source.then([] {});
  } else {
    return source.then([](const T& value) { return value; });
  }
}

}  // namespace global

/// As when_all() of futures. Copies the results of shared futures, which stay usable.
template <global::joinable... Sources>
  requires(global::is_shared_future<Sources> || ...)
[[nodiscard]] auto when_all(Sources... sources) {
  return when_all(global::own_future(std::move(sources))...);
}

template <class T>
  requires global::copies_come_of<shared_future<T>>
[[nodiscard]] auto when_all(const std::vector<shared_future<T>>& sources) {
  std::vector<future<T>> copies;
  copies.reserve(sources.size());
  for (const auto& source : sources) copies.push_back(global::own_future(source));
  return when_all(std::move(copies));
}

}  // namespace acre
