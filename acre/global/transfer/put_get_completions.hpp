// SPDX-License-Identifier: BSD-3-Clause
// Puts, gets and copies with completion events (completion.hpp). Those in mapped memory report
// before return, others in a later progress() or wait. Sources must not change until on_source or
// on_operation reports; without both, until quiet().
#pragma once

#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/transfer/detail/pending_completion.hpp>
#include <acre/global/transfer/put_then.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

/// Writes values. Cost: W. With then_at_target, the cost of its put() (put_then.hpp), and one
/// message more if data and call shared one.
template <writable T, completion First, completion... More>
auto put_async(global_ptr<T> target, std::span<const std::type_identity_t<T>> values, First first,
               More... more) {
  if (target.is_local(first.where) || values.empty()) {
    put(target, values, first.where);
    global::send_calls(target.rank(), first, more...);
    return global::all_told_now(first, more...);
  }
  global::check_pointer(target.bits(), values.size_bytes(), "put_async", first.where);
  return global::start_put(target.bits(), global::bytes_of_caller{values.data()},
                           values.size_bytes(), first, more...);
}

/// Writes one value, copied at once.
template <writable T, completion First, completion... More>
auto put_async(global_ptr<T> target, const std::type_identity_t<T>& value, First first,
               More... more) {
  if (target.is_local(first.where)) {
    put(target, value, first.where);
    global::send_calls(target.rank(), first, more...);
    return global::all_told_now(first, more...);
  }
  global::check_pointer(target.bits(), sizeof(T), "put_async", first.where);
  return global::start_put(target.bits(), global::bytes_of_copy<T>{value}, sizeof(T), first,
                           more...);
}

/// Reads one value and passes it to the event's recipient. Cost: R.
template <transferable T, completion Asked>
  requires(std::default_initializable<std::remove_cv_t<T>> &&
           Asked::end == global::ending::operation)
auto get_async(global_ptr<T> source, Asked asked) {
  using value = std::remove_cv_t<T>;
  if (source.is_local(asked.where)) {
    return global::hand_out(global::tell_now<value>(asked, get(source, asked.where)));
  }
  global::check_pointer(source.bits(), sizeof(T), "get_async", asked.where);
  return global::awaited_completions<value, Asked>(asked).start([&](auto& pending) {
    global::issue_get(source.bits(), sizeof(T), global::end_of_value{value{}, std::move(pending)},
                      [](auto& kept) { return &kept.value; });
  });
}

/// Reads values; they are valid when on_operation reports. Cost: R.
template <transferable T, completion First, completion... More>
  requires(First::end == global::ending::operation &&
           ((More::end == global::ending::operation) && ...))
auto get_async(global_ptr<T> source, std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
               First first, More... more) {
  if (source.is_local(first.where) || values.empty()) {
    get(source, values, first.where);
    return global::all_told_now(first, more...);
  }
  global::check_pointer(source.bits(), values.size_bytes(), "get_async", first.where);
  return global::awaited_completions<void, First, More...>(first, more...)
      .start([&](auto& pending) {
        global::issue_get(source.bits(), values.size_bytes(),
                          global::end_of_values{std::move(pending)},
                          [&](auto&) { return values.data(); });
      });
}

/// As copy_async(); then_at_target runs on the rank of `to`.
template <class From, writable To, completion First, completion... More>
  requires std::same_as<std::remove_cv_t<From>, To>
auto copy_async(global_ptr<From> from, global_ptr<To> to, std::size_t count, First first,
                More... more) {
  const From* const source = count == 0 ? nullptr : from.local(first.where);
  if (source != nullptr || count == 0) {
    return put_async(to, std::span(source, count), std::move(first), std::move(more)...);
  }
  return global::tell_after(copy_async(from, to, count, first.where), to.rank(), first, more...);
}

}  // namespace acre
