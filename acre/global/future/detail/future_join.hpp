// SPDX-License-Identifier: BSD-3-Clause
// when_all(): one block holds sources, counter and result. The last arrival collects.
#pragma once

#include <acre/global/future/detail/future_then.hpp>

#include <atomic>
#include <tuple>
#include <vector>

namespace acre::global {

/// Two owners: the returned future and the arrivals.
template <class Result>
class join_state : public future_state<Result> {
 protected:
  class arrival final : public continuation {
   public:
    explicit arrival(join_state& join) noexcept : join_(&join) {}
    continuation* run() noexcept override { return join_->arrive(); }
    [[nodiscard]] const future_state_base* brings() const noexcept override { return join_; }

   private:
    join_state* join_;
  };

  /// Counts one source more, so that no arrival completes it before the end of start().
  explicit join_state(std::size_t sources) noexcept
      : future_state<Result>(2), missing_(sources + 1) {}

  template <class T>
  void attach(future<T>& source, arrival& when_ready) noexcept {
    if (!future_access::try_attach(source, when_ready)) {
      missing_.fetch_sub(1, std::memory_order_relaxed);
    }
  }

  continuation* arrive() noexcept {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) != 1) return nullptr;
    try {
      collect();
    } catch (...) {
      this->set_failure(std::current_exception());
    }
    return this->publish();
  }

  virtual void collect() = 0;

 private:
  std::atomic<std::size_t> missing_;
};

inline void keep_first(std::exception_ptr& first, std::exception_ptr other) noexcept {
  if (first == nullptr) first = std::move(other);
}

template <class T>
auto take_as_tuple(future<T>& source) {
  static_assert(sizeof(stored<T>) <= most_by_value,
                "when_all(f, g) returns a tuple of the values, and one of them exceeds 1 MiB: "
                "use a vector instead of an array, or pass a vector of futures to when_all()");
  if constexpr (std::is_void_v<T>) {
    future_access::take(source);
    return std::tuple<>{};
  } else {
    return std::tuple<T>(future_access::take(source));
  }
}

template <class... T>
using values_of = decltype(std::tuple_cat(take_as_tuple(std::declval<future<T>&>())...));

template <class... T>
using joined =
    std::conditional_t<std::is_same_v<values_of<T...>, std::tuple<>>, void, values_of<T...>>;

template <class... T>
values_of<T...> take_all(future<T>&... sources) {
  std::exception_ptr failure;
  (keep_first(failure, future_access::see_failure(sources)), ...);
  if (failure != nullptr) std::rethrow_exception(failure);
  return std::tuple_cat(take_as_tuple(sources)...);
}

template <class... T>
class list_join final : public join_state<joined<T...>> {
  using parent = join_state<joined<T...>>;

 public:
  explicit list_join(future<T>&&... sources)
      : parent(sizeof...(T)),
        sources_(std::move(sources)...),
        arrivals_{((void)sizeof(T*), typename parent::arrival(*this))...} {}

  void start() noexcept {
    [this]<std::size_t... Index>(std::index_sequence<Index...>) {
      (this->attach(std::get<Index>(sources_), arrivals_[Index]), ...);
    }(std::index_sequence_for<T...>{});
    run_chain(this->arrive());
  }

 private:
  void collect() override {
    std::apply(
        [this](future<T>&... sources) {
          if constexpr (std::is_void_v<joined<T...>>) {
            take_all(sources...);
            this->set_value();
          } else {
            this->set_value(take_all(sources...));
          }
        },
        sources_);
  }

  std::tuple<future<T>...> sources_;
  typename parent::arrival arrivals_[sizeof...(T)];
};

template <class... T>
future<joined<T...>> join_now(future<T>&... sources) {
  try {
    if constexpr (std::is_void_v<joined<T...>>) {
      take_all(sources...);
      return future_access::ready<void>();
    } else {
      return future_access::ready<joined<T...>>(take_all(sources...));
    }
  } catch (...) {
    return make_failed_future<joined<T...>>(std::current_exception());
  }
}

template <class T>
using joined_vector = std::conditional_t<std::is_void_v<T>, void, std::vector<stored<T>>>;

template <class T>
class vector_join final : public join_state<joined_vector<T>> {
  using parent = join_state<joined_vector<T>>;

 public:
  explicit vector_join(std::vector<future<T>>&& sources)
      : parent(sources.size()),
        sources_(std::move(sources)),
        arrivals_(sources_.size(), typename parent::arrival(*this)) {}

  void start() noexcept {
    for (std::size_t i = 0; i < sources_.size(); ++i) this->attach(sources_[i], arrivals_[i]);
    run_chain(this->arrive());
  }

 private:
  void collect() override {
    std::exception_ptr failure;
    for (auto& source : sources_) keep_first(failure, future_access::see_failure(source));
    if (failure != nullptr) std::rethrow_exception(failure);
    if constexpr (std::is_void_v<T>) {
      this->set_value();
    } else {
      std::vector<T> values;
      values.reserve(sources_.size());
      for (auto& source : sources_) values.push_back(future_access::take(source));
      this->set_value(std::move(values));
    }
    sources_.clear();
  }

  std::vector<future<T>> sources_;
  std::vector<typename parent::arrival> arrivals_;
};

}  // namespace acre::global

namespace acre {

template <class... T>
auto when_all(future<T>&&... sources) {
  if (!(sources.is_valid() && ...)) global::throw_no_future("when_all");
  if constexpr (sizeof...(T) == 0) {
    return make_ready_future();
  } else {
    if ((sources.is_ready() && ...)) return global::join_now(sources...);
    return global::start_state(new global::list_join<T...>(std::move(sources)...));
  }
}

template <class T>
auto when_all(std::vector<future<T>>&& sources) {
  for (const auto& source : sources) {
    if (!source.is_valid()) global::throw_no_future("when_all");
  }
  return global::start_state(new global::vector_join<T>(std::move(sources)));
}

namespace global {

template <class T>
inline constexpr bool is_future_list = is_future<T>;
template <class T>
inline constexpr bool is_future_list<std::vector<future<T>>> = true;

template <class T>
concept named_future = std::is_lvalue_reference_v<T> && is_future_list<std::remove_cvref_t<T>>;

struct futures_or_a_vector_of_them {
  template <class T>
    requires(!is_future_list<std::remove_cvref_t<T>>)
  futures_or_a_vector_of_them(T&&) = delete;  // when_all(rpc(...), rpc(...)), or a std::vector
};

}  // namespace global

template <class... Rest>
future<global::fits_everything> when_all(global::futures_or_a_vector_of_them, Rest&&...);

template <class... Sources>
  requires(global::named_future<Sources> || ...)
future<global::fits_everything> when_all(Sources&&...) {
  static_assert(global::never<Sources...>,
                "when_all() moves the results out of its futures: write "
                "when_all(std::move(f), std::move(g)), or share() them before");
  return {};
}

}  // namespace acre
