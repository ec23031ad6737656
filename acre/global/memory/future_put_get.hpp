// SPDX-License-Identifier: BSD-3-Clause
// Puts, gets and atomics with futures. Operations on directly addressable memory are complete at
// return, others in a later progress() or wait; until then, spans must stay unchanged.
#pragma once

#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/detail/promised.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>

#include <span>
#include <type_traits>
#include <utility>

namespace acre {
namespace global {

template <class Issue>
future<> promise_operation(Issue&& issue) {
  return promise_result<fabric::operation>([](fabric::operation&) {},
                                           [&](fabric::operation& done, auto&) { issue(done); });
}

template <class T>
struct value_put {
  roomy<T> value;
  void operator()(fabric::operation&) const noexcept {}
};
template <class T>
struct value_got {
  roomy<T> value{std::in_place, [] { return T{}; }};
  T operator()(fabric::operation&) { return std::move(*value); }
};

/// Selects the result of an asynchronous atomic by the type of its last argument: a future for a
/// site (below); for a completion event, that event's result (atomic_completions.hpp).
template <class How>
struct atomic_answer;
template <>
struct atomic_answer<site> {
  template <fabric::atomic_operation Operation, class T>
  [[nodiscard]] static future<T> start(global_ptr<T> target, T operand, T expected,
                                       const site& where) {
    if (target.is_local()) {
      return make_ready_future(
          fetch_atomic<Operation>(target, operand, std::memory_order_seq_cst, where, expected));
    }
    check_pointer(target.bits(), sizeof(T), "atomic operation", where);
    return promise_result<runtime::remote_atomic>(
        [](const runtime::remote_atomic& done) {
          if (done.refused) runtime::throw_refused_atomic();
          return fabric::from_word<T>(done.before);
        },
        [&](runtime::remote_atomic& record, auto&) {
          runtime::start_remote_atomic(Operation, fabric::atomic_type_of<T>(), target.bits(),
                                       fabric::to_word(operand), fabric::to_word(expected), record);
        });
  }
};

template <class How>
concept hears_of_atomic = requires { sizeof(atomic_answer<How>); };

template <fabric::atomic_operation Operation, class T, class How>
auto start_atomic(global_ptr<T> target, T operand, How& how, T expected = T{}) {
  return atomic_answer<How>::template start<Operation>(target, operand, expected, how);
}

}  // namespace global

/// Writes; ready when the target's memory has the values. Cost: W.
template <writable T>
[[nodiscard]] future<> put_async(global_ptr<T> target,
                                 std::span<const std::type_identity_t<T>> values,
                                 const site& where = site::current()) {
  if (target.is_local() || values.empty()) {
    put(target, values, where);
    return make_ready_future();
  }
  global::check_pointer(target.bits(), values.size_bytes(), "put_async", where);
  return global::promise_operation([&](fabric::operation& done) {
    runtime::put_remote(target.bits(), values.data(), values.size_bytes(), done);
  });
}

/// Writes one value, which is copied before return.
template <writable T>
[[nodiscard]] future<> put_async(global_ptr<T> target, const std::type_identity_t<T>& value,
                                 const site& where = site::current()) {
  if (target.is_local()) {
    put(target, value, where);
    return make_ready_future();
  }
  global::check_pointer(target.bits(), sizeof(T), "put_async", where);
  return global::promise_result<fabric::operation>(
      global::value_put<T>{global::roomy<T>(std::in_place, [&]() -> const T& { return value; })},
      [&](fabric::operation& done, auto& put) {
        runtime::put_remote(target.bits(), &*put.value, sizeof(T), done);
      });
}

/// Reads one value. Cost: R.
template <transferable T>
  requires std::default_initializable<std::remove_cv_t<T>>
[[nodiscard]] future<std::remove_cv_t<T>> get_async(global_ptr<T> source,
                                                    const site& where = site::current()) {
  using value = std::remove_cv_t<T>;
  if (source.is_local()) return make_ready_future(get(source, where));
  global::check_pointer(source.bits(), sizeof(T), "get_async", where);
  return global::promise_result<fabric::operation>(
      global::value_got<value>{}, [&](fabric::operation& done, auto& got) {
        runtime::get_remote(source.bits(), &*got.value, sizeof(T), done);
      });
}

/// Reads values; they are valid when the future is ready. Cost: R.
template <transferable T>
[[nodiscard]] future<> get_async(global_ptr<T> source,
                                 std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
                                 const site& where = site::current()) {
  if (source.is_local() || values.empty()) {
    get(source, values, where);
    return make_ready_future();
  }
  global::check_pointer(source.bits(), values.size_bytes(), "get_async", where);
  return global::promise_operation([&](fabric::operation& done) {
    runtime::get_remote(source.bits(), values.data(), values.size_bytes(), done);
  });
}

/// Copies `count` elements between any two ranks, through a buffer here if neither end is directly
/// addressable. Cost: R, W or both.
template <class From, writable To>
  requires std::same_as<std::remove_cv_t<From>, To>
[[nodiscard]] future<> copy_async(global_ptr<From> from, global_ptr<To> to, std::size_t count,
                                  const site& where = site::current()) {
  if (count == 0) return make_ready_future();
  if (const From* source = from.local()) return put_async(to, std::span(source, count), where);
  if (To* target = to.local()) return get_async(from, std::span(target, count), where);
  base::plain_buffer<std::byte> buffer(count * sizeof(To));
  auto* values = reinterpret_cast<To*>(buffer.data());
  return get_async(from, std::span(values, count), where)
      .then([to, count, values, where, kept = std::move(buffer)]() mutable {
        return put_async(to, std::span<const To>(values, count), where)
            .then([still_kept = std::move(kept)] {});
      });
}

// Compile errors (detail/refused_access.hpp).
ACRE_REFUSE_ACCESS(put_async, writable, a_global_ptr_to_write, written_values);
ACRE_REFUSE_ACCESS(get_async, transferable, a_global_ptr_to_read, read_values);
template <class From, class... Rest>
void copy_async(global_ptr<From>, global::copy_target<From>, std::size_t, const Rest&...);
template <class To, class... Rest>
void copy_async(global::a_global_ptr_to_copy_from, global_ptr<To>, std::size_t, const Rest&...);

// Atomics. The returned future has the previous value; with on_operation(…) the event receives it
// (atomic_completions.hpp). Cost: A.

template <atomic_value T, global::hears_of_atomic How = site>
[[nodiscard]] auto fetch_add_async(global_ptr<T> target, std::type_identity_t<T> operand,
                                   How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::add>(target, operand, how);
}
template <atomic_value T, global::hears_of_atomic How = site>
[[nodiscard]] auto atomic_exchange_async(global_ptr<T> target, std::type_identity_t<T> value,
                                         How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::exchange>(target, value, how);
}
template <atomic_integer T, global::hears_of_atomic How = site>
[[nodiscard]] auto atomic_compare_exchange_async(global_ptr<T> target,
                                                 std::type_identity_t<T> expected,
                                                 std::type_identity_t<T> desired,
                                                 How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::compare_exchange>(target, desired, how,
                                                                          expected);
}
template <class T, global::hears_of_atomic How = site>
  requires atomic_value<std::remove_const_t<T>>
[[nodiscard]] auto atomic_load_async(global_ptr<T> source, How how = site::current()) {
  using value = std::remove_const_t<T>;
  return global::start_atomic<fabric::atomic_operation::load>(const_pointer_cast<value>(source),
                                                              value{}, how);
}
template <atomic_integer T, global::hears_of_atomic How = site>
[[nodiscard]] auto fetch_and_async(global_ptr<T> target, std::type_identity_t<T> operand,
                                   How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::bit_and>(target, operand, how);
}
template <atomic_integer T, global::hears_of_atomic How = site>
[[nodiscard]] auto fetch_or_async(global_ptr<T> target, std::type_identity_t<T> operand,
                                  How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::bit_or>(target, operand, how);
}
template <atomic_integer T, global::hears_of_atomic How = site>
[[nodiscard]] auto fetch_xor_async(global_ptr<T> target, std::type_identity_t<T> operand,
                                   How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::bit_xor>(target, operand, how);
}
template <atomic_real T, global::hears_of_atomic How = site>
[[nodiscard]] auto fetch_min_async(global_ptr<T> target, std::type_identity_t<T> operand,
                                   How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::min>(target, operand, how);
}
template <atomic_real T, global::hears_of_atomic How = site>
[[nodiscard]] auto fetch_max_async(global_ptr<T> target, std::type_identity_t<T> operand,
                                   How how = site::current()) {
  return global::start_atomic<fabric::atomic_operation::max>(target, operand, how);
}

ACRE_REFUSE_ACCESS(fetch_add_async, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_exchange_async, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(fetch_min_async, atomic_real, a_global_ptr_to_a_real_number, operand_of);
ACRE_REFUSE_ACCESS(fetch_max_async, atomic_real, a_global_ptr_to_a_real_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_compare_exchange_async, atomic_integer, a_global_ptr_to_an_integer,
                   operand_of);
ACRE_REFUSE_ACCESS(fetch_and_async, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(fetch_or_async, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(fetch_xor_async, atomic_integer, a_global_ptr_to_an_integer, operand_of);
template <class... Rest>
void atomic_load_async(global::a_global_ptr_to_a_number, const Rest&...);

}  // namespace acre
