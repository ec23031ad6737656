// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/stack_limit.hpp>

#include <algorithm>
#include <cstddef>
#include <pthread.h>

namespace acre::runtime {

namespace {

struct stack_of_thread {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

stack_of_thread find_stack() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  std::size_t bytes = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &bytes);
  ::pthread_attr_destroy(&attributes);
  return {reinterpret_cast<std::uintptr_t>(lowest), bytes};
}

}  // namespace

std::uintptr_t lowest_frame_for_requests() noexcept {
  constexpr std::uintptr_t most_used = std::uintptr_t{64} << 20;
  const auto [begin, bytes] = find_stack();
  return begin + bytes - std::min(bytes - bytes / 8, most_used);
}

const void* end_of_stack() noexcept {
  thread_local const stack_of_thread mine = find_stack();
  return reinterpret_cast<const void*>(mine.begin + mine.bytes);
}

}  // namespace acre::runtime
