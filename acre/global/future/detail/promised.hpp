// SPDX-License-Identifier: BSD-3-Clause
// Futures of operations under way to another node.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/runtime/completion.hpp>

#include <type_traits>
#include <utility>

namespace acre::global {

/// Completes a promise with result(record) in the rank's own calls, as that may run user code. Any
/// thread may report the operation's end.
template <class T, class Result>
struct fulfilment {
  promise<T> promised;
  Result result;

  template <class Record>
  void operator()(Record& finished) {
    global::fulfil(promised, [&] { return result(finished); });
  }
};

/// `issue(record, finish)` starts an operation, `finish(record)` fulfils its promise. If `issue`
/// throws, no broken promise is reported.
template <class Record, class Finish, class Issue>
[[nodiscard]] auto promise_finish(Finish finish, Issue&& issue) {
  auto answer = finish.promised.get_future();
  try {
    runtime::finish_by_owner<Record>(std::move(finish), issue);
  } catch (...) {
    static_cast<void>(future_access::see_failure(answer));
    throw;
  }
  return answer;
}

/// `issue(record, result)` starts an operation; the future receives the outcome of result(record).
/// `result` stays in place until continuations have run.
template <class Record, class Result, class Issue>
[[nodiscard]] auto promise_result(Result result, Issue&& issue) {
  using value = std::invoke_result_t<Result&, Record&>;
  return promise_finish<Record>(
      fulfilment<value, Result>{{}, std::move(result)},
      [&](Record& record, auto& finish) { issue(record, finish.result); });
}

}  // namespace acre::global
