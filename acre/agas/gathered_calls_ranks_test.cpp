// SPDX-License-Identifier: BSD-3-Clause
// Batched calls to other nodes.
#include <acre/agas/counters.hpp>
#include <acre/agas/detail/gathered_calls.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

struct gathering {
  explicit gathering(std::size_t bytes) { acre::agas::gather_calls(bytes); }
  ~gathering() { acre::agas::gather_calls(0); }
  gathering(const gathering&) = delete;
  gathering& operator=(const gathering&) = delete;
};

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }
bool is_far(acre::rank_t rank) { return acre::runtime::world.bases[rank] == 0; }

struct row {
  void add(int number, const std::vector<char>& text) {
    in_order = in_order && number == int(bytes.size());
    bytes.push_back(text.size());
  }
  void open() { is_open = true; }
  int wait() {
    while (!is_open) acre::progress();
    return 1;
  }
  std::vector<std::size_t> bytes;
  bool in_order = true;
  bool is_open = false;
  static constexpr auto acre_concurrent = std::tuple(&row::open);
  friend auto acre_fields(row& r) { return std::tie(r.bytes, r.in_order, r.is_open); }
};

TEST(GatheredCalls, KeepTheirOrderAndComeAll) {
  const gathering here(1024);
  const auto made = acre::create<row>(next_rank()).get();
  constexpr int calls = 1000;
  const std::uint64_t before = acre::read_agas_counter("/agas/count/calls/batches");
  for (int i = 0; i < calls; ++i) {
    const std::vector<char> text(i % 100 == 7 ? 2000 : std::size_t(i % 8));
    acre::invoke_ff(made, &row::add, i, text);
    if (i == calls / 2) static_cast<void>(acre::migrate(made, acre::rank()));
  }
  acre::drain();
  auto seen = acre::invoke(made, [](const row& r) { return r.in_order ? r.bytes.size() : 0; });
  EXPECT_EQ(seen.get(), std::size_t{calls});
  const std::uint64_t batches = acre::read_agas_counter("/agas/count/calls/batches") - before;
  EXPECT_LT(batches, std::uint64_t{calls / 4});
  EXPECT_EQ(batches != 0, is_far(next_rank()));
  acre::barrier();
}

TEST(GatheredCalls, GoWhenTheirCallerWaits) {
  const gathering here(4096);
  const auto made = acre::create<row>(next_rank()).get();
  acre::invoke_ff(made, &row::open);
  EXPECT_EQ(acre::invoke(made, &row::wait).get(), 1);
  acre::barrier();
}

TEST(GatheredCalls, MayWaitForEachOther) {
  const gathering here(4096);
  const auto first = acre::create<row>(next_rank()).get();
  const auto second = acre::create<row>(next_rank()).get();
  std::vector<acre::future<int>> waits;
  waits.push_back(acre::invoke(first, &row::wait));
  waits.push_back(acre::invoke(second, &row::wait));
  acre::invoke_ff(first, &row::open);
  acre::invoke_ff(second, &row::open);
  for (auto& each : waits) EXPECT_EQ(each.get(), 1);
  acre::barrier();
}

TEST(GatheredCalls, HaveTheirAnswersGatheredToo) {
  const gathering here(4096);
  const auto made = acre::create<row>(next_rank()).get();
  constexpr std::uint64_t calls = 2000;
  acre::barrier();
  const std::uint64_t before = acre::counters().messages;
  std::vector<acre::future<std::uint64_t>> answers;
  for (std::uint64_t i = 0; i < calls; ++i) {
    answers.push_back(acre::invoke(made, [](row&, std::uint64_t n) { return 3 * n; }, i));
  }
  for (std::uint64_t i = 0; i < calls; ++i) EXPECT_EQ(answers[i].get(), 3 * i);
  acre::drain();
  const std::uint64_t messages = acre::counters().messages - before;
  if (is_far(next_rank()) && is_far((acre::rank() + acre::size() - 1) % acre::size())) {
    EXPECT_LT(messages, calls / 2);
  }
  acre::barrier();
}

TEST(GatheredCalls, HaveTheirAnswersWhileWhatIsBehindThemWaits) {
  const gathering here(4096);
  if (acre::rank() == 0 && acre::size() > 1) {
    const auto first = acre::create<row>(1).get();
    const auto second = acre::create<row>(1).get();
    auto answered = acre::invoke(first, [](row&) { return 5; });
    auto waits = acre::invoke(second, &row::wait);
    EXPECT_EQ(answered.get(), 5);
    acre::invoke(second, &row::open).get();
    EXPECT_EQ(waits.get(), 1);
  }
  acre::barrier();
}

TEST(GatheredCalls, BringTheirFailures) {
  const gathering here(4096);
  const auto made = acre::create<row>(next_rank()).get();
  std::vector<acre::future<int>> answers;
  for (int i = 0; i < 100; ++i) {
    answers.push_back(acre::invoke(
        made, [](row&, int n) { return n % 2 == 0 ? n : throw std::runtime_error("odd"); }, i));
  }
  for (int i = 0; i < 100; ++i) {
    if (i % 2 == 0) {
      EXPECT_EQ(answers[std::size_t(i)].get(), i);
    } else {
      EXPECT_THROW(answers[std::size_t(i)].get(), acre::error);
    }
  }
  acre::barrier();
}

}  // namespace
