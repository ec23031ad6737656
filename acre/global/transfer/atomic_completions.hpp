// SPDX-License-Identifier: BSD-3-Clause
// Atomics that pass the previous value to a completion:
//
//     acre::fetch_add_async(counter, 1, acre::on_operation(all));
#pragma once

#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/transfer/detail/pending_completion.hpp>

#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::global {

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

template <completion Asked>
struct atomic_answer<Asked> {
  static_assert(Asked::end == ending::operation, "an atomic operation supports only on_operation");

  template <fabric::atomic_operation Operation, class T>
  static auto start(global_ptr<T> target, T operand, T expected, Asked& asked) {
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
                                         fabric::to_word(operand), fabric::to_word(expected),
                                         record);
          });
    });
  }
};

}  // namespace acre::global
