#include <acre/runtime/stack_limit.hpp>

#include <algorithm>
#include <cstddef>
#include <pthread.h>

namespace acre::runtime {

std::uintptr_t lowest_frame_for_requests() noexcept {
  constexpr std::uintptr_t most_used = std::uintptr_t{64} << 20;  // of an unlimited stack
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &bytes);
  ::pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(lowest);
  // An eighth is left for what a request calls.
  return begin + bytes - std::min(bytes - bytes / 8, most_used);
}

}  // namespace acre::runtime
