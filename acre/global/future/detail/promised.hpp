// SPDX-License-Identifier: BSD-3-Clause
// Futures of what is under way to another node.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/runtime/completion.hpp>

#include <type_traits>
#include <utility>

namespace acre::global {

/// Fulfils a promise with what `result` makes of a record. Any thread may find the operation
/// complete; the promise, which may run user code, is the owner's to fulfil.
template <class T, class Result>
struct fulfilment {
  promise<T> promised;
  Result result;

  template <class Record>
  void operator()(Record& finished) {
    global::fulfil(promised, [&] { return result(finished); });
  }
};

/// Has `issue(record, finish)` start an operation at whose end `finish(record)` fulfils its
/// promise. If that throws, this is all that is heard of it: the promise, which is gone then, is
/// not said to be broken.
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

/// Has `issue(record, result)` start an operation. The future has what result(record) returns,
/// or throws, when it is complete; `result` stays where it is until then, and until what hangs
/// on the future has run.
template <class Record, class Result, class Issue>
[[nodiscard]] auto promise_result(Result result, Issue&& issue) {
  using value = std::invoke_result_t<Result&, Record&>;
  return promise_finish<Record>(
      fulfilment<value, Result>{{}, std::move(result)},
      [&](Record& record, auto& finish) { issue(record, finish.result); });
}

}  // namespace acre::global
