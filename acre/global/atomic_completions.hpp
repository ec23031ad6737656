// Atomic operations of which one says how one wants to hear of their end (completion.hpp): the
// value before is told, to a function that takes it, a promise or a future.
//
//     acre::fetch_add_async(counter, 1, acre::on_operation(all));
#pragma once

#include <acre/global/detail/pending_completion.hpp>
#include <acre/global/future_put_get.hpp>

#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {
namespace detail {

/// What the record of an atomic holds.
template <class T, class All>
struct end_of_atomic {
  std::type_identity<T> type;
  All all;

  void operator()(runtime::remote_atomic& done) {
    try {
      if (done.refused) runtime::throw_refused_atomic();
    } catch (...) {
      std::get<0>(all).fail(std::current_exception());
      return;
    }
    tell_all(all, fabric::from_word<T>(done.before));
  }
};

template <fabric::atomic_operation Operation, atomic_value T, completion Asked>
auto start_atomic(global_ptr<T> target, T operand, Asked& asked, T expected = T{}) {
  static_assert(Asked::end == ending::operation, "an atomic operation tells on_operation alone");
  if (target.is_local(asked.where)) {
    return hand_out(
        tell_now<T>(asked, fetch_atomic<Operation>(target, operand, std::memory_order_seq_cst,
                                                   asked.where, expected)));
  }
  check_pointer(target.bits(), sizeof(T), "atomic operation", asked.where);
  return awaited_completions<T, Asked>(asked).start([&](auto& pending) {
    runtime::finish_by_owner<runtime::remote_atomic>(
        end_of_atomic{std::type_identity<T>{}, std::move(pending)},
        [&](runtime::remote_atomic& record, auto&) {
          runtime::start_remote_atomic(Operation, fabric::atomic_type_of<T>(), target.bits(),
                                       fabric::to_word(operand), fabric::to_word(expected), record);
        });
  });
}

}  // namespace detail

/// As the functions of these names that return a future; the value before is told. Cost: A.
template <atomic_value T, completion Asked>
auto fetch_add_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::add>(target, operand, asked);
}
template <atomic_value T, completion Asked>
auto atomic_exchange_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::exchange>(target, operand, asked);
}
template <atomic_integer T, completion Asked>
auto fetch_and_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::bit_and>(target, operand, asked);
}
template <atomic_integer T, completion Asked>
auto fetch_or_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::bit_or>(target, operand, asked);
}
template <atomic_integer T, completion Asked>
auto fetch_xor_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::bit_xor>(target, operand, asked);
}
template <atomic_value T, completion Asked>
auto fetch_min_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::min>(target, operand, asked);
}
template <atomic_value T, completion Asked>
auto fetch_max_async(global_ptr<T> target, std::type_identity_t<T> operand, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::max>(target, operand, asked);
}
template <atomic_integer T, completion Asked>
auto atomic_compare_exchange_async(global_ptr<T> target, std::type_identity_t<T> expected,
                                   std::type_identity_t<T> desired, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::compare_exchange>(target, desired, asked,
                                                                          expected);
}
template <atomic_value T, completion Asked>
auto atomic_load_async(global_ptr<T> source, Asked asked) {
  return detail::start_atomic<fabric::atomic_operation::load>(source, T{}, asked);
}

}  // namespace acre
