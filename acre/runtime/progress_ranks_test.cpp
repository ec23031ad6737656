// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/stall_watch.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace {

using acre::global_ptr;

global_ptr<std::uint64_t> symmetric_word(void* block, acre::rank_t rank) {
  return {rank, acre::runtime::segment_offset(block)};
}

std::size_t helper_threads() {
  std::size_t found = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name == "acre-helper") ++found;
  }
  return found;
}

std::size_t helper_threads_at_start = 0;
[[maybe_unused]] const bool registered = acre::runtime::add_job_hooks(
    {.started = [] { helper_threads_at_start = helper_threads(); }, .ending = nullptr});

TEST(Helper, BeginsWhenTheJobIsComplete) {
  EXPECT_EQ(helper_threads_at_start, 0U);
  EXPECT_EQ(helper_threads(), acre::runtime::world.conduit == nullptr ? 0U : 1U);
}

TEST(ProgressSmoke, AnswersWhileTheTargetSleepsInUserCode) {
  void* block = acre::runtime::allocate_symmetric(64);
  *static_cast<std::uint64_t*>(block) = 0;
  *(static_cast<std::uint64_t*>(block) + 1) = 0;
  acre::barrier();
  constexpr std::uint64_t operations = 1'000;
  const auto word = symmetric_word(block, 0);
  static std::atomic<int> finished{0};
  finished = 0;
  acre::barrier();
  if (acre::rank() == 0 && acre::size() > 1) {
    std::atomic_ref<std::uint64_t> done(*(static_cast<std::uint64_t*>(block) + 1));
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (done.load() < acre::size() - 1 && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(done.load(), acre::size() - 1);
  } else if (acre::rank() != 0) {
    for (std::uint64_t i = 0; i < operations; ++i) {
      acre::fetch_add(word, 1U);
      static_cast<void>(acre::get(word));
    }
    acre::fetch_add(word + 1, 1U);
  }
  acre::barrier();
  EXPECT_EQ(acre::get(word), operations * (acre::size() - 1));
  acre::barrier();
  acre::runtime::free_symmetric(block);
}

TEST(Helper, AnswersWhenRepeatedCallsHaveEnded) {
  void* block = acre::runtime::allocate_symmetric(64);
  std::atomic_ref<std::uint64_t> come(*static_cast<std::uint64_t*>(block));
  come = 0;
  for (int call = 0; call < 5; ++call) {
    acre::runtime::note_repeated_call();
    acre::barrier();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (acre::rank() == 0) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (come.load() < acre::size() - 1 && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(come.load(), acre::size() - 1);
  } else {
    acre::fetch_add(symmetric_word(block, 0), 1U);
  }
  acre::barrier();
  acre::runtime::free_symmetric(block);
}

std::chrono::nanoseconds processor_time(clockid_t of) {
  timespec now{};
  ::clock_gettime(of, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

TEST(Progress, TakesNoProcessorFromARankThatComputes) {
  using namespace std::chrono_literals;
  acre::barrier();
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) acre::rpc(rank, [] {}).wait();
  acre::barrier();
  std::this_thread::sleep_for(50ms);
  const auto before = processor_time(CLOCK_PROCESS_CPUTIME_ID);
  std::this_thread::sleep_for(400ms);
  EXPECT_LT(processor_time(CLOCK_PROCESS_CPUTIME_ID) - before, 60ms);
  acre::barrier();
}

TEST(Progress, DoesNotRunRpcsInHiddenThreads) {
  static std::atomic<bool> ran{false};
  static std::thread::id ran_in;
  ran = false;
  acre::barrier();
  const acre::rank_t target = (acre::rank() + 1) % acre::size();
  acre::rpc_ff(target, [] {
    ran_in = std::this_thread::get_id();
    ran = true;
  });
  acre::runtime::wait_until([] { return ran.load(); }, "test");
  EXPECT_EQ(ran_in, std::this_thread::get_id());
  acre::barrier();
}

TEST(Messages, ArriveInOrderFromManyRanks) {
  using namespace acre::runtime;
  constexpr word messages = 3'000;
  static std::vector<word> next;
  static bool in_order;
  next.assign(acre::size(), 0);
  in_order = true;
  constexpr auto id = static_cast<handler_id>(200);
  set_owner_handler(id, [](const message& received) {
    in_order = in_order && received.arguments[0] == next[received.header.source] &&
               received.payload.size() == received.arguments[0] % 700;
    ++next[received.header.source];
  });
  acre::barrier();
  const std::vector<std::byte> payload(700);
  for (word number = 0; number < messages; ++number) {
    for (acre::rank_t target = 0; target < acre::size(); ++target) {
      send(target, id, std::span(&number, 1), std::span(payload).first(number % 700));
    }
  }
  wait_until(
      [] {
        return std::all_of(next.begin(), next.end(), [](word count) { return count == messages; });
      },
      "test");
  EXPECT_TRUE(in_order);
  acre::barrier();
}

TEST(Segments, HaveTheSameOffsetsEverywhere) {
  std::vector<void*> blocks;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{5} << 20}) {
    blocks.push_back(acre::runtime::allocate_symmetric(bytes));
    const auto offset = acre::runtime::segment_offset(blocks.back());
    EXPECT_EQ(acre::world().allreduce(offset, [](auto a, auto b) { return a > b ? a : b; }),
              offset);
  }
  for (void* block : blocks) acre::runtime::free_symmetric(block);
  EXPECT_THROW(static_cast<void>(acre::runtime::allocate_symmetric(std::size_t{1} << 44)),
               acre::error);
  acre::barrier();
}

TEST(StallWatch, TellsWhereARankWaits) {
  if (acre::size() < 2) return;
  static std::atomic<bool> release{false};
  release = false;
  acre::barrier();
  if (acre::rank() == 1) {
    acre::runtime::wait_until([] { return release.load(); }, "the test's own wait");
  } else if (acre::rank() == 0) {
    std::string where;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do {
      where = acre::runtime::where_is(1);
    } while (where.find("the test's own wait") == std::string::npos &&
             std::chrono::steady_clock::now() < give_up);
    EXPECT_NE(where.find("rank 1 waits in the test's own wait at"), std::string::npos) << where;
    EXPECT_NE(where.find("progress_ranks_test.cpp:"), std::string::npos) << where;
    acre::rpc_ff(1, [] { release = true; });
  }
  acre::barrier();
}

TEST(JobSmoke, IsCrowdedWhenItsRanksOutnumberTheirCpus) {
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  const auto together = acre::world().allreduce(mine, [](cpu_set_t a, const cpu_set_t& b) {
    CPU_OR(&a, &a, &b);
    return a;
  });
  EXPECT_EQ(acre::runtime::crowded(), static_cast<int>(acre::size()) > CPU_COUNT(&together));
}

std::uint64_t count_of(acre::runtime::counted what) {
  return acre::runtime::counter_table[static_cast<std::size_t>(what)];
}

TEST(Waits, SleepBesideAProgramThatComputesOnTheirCore) {
  if (acre::size() < 2 || acre::runtime::node_size() < acre::size()) return;
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(acre::world().broadcast(::sched_getcpu(), 0), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const pid_t program = acre::rank() == 0 ? ::fork() : -1;
  if (program == 0) {
    ::alarm(60);
    for (volatile bool computes = true; computes;) continue;
  }
  const auto first = count_of(acre::runtime::counted::sleep);
  for (int i = 0; i < 1000; ++i) acre::barrier();
  const auto slept = count_of(acre::runtime::counted::sleep) - first;
  if (program > 0) {
    ::kill(program, SIGKILL);
    ::waitpid(program, nullptr, 0);
  }
  EXPECT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_GT(acre::world().allreduce(slept), 0U) << "a yield would cost a time slice";
}

bool has_written_to_stderr() {
  struct stat captured{};
  return ::fstat(STDERR_FILENO, &captured) == 0 && captured.st_size > 0;
}

TEST(StallWatch, PrintsOneTableForAllThatWait) {
  if (acre::size() < 2) return;
  static std::atomic<acre::rank_t> reports{0};
  static std::atomic<bool> release{false};
  reports = 0;
  release = false;
  acre::barrier();
  if (acre::rank() == 0) {
    const auto await_reports = [](acre::rank_t count) {
      for (; reports < count; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
        acre::progress();
      }
    };
    await_reports(acre::size() - 2);
    acre::rpc_ff(1, [] { release = true; });
    await_reports(acre::size() - 1);
  } else {
    const bool is_first = acre::rank() == 1;
    const std::string before = is_first ? "rank 0 computes" : "the test's wait";
    while (acre::runtime::where_is(is_first ? 0 : 1).find(before) == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    testing::internal::CaptureStderr();
    acre::runtime::set_stall_limit(std::chrono::milliseconds(50));
    const auto has_spoken = has_written_to_stderr;
    acre::runtime::wait_until([&] { return has_spoken() && (!is_first || release.load()); },
                              "the test's wait");
    acre::runtime::set_stall_limit(std::chrono::milliseconds(0));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("has waited for 0.05 s"), std::string::npos) << said;
    EXPECT_NE(said.find("the test's wait at"), std::string::npos) << said;
    EXPECT_EQ(said.find("rank 0 computes") != std::string::npos, is_first) << said;
    acre::rpc_ff(0, [] { ++reports; });
  }
  acre::barrier();
}

TEST(StallWatch, NamesAFunctionThatDoesNotReturnToTheWaitInWhichItRuns) {
  acre::barrier();
  testing::internal::CaptureStderr();
  acre::runtime::set_stall_limit(std::chrono::milliseconds(20));
  acre::rpc(acre::rank(), [] {
    while (!has_written_to_stderr()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }).get();
  acre::runtime::set_stall_limit(std::chrono::milliseconds(0));
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string expected = "has run an RPC of rank " + std::to_string(acre::rank()) +
                               " for 0.02 s in its wait in future::get at ";
  EXPECT_NE(said.find(expected), std::string::npos) << said;
  EXPECT_NE(said.find("progress_ranks_test.cpp:"), std::string::npos) << said;
  EXPECT_NE(said.find("a lock that this thread has held"), std::string::npos) << said;
  acre::barrier();
}

TEST(StallWatch, TellsNoLineOfTheLibrary) {
  EXPECT_EQ(acre::describe_place(acre::site()), "");
  EXPECT_NE(acre::describe_place(acre::site::current()).find("progress_ranks_test.cpp:"),
            std::string::npos);
}

TEST(Job, IsOneAtATime) { EXPECT_THROW(acre::job second, acre::error); }

TEST(Job, KeepsItsMemorySmall) {
  EXPECT_LE(acre::runtime::rank_box_bytes, std::size_t{1} << 20);
  static_assert(sizeof(*acre::runtime::world.bases) <= 64);
}

TEST(Progress, LetsOthersHaveTheCoreWhenItFindsNothing) {
  acre::barrier();
  const auto yields = [] { return count_of(acre::runtime::counted::yield); };
  const auto before = yields();
  std::size_t in_vain = 0;
  const int calls = acre::runtime::crowded() ? 100 : 5000;
  for (int i = 0; i < calls; ++i) in_vain += acre::progress() == 0 ? 1U : 0U;
  const auto least = acre::runtime::crowded() ? in_vain / 3 : in_vain / 2000;
  const auto most = acre::runtime::crowded() ? in_vain : in_vain / 500 + 1;
  EXPECT_GE(yields() - before, least);
  EXPECT_LE(yields() - before, most);
  acre::barrier();
}

}  // namespace
