// Futures of what is under way to another node.
#pragma once

#include <acre/global/future.hpp>
#include <acre/runtime/completion.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace acre::detail {

/// Fulfils a promise with what `result` makes of a record. Any thread may find the operation
/// complete; the promise, which may run user code, is the owner's to fulfil.
template <class T, class Result>
struct fulfilment {
  promise<T> promised;
  Result result;

  template <class Record>
  void operator()(Record& finished) {
    try {
      if constexpr (std::is_void_v<T>) {
        result(finished);
        promised.set_value();
      } else {
        promised.set_value(result(finished));
      }
    } catch (...) {
      promised.set_exception(std::current_exception());
    }
  }
};

/// Starts what is to fulfil a promise. If that throws, this is all that is heard of it: the
/// promise, which is gone then, is not said to be broken.
template <class T, class Start>
void throw_without_future(future<T>& answer, Start&& start) {
  try {
    start();
  } catch (...) {
    static_cast<void>(future_access::see_failure(answer));
    throw;
  }
}

/// Has `issue(record, result)` start an operation. The future has what result(record) returns,
/// or throws, when it is complete; `result` stays where it is until then, and until what hangs
/// on the future has run.
template <class Record, class Result, class Issue>
[[nodiscard]] auto promise_result(Result result, Issue&& issue) {
  using value = std::invoke_result_t<Result&, Record&>;
  fulfilment<value, Result> fulfil{{}, std::move(result)};
  future<value> answer = fulfil.promised.get_future();
  throw_without_future(answer, [&] {
    runtime::finish_by_owner<Record>(
        std::move(fulfil), [&](Record& record, auto& finish) { issue(record, finish.result); });
  });
  return answer;
}

}  // namespace acre::detail
