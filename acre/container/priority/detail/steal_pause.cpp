// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/priority/detail/steal_pause.hpp>

#include <algorithm>
#include <chrono>

namespace acre::container {

namespace {

std::int64_t nanoseconds_now() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

void steal_pause::begin() noexcept {
  constexpr std::int64_t shortest = 20'000;
  constexpr std::uint32_t most_doublings = 7;
  until_ = nanoseconds_now() + (shortest << std::min(pauses_++, most_doublings));
}

bool steal_pause::is_over() const noexcept { return nanoseconds_now() >= until_; }

}  // namespace acre::container
