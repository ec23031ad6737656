// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/future.hpp>

#include <acre/base/error.hpp>

namespace acre::global {

std::string describe_awaited(const void* state) {
  return static_cast<const future_state_base*>(state)->what_it_awaits();
}

void throw_no_future(const char* call) {
  throw error(
      call, "this future has no result: it was already taken, or never promised",
      "call get, then, co_await or when_all once for each future: they move the result out");
}

void throw_no_promise(const char* call) {
  throw error(call, "this promise was moved from", "use the promise that it was moved to");
}

void throw_already_satisfied(const char* call) {
  throw error(call, "this promise already has a value or a failure", "fulfil each promise once");
}

void throw_already_retrieved() {
  throw error("promise::get_future", "the future of this promise was already taken",
              "a promise has one future: move it, or share() it");
}

std::exception_ptr broken_promise() noexcept {
  return std::make_exception_ptr(
      error("promise", "broken promise: it was destroyed without a value or a failure",
            "call set_value or set_exception on every path"));
}

}  // namespace acre::global
