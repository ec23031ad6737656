// SPDX-License-Identifier: BSD-3-Clause
// A process can run no job after a failed one.
#include <acre/launch/mirror.hpp>

#include <acre/acre.hpp>
#include <acre/launch/find_bootstrap.hpp>
#include <acre/launch/job.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/remote.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using acre::fabric::loopback_faults;
using acre::fabric::loopback_limits;
using acre::fabric::loopback_loss;
using acre::fabric::loopback_wire;

using wire_pointer = std::shared_ptr<loopback_wire>;

wire_pointer next_job_has_a_mirror(const loopback_limits& limits) {
  ::setenv("ACRE_RANKS_PER_NODE", "1", 1);
  ::setenv("ACRE_CONDUIT", "loopback", 1);
  ::setenv("ACRE_SEGMENT_SIZE", "64M", 1);
  auto wire = std::make_shared<loopback_wire>(limits);
  acre::launch::use_bootstrap(acre::launch::make_mirror(wire));
  return wire;
}

template <class T>
T& seen(acre::global_ptr<T> there) {
  return *reinterpret_cast<T*>(acre::runtime::world.segment + there.offset());
}

#define REQUIRE(condition)                                       \
  if (!(condition)) {                                            \
    std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    ::_exit(1);                                                  \
  }

void use_everything() {
  REQUIRE(acre::size() == 2 && acre::runtime::node_count() == 2);
  const auto mine = acre::allocate<long>(70'000);
  const acre::global_ptr<long> there(1, mine.offset());
  REQUIRE(!there.is_local());

  acre::put(there, 7L);
  REQUIRE(seen(there) == 7 && acre::get(there) == 7);
  for (long i = 0; i < 3000; ++i) acre::put_nbi(there + i, i);
  acre::quiet();
  for (long i = 0; i < 3000; ++i) REQUIRE(seen(there + i) == i);
  std::vector<long> large(70'000);
  std::iota(large.begin(), large.end(), 5L);
  acre::put(there, std::span<const long>(large));
  std::vector<long> back(large.size());
  acre::get(there, std::span(back));
  REQUIRE(back == large);
  std::vector<long> soon(large.size());
  auto reading = acre::get_async(there, std::span(soon));
  reading.wait();
  REQUIRE(soon == large);

  using extents = std::array<std::size_t, 2>;
  using strides = std::array<std::ptrdiff_t, 2>;
  std::vector<long> box(200);
  acre::get_strided(there, extents{10, 20}, strides{100, 2}, box.data(), strides{20, 1});
  for (std::size_t i = 0; i < 200; ++i) REQUIRE(box[i] == large[i / 20 * 100 + i % 20 * 2]);

  acre::put(there, 1L);
  REQUIRE(acre::fetch_add(there, 2L) == 1 && acre::get(there) == 3);
  REQUIRE(acre::rpc(1, [](int x) { return x + 1; }, 4).get() == 5);
  acre::barrier();
  REQUIRE(acre::world().allreduce(3, std::plus<>()) == 6);
  const std::vector<long> part(20'000, 8);
  REQUIRE(acre::world().allgather(std::span(part)) == std::vector<long>(40'000, 8));
  acre::barrier();
  acre::deallocate(mine);
}

[[noreturn]] void run_on(const loopback_limits& limits, const loopback_faults& faults) {
  ::alarm(20);
  try {
    const wire_pointer wire = next_job_has_a_mirror(limits);
    wire->set(faults);
    acre::job job;
    use_everything();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    ::_exit(1);
  }
  ::_exit(0);
}

constexpr loopback_faults no_faults{};
constexpr loopback_faults all_faults{
    .seed = 7, .refuse_every = 5, .refuse_share = 0.2, .most_rounds_late = 3, .any_order = true};

TEST(Mirror, CarriesAJob) { EXPECT_EXIT(run_on({}, no_faults), testing::ExitedWithCode(0), ""); }

TEST(Mirror, CarriesAJobThroughAllFaults) {
  EXPECT_EXIT(
      run_on({.max_payload = 256, .max_transfer = 2000, .transfers = 7, .messages = 5}, all_faults),
      testing::ExitedWithCode(0), "");
}

TEST(Mirror, CarriesAJobInMemoryThatTheNetworkBrings) {
  EXPECT_EXIT(run_on({.brings_memory = true}, all_faults), testing::ExitedWithCode(0), "");
}

TEST(Mirror, CarriesAJobThatFlushes) {
  EXPECT_EXIT(run_on({.completes_by_flush = true}, all_faults), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      run_on({.max_transfer = 1024, .completes_by_flush = true, .brings_memory = true}, all_faults),
      testing::ExitedWithCode(0), "");
}

/// After a failure, every call of progress reports it, and polling stops.
[[noreturn]] void lose_and_go_on() {
  ::alarm(20);
  const wire_pointer wire = next_job_has_a_mirror({});
  auto& job = *new acre::job;
  static_cast<void>(job);
  auto block = acre::allocate<long>(1000);
  const acre::global_ptr<long> there(1, block.offset());
  acre::put(there, 1L);
  wire->lose({.rank = 1, .how = loopback_loss::way::breaks_progress});
  std::string first;
  try {
    acre::put(there, 2L);
  } catch (const acre::error& failure) {
    first = failure.what();
  }
  REQUIRE(first.find("rank 1") != std::string::npos);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  const std::uint64_t polls = wire->polls();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) {
    std::string again;
    try {
      static_cast<void>(acre::progress());
    } catch (const acre::error& failure) {
      again = failure.what();
    }
    REQUIRE(again == first);
  }
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  REQUIRE(wire->polls() == polls);
  ::_exit(0);
}

TEST(Mirror, FailsOnceAndForAll) { EXPECT_EXIT(lose_and_go_on(), testing::ExitedWithCode(0), ""); }

[[noreturn]] void lose_by_refusal() {
  ::alarm(20);
  const wire_pointer wire = next_job_has_a_mirror({});
  static_cast<void>(*new acre::job);
  auto block = acre::allocate<long>(1000);
  const acre::global_ptr<long> there(1, block.offset());
  wire->lose({.rank = 1, .after = 10, .how = loopback_loss::way::refuses});
  int puts = 0;
  try {
    for (; puts < 100; ++puts) acre::put_nbi(there, 1L);
  } catch (const acre::error& failure) {
    REQUIRE(std::string(failure.what()).find("rank 1") != std::string::npos);
  }
  REQUIRE(puts == 10);
  ::_exit(0);
}

TEST(Mirror, NamesARankThatRefuses) {
  EXPECT_EXIT(lose_by_refusal(), testing::ExitedWithCode(0), "");
}

/// Pending pieces complete after the waiting call failed.
[[noreturn]] void lose_within_a_split_transfer() {
  ::alarm(20);
  const wire_pointer wire =
      next_job_has_a_mirror({.max_transfer = 1024, .completes_by_flush = true});
  static_cast<void>(*new acre::job);
  auto block = acre::allocate<std::byte>(10'240);
  const acre::runtime::remote_address there(1, acre::fabric::segment_region, block.offset());
  wire->lose({.rank = 1, .after = 3, .how = loopback_loss::way::refuses});
  std::vector<std::byte> destination(10'240);
  bool completed = false;
  struct whole : acre::fabric::operation {
    bool* told = nullptr;
  };
  auto operation = std::make_unique<whole>();
  operation->told = &completed;
  operation->complete = [](acre::fabric::operation& done) noexcept {
    *static_cast<whole&>(done).told = true;
  };
  acre::runtime::get_remote(there, destination.data(), destination.size(), *operation);
  for (int i = 0; i < 2; ++i) {
    std::string heard;
    try {
      acre::progress();
    } catch (const acre::error& failure) {
      heard = failure.what();
    }
    REQUIRE(heard.find("rank 1") != std::string::npos);
  }
  operation.reset();
  REQUIRE(wire->stuck() == 3);
  REQUIRE(wire->complete_late() == 3 && !completed);
  ::_exit(0);
}

TEST(Mirror, OutlivesPiecesOfATransferThatFailed) {
  EXPECT_EXIT(lose_within_a_split_transfer(), testing::ExitedWithCode(0), "");
}

}  // namespace
