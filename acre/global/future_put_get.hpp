// Puts, gets and atomics that return futures.
//
// What is directly addressable is done at once, and its future is ready and has
// cost no allocation. The rest completes in a later progress() or wait of this
// rank. Buffers must stay as they are until the future is ready.
#pragma once

#include <acre/global/atomic.hpp>
#include <acre/global/future.hpp>
#include <acre/global/put_get.hpp>
#include <acre/runtime/progress.hpp>

#include <exception>
#include <memory>
#include <span>
#include <utility>

namespace acre {
namespace detail {

/// A network operation that fulfils a promise. The helper thread may find it
/// complete; the promise, which may run user code, is the owner's to fulfil.
template <class T>
struct promised_operation : fabric::operation, runtime::deferred_task {
  promise<T> result;
  T value{};

  promised_operation() {
    complete = [](fabric::operation& done) noexcept {
      runtime::defer(static_cast<promised_operation&>(done));
    };
    run = [](runtime::deferred_task& task) {
      const std::unique_ptr<promised_operation> self(static_cast<promised_operation*>(&task));
      self->result.set_value(std::move(self->value));
    };
  }
};

template <>
struct promised_operation<void> : fabric::operation, runtime::deferred_task {
  promise<> result;

  promised_operation() {
    complete = [](fabric::operation& done) noexcept {
      runtime::defer(static_cast<promised_operation&>(done));
    };
    run = [](runtime::deferred_task& task) {
      const std::unique_ptr<promised_operation> self(static_cast<promised_operation*>(&task));
      self->result.set_value();
    };
  }
};

template <class T>
struct promised_atomic : runtime::remote_atomic, runtime::deferred_task {
  promise<T> result;

  promised_atomic() {
    complete = [](runtime::remote_atomic& finished) noexcept {
      runtime::defer(static_cast<promised_atomic&>(finished));
    };
    run = [](runtime::deferred_task& task) {
      const std::unique_ptr<promised_atomic> self(static_cast<promised_atomic*>(&task));
      if (self->refused) return self->fail();
      self->result.set_value(fabric::from_word<T>(self->before));
    };
  }

  void fail() {
    try {
      runtime::throw_refused_atomic();
    } catch (...) {
      result.set_exception(std::current_exception());
    }
  }
};

/// Issues a network operation whose record lives until it is complete.
template <class T, class Issue>
future<T> promise_operation(Issue&& issue) {
  auto operation = std::make_unique<promised_operation<T>>();
  future<T> result = operation->result.get_future();
  issue(*operation);
  static_cast<void>(operation.release());
  return result;
}

template <fabric::atomic_operation Operation, atomic_value T>
future<T> promise_atomic(global_ptr<T> target, T operand, T expected,
                         const std::source_location& where) {
  if (target.is_local()) {
    return make_ready_future(
        fetch_atomic<Operation>(target, operand, expected, std::memory_order_seq_cst, where));
  }
  check_pointer(target.bits(), sizeof(T), "atomic operation", where);
  auto ticket = std::make_unique<promised_atomic<T>>();
  future<T> result = ticket->result.get_future();
  runtime::start_remote_atomic(Operation, fabric::atomic_type_of<T>(), target.bits(),
                               fabric::to_word(operand), fabric::to_word(expected), *ticket);
  static_cast<void>(ticket.release());
  return result;
}

}  // namespace detail

/// Writes; the future is ready when the target's memory has the values. Cost: W.
template <transferable T>
[[nodiscard]] future<> put_async(
    global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
    const std::source_location& where = std::source_location::current()) {
  if (target.is_local() || values.empty()) {
    put(target, values, where);
    return make_ready_future();
  }
  detail::check_pointer(target.bits(), values.size_bytes(), "put_async", where);
  return detail::promise_operation<void>([&](fabric::operation& done) {
    runtime::put_remote(target.bits(), values.data(), values.size_bytes(), done);
  });
}

/// Writes one value, which is copied at once.
template <transferable T>
[[nodiscard]] future<> put_async(
    global_ptr<T> target, const std::type_identity_t<T>& value,
    const std::source_location& where = std::source_location::current()) {
  if (target.is_local()) {
    put(target, value, where);
    return make_ready_future();
  }
  detail::check_pointer(target.bits(), sizeof(T), "put_async", where);
  // The value lives as long as the operation does.
  struct with_value : detail::promised_operation<void> {
    explicit with_value(const T& v) : copy(v) {
      run = [](runtime::deferred_task& task) {
        const std::unique_ptr<with_value> self(static_cast<with_value*>(&task));
        self->result.set_value();
      };
    }
    T copy;
  };
  auto operation = std::make_unique<with_value>(value);
  future<> result = operation->result.get_future();
  runtime::put_remote(target.bits(), &operation->copy, sizeof(T), *operation);
  static_cast<void>(operation.release());
  return result;
}

/// Reads one value. Cost: R.
template <class T>
  requires transferable<std::remove_cv_t<T>> && std::default_initializable<std::remove_cv_t<T>>
[[nodiscard]] future<std::remove_cv_t<T>> get_async(
    global_ptr<T> source, const std::source_location& where = std::source_location::current()) {
  using value = std::remove_cv_t<T>;
  if (source.is_local()) return make_ready_future(get(source, where));
  detail::check_pointer(source.bits(), sizeof(T), "get_async", where);
  auto operation = std::make_unique<detail::promised_operation<value>>();
  future<value> result = operation->result.get_future();
  runtime::get_remote(source.bits(), &operation->value, sizeof(T), *operation);
  static_cast<void>(operation.release());
  return result;
}

/// Reads values; they are valid when the future is ready. Cost: R.
template <class T>
  requires transferable<std::remove_cv_t<T>>
[[nodiscard]] future<> get_async(
    global_ptr<T> source, std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
    const std::source_location& where = std::source_location::current()) {
  if (source.is_local() || values.empty()) {
    get(source, values, where);
    return make_ready_future();
  }
  detail::check_pointer(source.bits(), values.size_bytes(), "get_async", where);
  return detail::promise_operation<void>([&](fabric::operation& done) {
    runtime::get_remote(source.bits(), values.data(), values.size_bytes(), done);
  });
}

/// Copies between any two ranks. When neither end is directly addressable the
/// data passes through a buffer of its size on this rank. Cost: R, W or both.
template <class From, transferable To>
  requires std::same_as<std::remove_cv_t<From>, To>
[[nodiscard]] future<> copy_async(
    global_ptr<From> from, global_ptr<To> to, std::size_t count,
    const std::source_location& where = std::source_location::current()) {
  if (count == 0) return make_ready_future();
  if (const From* source = from.local()) return put_async(to, std::span(source, count), where);
  if (To* target = to.local()) return get_async(from, std::span(target, count), where);
  auto buffer = std::make_unique_for_overwrite<std::byte[]>(count * sizeof(To));
  auto* values = reinterpret_cast<To*>(buffer.get());
  return get_async(from, std::span(values, count), where)
      .then([to, count, values, where, kept = std::move(buffer)]() mutable {
        return put_async(to, std::span<const To>(values, count), where)
            .then([still_kept = std::move(kept)] {});
      });
}

/// Atomics: the future has the value before. Cost: A.
template <atomic_value T>
[[nodiscard]] future<T> fetch_add_async(
    global_ptr<T> target, std::type_identity_t<T> operand,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::add>(target, operand, T{}, where);
}
template <atomic_value T>
[[nodiscard]] future<T> atomic_exchange_async(
    global_ptr<T> target, std::type_identity_t<T> value,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::exchange>(target, value, T{}, where);
}
template <atomic_integer T>
[[nodiscard]] future<T> atomic_compare_exchange_async(
    global_ptr<T> target, std::type_identity_t<T> expected, std::type_identity_t<T> desired,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::compare_exchange>(target, desired,
                                                                            expected, where);
}
template <atomic_value T>
[[nodiscard]] future<T> atomic_load_async(
    global_ptr<T> source, const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::load>(source, T{}, T{}, where);
}
template <atomic_integer T>
[[nodiscard]] future<T> fetch_and_async(
    global_ptr<T> target, std::type_identity_t<T> operand,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::bit_and>(target, operand, T{}, where);
}
template <atomic_integer T>
[[nodiscard]] future<T> fetch_or_async(
    global_ptr<T> target, std::type_identity_t<T> operand,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::bit_or>(target, operand, T{}, where);
}
template <atomic_integer T>
[[nodiscard]] future<T> fetch_xor_async(
    global_ptr<T> target, std::type_identity_t<T> operand,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::bit_xor>(target, operand, T{}, where);
}
template <atomic_value T>
[[nodiscard]] future<T> fetch_min_async(
    global_ptr<T> target, std::type_identity_t<T> operand,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::min>(target, operand, T{}, where);
}
template <atomic_value T>
[[nodiscard]] future<T> fetch_max_async(
    global_ptr<T> target, std::type_identity_t<T> operand,
    const std::source_location& where = std::source_location::current()) {
  return detail::promise_atomic<fabric::atomic_operation::max>(target, operand, T{}, where);
}

}  // namespace acre
