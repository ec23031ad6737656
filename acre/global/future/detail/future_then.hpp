// SPDX-License-Identifier: BSD-3-Clause
// then(): immediate if ready; otherwise one block is state, continuation and function.
#pragma once

#include <acre/runtime/running_code.hpp>

#include <optional>
#include <tuple>

namespace acre::global {

template <class T>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<future<T>> = true;

template <class T>
inline constexpr bool is_shared_future = false;
template <class T>
inline constexpr bool is_shared_future<shared_future<T>> = true;

template <class T>
inline constexpr bool copies_come_of = false;
template <class T>
inline constexpr bool copies_come_of<shared_future<T>> =
    std::is_void_v<T> || std::is_copy_constructible_v<T>;

template <class T>
struct unwrapped {
  using type = T;
};
template <class T>
struct unwrapped<future<T>> {
  using type = T;
};

class future_access {
 public:
  /// Makes a future that takes over one ownership of `owned`.
  template <class T>
  static future<T> share(future_state<T>* owned) noexcept {
    return future<T>(owned);
  }

  /// Makes a promise that takes over one ownership of `owned`; its future exists.
  template <class T>
  static promise<T> make_promise(future_state<T>* owned) noexcept {
    return promise<T>(owned);
  }

  template <class T, class... Arguments>
  static future<T> ready(Arguments&&... arguments) {
    return future<T>(std::in_place, std::forward<Arguments>(arguments)...);
  }

  template <class T>
  static bool try_attach(future<T>& source, continuation& waiting) noexcept {
    return source.home_ == future<T>::home::shared && source.state_->try_attach(waiting);
  }

  template <class T>
  static bool try_detach(future<T>& source, continuation& waiting) noexcept {
    return source.state_->try_detach(waiting);
  }

  template <class T>
  static future_state<T>* give_to_share(future<T>& source) {
    if constexpr (future<T>::is_here_if_ready) {
      if (source.home_ == future<T>::home::here) {
        auto* const state = make_ready_state<T>(std::move(source.value_));
        source.clear();
        return state;
      }
    }
    source.home_ = future<T>::home::nowhere;
    return source.state_;
  }

  template <class T>
  static std::exception_ptr see_failure(future<T>& source) noexcept {
    return source.home_ == future<T>::home::shared ? source.state_->see_failure() : nullptr;
  }

  template <class T>
  static T take(future<T>& source) {
    return source.take_value();
  }

  /// Result without moving it; the caller must drop the future afterwards.
  template <class T>
  static T& value_in_place(future<T>& source) noexcept {
    return source.value_in_place();
  }

  template <class T, class Arrival>
  static bool try_attach(shared_future<T>& source, Arrival& waiting) noexcept {
    return source.state_->try_attach_also(waiting);
  }
  template <class T>
  static const std::exception_ptr& see_failure(shared_future<T>& source) noexcept {
    return source.state_->see_failure();
  }
  template <class T>
  static const auto& look(shared_future<T>& source) noexcept {
    return source.state_->value();
  }
  template <class T>
  static void drop(shared_future<T>& source) noexcept {
    source.clear();
  }

  template <class T>
  static const future_state_base* state_of(const future<T>& source) noexcept {
    return source.home_ == future<T>::home::shared ? source.state_ : nullptr;
  }

  template <class T>
  static void drop(future<T>& source) noexcept {
    source.clear();
  }
};

template <class F, class T>
inline constexpr bool takes_elements = false;
template <class F, class... Elements>
inline constexpr bool takes_elements<F, std::tuple<Elements...>> =
    std::is_invocable_v<F&, Elements...>;

/// Form in which F accepts a T. f(future<T>) is tested last, as the test compiles generic lambdas.
template <class F, class T>
consteval call_form find_call_form() {
  if constexpr (std::is_void_v<T>) {
    if constexpr (std::is_invocable_v<F&>) {
      return call_form::value;
    } else {
      return std::is_invocable_v<F&, future<T>> ? call_form::whole_future : call_form::none;
    }
  } else if constexpr (std::is_invocable_v<F&, T>) {
    return call_form::value;
  } else if constexpr (takes_elements<F, T>) {
    return call_form::elements;
  } else {
    return std::is_invocable_v<F&, future<T>> ? call_form::whole_future : call_form::none;
  }
}

template <class F, class T>
inline constexpr bool takes_to_change = std::is_invocable_v<F&, T&>;
template <class F>
inline constexpr bool takes_to_change<F, void> = false;

/// Type of an ill-formed result; converts to anything for a single error.
struct fits_everything {
  template <class T>
  operator T() const noexcept;
};

template <call_form Form, class F, class T>
decltype(auto) call(F& function, future<T>& source) {
  if constexpr (Form == call_form::whole_future) {
    return function(std::move(source));
  } else if constexpr (Form == call_form::elements) {
    return std::apply(function, future_access::take(source));
  } else if constexpr (std::is_void_v<T>) {
    future_access::take(source);
    return function();
  } else if constexpr (is_large<T>) {
    return function(std::move(future_access::value_in_place(source)));
  } else {
    return function(future_access::take(source));
  }
}

template <call_form Form, class F, class T>
decltype(auto) call(F& function, shared_future<T>& source);

template <class T>
future<T> copy_to_come(const shared_future<T>& source);

/// A returned shared future becomes a future of a copy.
template <call_form Form, class F, class Source>
decltype(auto) call_to_unwrap(F& function, Source& source) {
  if constexpr (copies_come_of<std::decay_t<decltype(call<Form>(function, source))>>) {
    return copy_to_come(call<Form>(function, source));
  } else {
    return call<Form>(function, source);
  }
}

template <class F, class Source>
inline constexpr call_form form_of = call_form::none;
template <class F, class T>
inline constexpr call_form form_of<F, future<T>> = find_call_form<F, T>();

template <class F, class Source>
using call_result = std::decay_t<decltype(call_to_unwrap<form_of<F, Source>>(
    std::declval<F&>(), std::declval<Source&>()))>;

template <class Source>
struct attachment {
  static bool try_attach(Source& source, continuation& waiting) noexcept {
    return future_access::try_attach(source, waiting);
  }
};

template <class T>
void settle(future_state<T>& target, future<T>& source) {
  if (auto failure = future_access::see_failure(source)) {
    target.set_failure(std::move(failure));
  } else if constexpr (std::is_void_v<T>) {
    target.set_value();
  } else {
    target.set_value_by([&] { return future_access::take(source); });
  }
}

template <class T, class Make>
void fulfil(promise<T>& promised, Make&& make) {
  try {
    promised.set_value_by(std::forward<Make>(make));
  } catch (...) {
    promised.set_exception(std::current_exception());
  }
}

/// then() on a pending future. Two owners: the returned future and the runner.
template <class Source, class F>
class then_state final : public future_state<typename unwrapped<call_result<F, Source>>::type>,
                         public continuation {
  using result = call_result<F, Source>;
  using value = typename unwrapped<result>::type;
  static constexpr call_form form = form_of<F, Source>;

 public:
  template <class Function>
  then_state(Source&& source, Function&& function)
      : future_state<value>(2),
        source_(std::move(source)),
        function_(std::forward<Function>(function)),
        call_(runtime::current_call()) {}

  void start() noexcept {
    if (!attachment_.try_attach(source_, *this)) run_chain(run());
  }

  [[nodiscard]] const future_state_base* brings() const noexcept override { return this; }

  continuation* run() noexcept override {
    const runtime::within_call here(call_, static_cast<const future_state_base*>(this));
    try {
      if constexpr (is_future<result>) {
        if (!called_) {
          inner_ = call_function();
          if (future_access::try_attach(inner_, *this)) return nullptr;
        }
        if (!inner_.is_valid()) throw_no_future("future::then");
        settle(*this, inner_);
        future_access::drop(inner_);
      } else if constexpr (std::is_void_v<result>) {
        call_function();
        this->set_value();
      } else {
        this->set_value_by([&] { return call_function(); });
      }
    } catch (...) {
      this->set_failure(std::current_exception());
    }
    return this->publish();
  }

 private:
  result call_function() {
    called_ = true;
    struct freed_at_return {
      then_state& self;
      ~freed_at_return() {
        self.function_.reset();
        future_access::drop(self.source_);
      }
    } const guard{*this};
    if constexpr (form != call_form::whole_future) {
      if (auto failure = future_access::see_failure(source_)) std::rethrow_exception(failure);
    }
    return call_to_unwrap<form>(*function_, source_);
  }

  Source source_;
  [[no_unique_address]] attachment<Source> attachment_;
  std::optional<F> function_;
  runtime::call_tag call_;
  bool called_ = false;
  [[no_unique_address]] std::conditional_t<is_future<result>, future<value>, unit> inner_;
};

template <class State>
auto start_state(State* state) {
  auto result = future_access::share(state);
  state->start();
  return result;
}

template <class Source, class F>
auto then_now(Source source, F& function)
    -> future<typename unwrapped<call_result<F, Source>>::type> {
  using result = call_result<F, Source>;
  using value = typename unwrapped<result>::type;
  constexpr call_form form = form_of<F, Source>;
  if constexpr (form != call_form::whole_future) {
    if (auto failure = future_access::see_failure(source)) {
      return make_failed_future<value>(std::move(failure));
    }
  }
  try {
    if constexpr (is_future<result>) {
      return call_to_unwrap<form>(function, source);
    } else if constexpr (std::is_void_v<result>) {
      call<form>(function, source);
      return future_access::ready<void>();
    } else {
      return future_access::ready<value>(call<form>(function, source));
    }
  } catch (...) {
    return make_failed_future<value>(std::current_exception());
  }
}

}  // namespace acre::global

namespace acre {

template <class T>
template <class F>
auto future<T>::then(F&& function) && {
  if constexpr (!continuation_of<F, T>) {
    constexpr bool takes_reference = global::takes_to_change<std::decay_t<F>, T>;
    static_assert(!takes_reference,
                  "a parameter of this function is T&, but then() moves the result: take it "
                  "as T, T&& or const T&");
    static_assert(takes_reference,
                  "then() cannot call this function with the result: it accepts f(T) for a "
                  "future<T>, f() for a future<void>, f(elements...) for a future of a tuple, or "
                  "f(future<T>), which also receives failures");
    return future<global::fits_everything>();
  } else {
    if (!is_valid()) global::throw_no_future("future::then");
    if (is_ready()) return global::then_now(std::move(*this), function);
    return global::start_state(new global::then_state<future, std::decay_t<F>>(
        std::move(*this), std::forward<F>(function)));
  }
}

template <class T>
future<T> promise<T>::get_future() {
  if (state_ == nullptr) global::throw_no_promise("promise::get_future");
  if (stage_.retrieved) global::throw_already_retrieved();
  stage_.retrieved = true;
  state_->add_owner();
  return global::future_access::share(state_);
}

template <class T>
future<std::decay_t<T>> make_ready_future(T&& value) {
  return global::future_access::ready<std::decay_t<T>>(std::forward<T>(value));
}

inline future<void> make_ready_future() { return global::future_access::ready<void>(); }

template <class T>
future<T> make_failed_future(std::exception_ptr failure) {
  auto* state = new global::future_state<T>(1);
  state->set_failure(std::move(failure));
  global::run_chain(state->mark_ready());
  return global::future_access::share(state);
}

}  // namespace acre
