// SPDX-License-Identifier: BSD-3-Clause
// RPC flood to a rank that sleeps for the first of two seconds: messages and time until the sender
// is held back, the target's peak of waiting bytes and the rate, as JSON.
#include <acre/acre.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
constexpr std::chrono::seconds asleep{1};

std::uint64_t most_held() {
  using acre::runtime::counted;
  return acre::runtime::counter_table[static_cast<std::size_t>(counted::most_inbox_bytes)];
}

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

struct rates {
  std::uint64_t held = 0;      ///< bytes sent while the target slept
  double until_held_back = 0;  ///< seconds
  double awake_per_second = 0;
};

rates flood(const std::vector<char>& data) {
  rates result;
  std::uint64_t early = 0;
  std::uint64_t late = 0;
  const auto begin = clock_type::now();
  double now = 0;
  while (now < 2) {
    acre::rpc_ff(1, [](acre::message_view<char>) {}, acre::make_message_view(data));
    const double after = seconds_since(begin);
    if (now < 0.95 && after < 0.95) {
      ++early;
      result.until_held_back = after;
    }
    if (now >= 1.05) ++late;
    now = after;
  }
  acre::rpc(1, [] {}).wait();
  result.held = early * data.size();
  result.awake_per_second = static_cast<double>(late) / (seconds_since(begin) - 1.05);
  return result;
}

}  // namespace

int main() {
  const acre::job job;
  std::printf("%s", acre::rank() == 0 ? "{" : "");
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{8192}}) {
    const std::vector<char> data(bytes);
    acre::barrier();
    rates measured;
    if (acre::rank() == 0) {
      measured = flood(data);
    } else {
      std::this_thread::sleep_for(asleep);
    }
    acre::barrier();
    const std::uint64_t peak = acre::world().broadcast(most_held(), 1);
    if (acre::rank() != 0) continue;
    const auto sent = static_cast<double>(measured.held) / static_cast<double>(bytes);
    std::printf(
        "\"%zu_bytes\": {\"messages_until_held_back\": %.0f, \"ms_until_held_back\": %.1f, "
        "\"peak_bytes\": %llu, \"awake_messages_per_s\": %.0f}%s",
        bytes, sent, 1e3 * measured.until_held_back, static_cast<unsigned long long>(peak),
        measured.awake_per_second, bytes == 8 ? ", " : "}\n");
  }
}
