// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/future.hpp>

#include <acre/base/error.hpp>

namespace acre::global {

std::string describe_awaited(const void* state) {
  return static_cast<const future_state_base*>(state)->what_it_awaits();
}

void throw_no_future(const char* call) {
  throw error(call, "this future has no result: it was taken before, or never promised",
              "call get, then, co_await or when_all once on each future; it moves the result out");
}

void throw_no_promise(const char* call) {
  throw error(call, "this promise was moved from", "use the promise that it was moved to");
}

void throw_already_satisfied(const char* call) {
  throw error(call, "this promise has a value or a failure already", "fulfil each promise once");
}

void throw_already_retrieved() {
  throw error("promise::get_future", "the future of this promise was taken before",
              "a promise has one future: move it to where it is needed");
}

std::exception_ptr broken_promise() noexcept {
  return std::make_exception_ptr(
      error("promise", "broken promise: it was destroyed without a value or a failure",
            "call set_value or set_exception on every path"));
}

}  // namespace acre::global
