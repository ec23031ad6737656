// SPDX-License-Identifier: BSD-3-Clause
// The caller's side of a call, move or end of an object.
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/agas/gid.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/running_code.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace acre::agas {

/// In own_call_list until answered, if issued within a call of an object (for cycle_search.hpp).
class own_call {
 public:
  own_call(const gid& target, parcel_kind kind, const global::future_state_base& state);
  own_call(const own_call&) = delete;
  own_call& operator=(const own_call&) = delete;

  /// Called when answered, or if not sent.
  void finish() noexcept;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const global::future_state_base& state() const noexcept { return state_; }
  [[nodiscard]] const own_call* next() const noexcept { return next_; }

 protected:
  ~own_call() { finish(); }

 private:
  const global::future_state_base& state_;
  gid target_;
  parcel_kind kind_;
  bool is_listed_ = false;
  own_call* next_ = nullptr;
  own_call* before_ = nullptr;
};

template <class Value>
class own_call_state final : public global::future_state<Value>, public own_call {
 public:
  /// @param keeps  keeps the object alive until the answer; may be null
  own_call_state(const gid& target, parcel_kind kind, reference keeps)
      : global::future_state<Value>(1), own_call(target, kind, *this), keeps_(std::move(keeps)) {}

  [[nodiscard]] std::string what_it_awaits() const override { return describe(); }

  [[nodiscard]] static own_call_state& of(fabric::word promise) noexcept {
    return static_cast<own_call_state&>(*reinterpret_cast<global::future_state<Value>*>(promise));
  }
  [[nodiscard]] fabric::word word() noexcept {
    return reinterpret_cast<fabric::word>(static_cast<global::future_state<Value>*>(this));
  }
  [[nodiscard]] reference take_reference() noexcept { return std::move(keeps_); }

 private:
  reference keeps_;
};

template <class Brought>
void finish_own_call(fabric::word word, const runtime::message& reply) {
  auto& call = own_call_state<typename global::rpc_value<Brought>::type>::of(word);
  call.finish();
  const reference until_all_is_done = call.take_reference();
  global::finish_rpc<Brought>(word, reply);
}

template <class Brought, class Issue>
[[nodiscard]] auto promise_own_call(const gid& target, parcel_kind kind, reference keeps,
                                    Issue&& issue) {
  using value = typename global::rpc_value<Brought>::type;
  auto* const call = new own_call_state<value>(target, kind, std::move(keeps));
  call->add_owner();
  auto result = global::future_access::share<value>(call);
  try {
    issue(call->word(), &finish_own_call<Brought>);
  } catch (...) {
    call->finish();
    static_cast<void>(call->take_reference());
    promise<value>::from_word(call->word()).set_exception(std::current_exception());
  }
  return result;
}

}  // namespace acre::agas
