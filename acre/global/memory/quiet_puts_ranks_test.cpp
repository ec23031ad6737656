// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets complete apart: a get from a stopped process stays under way.
#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// Stops a process for the lifetime.
class stopped_process {
 public:
  explicit stopped_process(pid_t pid) : pid_(pid) {
    ::kill(pid, SIGSTOP);
    while (state() != 'T') std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  stopped_process(const stopped_process&) = delete;
  stopped_process& operator=(const stopped_process&) = delete;
  ~stopped_process() { ::kill(pid_, SIGCONT); }

 private:
  [[nodiscard]] char state() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
    std::string text;
    std::getline(file, text);
    return text.at(text.rfind(')') + 2);
  }

  pid_t pid_;
};

TEST(QuietPuts, DoesNotWaitForGets) {
  const auto word = acre::allocate<std::uint64_t>();
  *word.local() = 100 + acre::rank();
  const auto words = acre::world().allgather(word);
  const auto pids = acre::world().allgather(::getpid());
  if (acre::size() >= 3 && acre::rank() == 0 && !words[1].is_local() && !words[2].is_local()) {
    static_cast<void>(acre::get(words[1]));
    std::array<std::uint64_t, 1> got{0};
    {
      const stopped_process one(pids[1]);
      acre::get_nbi(words[1], std::span(got));
      for (std::uint64_t i = 0; i < 50; ++i) {
        acre::put_nbi(words[2], 1000 + i);
        acre::quiet_puts();
        acre::fence();
        EXPECT_EQ(acre::get(words[2]), 1000 + i);
        acre::atomic_add_nbi(words[2], 1U);
        acre::quiet_puts();
      }
      EXPECT_EQ(got[0], 0U);
    }
    acre::quiet();
    EXPECT_EQ(got[0], 101U);
  }
  acre::barrier();
  acre::deallocate(word);
}

}  // namespace
