// SPDX-License-Identifier: BSD-3-Clause
// A `pending` reports an on_source or on_operation of a call once. If it is destroyed before, its
// promise is broken.
#pragma once

#include <acre/global/transfer/box_moves.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/detail/call_at_target.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/remote.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::global {

template <class Way, class T>
class pending {
  static_assert(std::is_invocable_v<Way&> ||
                    (!std::is_void_v<T> &&
                     std::is_invocable_v<Way&, std::add_rvalue_reference_t<T>>),
                "a completion takes a future, a promise, or a function whose only parameter, if "
                "any, is the received value");

 public:
  explicit pending(Way way) : function_(std::move(way)) {}

  template <class... Value>
  void tell(Value&&... value) noexcept {
    try {
      if constexpr (std::is_invocable_v<Way&, Value...>) {
        static_cast<void>(function_(std::forward<Value>(value)...));
      } else {
        static_cast<void>(function_());
      }
    } catch (...) {
      runtime::keep_lost_failure(std::current_exception());
    }
  }
  void fail(std::exception_ptr failure) noexcept { runtime::keep_lost_failure(std::move(failure)); }
  [[nodiscard]] static std::tuple<> futures() noexcept { return {}; }

 private:
  Way function_;
};

template <class P, class T>
class pending<promise<P>, T> {
  static_assert(std::is_void_v<P> || std::same_as<P, T>,
                "the type of this promise differs from the result of the operation");

 public:
  explicit pending(promise<P> way) noexcept : promise_(std::move(way)) {}

  template <class... Value>
  void tell(Value&&... value) noexcept {
    fulfil(promise_, [&] {
      if constexpr (!std::is_void_v<P>) return P(std::forward<Value>(value)...);
    });
  }
  void fail(std::exception_ptr failure) noexcept { promise_.set_exception(std::move(failure)); }
  [[nodiscard]] static std::tuple<> futures() noexcept { return {}; }

 private:
  promise<P> promise_;
};

template <class T>
class pending<as_future_t, T> {
 public:
  explicit pending(as_future_t /*way*/) {}

  template <class... Value>
  void tell(Value&&... value) noexcept {
    promise_.set_value(std::forward<Value>(value)...);
  }
  void fail(std::exception_ptr failure) noexcept { promise_.set_exception(std::move(failure)); }
  [[nodiscard]] std::tuple<future<T>> futures() { return {promise_.get_future()}; }

 private:
  promise<T> promise_;
};

template <class T>
class pending<expected_arrival, T> {
 public:
  explicit pending(expected_arrival way) noexcept : arrival_(std::move(way)) {}
  template <class... Value>
  void tell(Value&&...) noexcept {
    arrival_.arrive();
  }
  void fail(std::exception_ptr failure) noexcept { arrival_.fail(std::move(failure)); }
  [[nodiscard]] static std::tuple<> futures() noexcept { return {}; }

 private:
  expected_arrival arrival_;
};

struct told_at_target {
  void tell() const noexcept {}
  [[nodiscard]] static std::tuple<> futures() noexcept { return {}; }
};

template <class T, ending End, class Way>
auto make_pending(local_completion<End, Way>& asked) {
  return pending<Way, std::conditional_t<End == ending::source, void, T>>(std::move(asked.way));
}
template <class T, class F, class... Arguments>
told_at_target make_pending(then_at_target<F, Arguments...>& /*asked*/) {
  return {};
}

template <class... Futures>
auto hand_out(std::tuple<Futures...>&& futures) {
  if constexpr (sizeof...(Futures) == 1) {
    return std::get<0>(std::move(futures));
  } else if constexpr (sizeof...(Futures) > 1) {
    return std::move(futures);
  }
}

template <class T, class Asked, class... Value>
auto tell_now(Asked& asked, Value&&... value) {
  using told = decltype(make_pending<T>(asked));
  if constexpr (std::same_as<told, pending<as_future_t, void>>) {
    return std::tuple(make_ready_future());
  } else if constexpr (std::same_as<told, pending<as_future_t, T>>) {
    return std::tuple(make_ready_future(std::forward<Value>(value)...));
  } else {
    make_pending<T>(asked).tell(std::forward<Value>(value)...);
    return std::tuple();
  }
}

template <class... Asked>
auto all_told_now(Asked&... asked) {
  // Braces fix the order of evaluation.
  std::tuple<decltype(tell_now<void>(asked))...> futures{tell_now<void>(asked)...};
  return hand_out(
      std::apply([](auto&... each) { return std::tuple_cat(std::move(each)...); }, futures));
}

template <class... Pending, class... Value>
void tell_all(std::tuple<Pending...>& all, Value&&... value) noexcept {
  std::apply([&](auto&... each) { (each.tell(std::forward<Value>(value)...), ...); }, all);
}

template <class Asked, ending End>
inline constexpr bool is_of = Asked::end == End;

template <ending End, class... Asked, class... Pending>
auto select(std::tuple<Pending...>& all, const Asked&... /*asked*/) {
  return std::apply(
      [](auto&... each) {
        const auto choose = [](auto& one, auto wanted) {
          if constexpr (wanted()) {
            return std::tuple(std::move(one));
          } else {
            return std::tuple();
          }
        };
        return std::tuple_cat(choose(each, std::bool_constant<is_of<Asked, End>>{})...);
      },
      all);
}

template <class T, class... Asked>
class awaited_completions {
 public:
  explicit awaited_completions(Asked&... asked)
      : pending_{make_pending<T>(asked)...},
        futures_(std::apply([](auto&... each) { return std::tuple_cat(each.futures()...); },
                            pending_)) {}

  /// Runs `start`, which issues the operation. If it throws, the events report no other failure.
  template <class Start>
  auto start(Start&& start) && {
    try {
      start(pending_);
    } catch (...) {
      std::apply([](auto&... each) { (static_cast<void>(future_access::see_failure(each)), ...); },
                 futures_);
      throw;
    }
    return hand_out(std::move(futures_));
  }

 private:
  using all_pending = std::tuple<decltype(make_pending<T>(std::declval<Asked&>()))...>;
  using all_futures =
      decltype(std::apply([](auto&... each) { return std::tuple_cat(each.futures()...); },
                          std::declval<all_pending&>()));

  all_pending pending_;
  all_futures futures_;
};

/// Source of a put: the caller's, or a copy owned by the put.
struct bytes_of_caller {
  static constexpr bool is_copy = false;
  const void* bytes;
  [[nodiscard]] const void* data() const noexcept { return bytes; }
};
template <class T>
struct bytes_of_copy {
  static constexpr bool is_copy = true;
  T value;
  [[nodiscard]] const void* data() const noexcept { return &value; }
};

template <class Source, class All>
struct end_of_put {
  Source source;
  kept_call call;
  All all;

  void operator()(fabric::operation&) {
    call.send();
    tell_all(all);
  }
};

[[nodiscard]] inline kept_call call_at_end(std::uint64_t target, put_route route,
                                           const packed_call& call) {
  if (route != put_route::call_when_complete) return {};
  return {runtime::remote_address(target).rank, call};
}

struct put_to_start {
  std::uint64_t target;
  std::size_t bytes;
  put_route route;
  bool source_is_free;
  const packed_call& call;
};

template <class Source, class... Pending>
void issue_put(const put_to_start& put, Source source, std::tuple<Pending...> all) {
  if (sizeof...(Pending) == 0 && put.source_is_free && put.route != put_route::call_when_complete) {
    return start_put_with_call(put.target, source.data(), put.bytes, put.route, put.call, nullptr);
  }
  runtime::finish_by_owner<fabric::operation>(
      end_of_put{std::move(source), call_at_end(put.target, put.route, put.call), std::move(all)},
      [&](fabric::operation& done, auto& kept) {
        start_put_with_call(put.target, kept.source.data(), put.bytes, put.route, put.call, &done);
      });
}

template <class Use>
void with_call_of(rank_t /*target*/, Use&& use) {
  use(packed_call{});
}
template <class Use, class First, class... More>
void with_call_of(rank_t target, Use&& use, First& first, More&... more) {
  if constexpr (First::end == ending::target) {
    static_assert(((More::end != ending::target) && ...),
                  "a call takes at most one then_at_target()");
    first.pack(target, [&](callable_token invoker, std::span<const std::byte> arguments) {
      use(packed_call{invoker, arguments});
    });
  } else {
    with_call_of(target, use, more...);
  }
}

template <class Source, class... Asked>
auto start_put(std::uint64_t target, Source source, std::size_t bytes, Asked&... asked) {
  return awaited_completions<void, Asked...>(asked...).start([&](auto& pending) {
    with_call_of(
        runtime::remote_address(target).rank,
        [&](const packed_call& call) {
          const put_route route = route_of_put(bytes, call);
          const bool is_free = route == put_route::one_message || source_is_free_at_return(bytes);
          const put_to_start put{target, bytes, route, is_free, call};
          if (Source::is_copy || is_free) {
            auto now = select<ending::source, Asked...>(pending, asked...);
            issue_put(put, std::move(source),
                      select<ending::operation, Asked...>(pending, asked...));
            tell_all(now);
          } else {
            issue_put(put, std::move(source), std::move(pending));
          }
        },
        asked...);
  });
}

template <class... Asked>
void send_calls(rank_t target, Asked&... asked) {
  with_call_of(
      target,
      [&](const packed_call& call) {
        if (call.invoker != callable_token::none) send_call(target, call);
      },
      asked...);
}

template <class T, class All>
struct end_of_value {
  T value;
  All all;
  void operator()(fabric::operation&) { tell_all(all, std::move(value)); }
};
template <class All>
struct end_of_values {
  All all;
  void operator()(fabric::operation&) { tell_all(all); }
};
// For Clang 16.
template <class All>
end_of_values(All) -> end_of_values<All>;

template <class End, class Place>
void issue_get(std::uint64_t source, std::size_t bytes, End end, Place&& place) {
  runtime::finish_by_owner<fabric::operation>(
      std::move(end), [&](fabric::operation& done, auto& kept) {
        runtime::get_remote(source, place(kept), bytes, done);
      });
}

template <class... Asked>
auto tell_after(future<> done, rank_t target, Asked&... asked) {
  return awaited_completions<void, Asked...>(asked...).start([&](auto& pending) {
    with_call_of(
        target,
        [&](const packed_call& call) {
          std::move(done).then(
              [kept = kept_call(target, call), all = std::move(pending)]() mutable {
                kept.send();
                tell_all(all);
              });
        },
        asked...);
  });
}

template <class... Asked>
auto start_put_box(std::uint64_t target, const void* source, const fabric::box& shape,
                   Asked&... asked) {
  return awaited_completions<void, Asked...>(asked...).start([&](auto& pending) {
    with_call_of(
        runtime::remote_address(target).rank,
        [&](const packed_call& call) {
          const put_route route = route_of_box(shape, call);
          runtime::finish_by_owner<fabric::operation>(
              end_of_put{bytes_of_caller{source}, call_at_end(target, route, call),
                         std::move(pending)},
              [&](fabric::operation& done, auto&) {
                start_box_with_call(target, source, shape, route, call, done);
              });
        },
        asked...);
  });
}

template <class... Asked>
auto start_get_box(std::uint64_t source, void* target, const fabric::box& shape, Asked&... asked) {
  return awaited_completions<void, Asked...>(asked...).start([&](auto& pending) {
    runtime::finish_by_owner<fabric::operation>(
        end_of_values{std::move(pending)},
        [&](fabric::operation& done, auto&) { get_far_box(source, target, shape, done); });
  });
}

}  // namespace acre::global
