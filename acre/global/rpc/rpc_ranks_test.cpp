// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/runtime/block_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace {

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }

int calls_here = 0;
int twice(int x) { return 2 * x; }

struct particle {
  std::string name;
  std::vector<double> place;
  friend auto acre_fields(particle& p) { return std::tie(p.name, p.place); }
};

TEST(RpcSmoke, RunsWhereItIsAskedTo) {
  EXPECT_EQ(acre::rpc(next_rank(), [] { return acre::rank(); }).get(), next_rank());
  EXPECT_EQ(acre::rpc(next_rank(), twice, 21).get(), 42);
  const int captured = static_cast<int>(acre::rank());
  EXPECT_EQ(
      acre::rpc(next_rank(), [captured](int x) { return captured + x; }, 4).get(), captured + 4);
  acre::barrier();
}

TEST(RpcSmoke, CarriesWhatCanBeSerialised) {
  auto sizes = acre::rpc(
      next_rank(),
      [](std::string_view text, const std::map<int, std::string>& named) {
        return std::vector<std::size_t>{text.size(), named.at(7).size()};
      },
      "literal", std::map<int, std::string>{{7, "seven"}});
  EXPECT_EQ(sizes.get(), (std::vector<std::size_t>{7, 5}));
  auto moved = acre::rpc(
      next_rank(),
      [](particle p) {
        p.name += "!";
        p.place.push_back(3);
        return p;
      },
      particle{"x", {1, 2}});
  EXPECT_EQ(moved.get().name, "x!");
  EXPECT_EQ(acre::rpc(
                next_rank(), [](std::string text) { return text + "?"; }, "literal")
                .get(),
            "literal?");
  EXPECT_EQ(
      acre::rpc(
          next_rank(), [](std::optional<int> x) { return x.value_or(-1); }, std::optional<int>{})
          .get(),
      -1);
  acre::barrier();
}

TEST(RpcSmoke, CarriesMoreThanOneMessageHolds) {
  std::vector<std::uint32_t> many(1'000'000);
  std::iota(many.begin(), many.end(), 7U);
  auto sum = acre::rpc(
      next_rank(),
      [](std::span<const std::uint32_t> values) {
        return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      },
      std::span<const std::uint32_t>(many));
  EXPECT_EQ(sum.get(), std::accumulate(many.begin(), many.end(), std::uint64_t{0}));
  const auto back =
      acre::rpc(
          next_rank(), [](std::size_t n) { return std::string(n, 'x'); }, std::size_t{3'000'000})
          .get();
  EXPECT_EQ(back.size(), 3'000'000U);
  EXPECT_EQ(back.find_first_not_of('x'), std::string::npos);
  acre::barrier();
}

const std::vector<std::string> names{"first", "second"};
const std::vector<int> numbers{1, 2, 3};
const std::string name = "a name that is longer than a string stores in place";
std::string kept;

std::string text_here(int length) { return std::string(static_cast<std::size_t>(length), 'v'); }

TEST(Rpc, BringsViewsBackAsCopies) {
  auto text = acre::rpc(
      next_rank(),
      [](int length) -> std::string_view {
        kept = text_here(length);
        return kept;
      },
      5000);
  static_assert(std::is_same_v<decltype(text), acre::future<std::string>>);
  EXPECT_EQ(text.get(), text_here(5000));
  auto values = acre::rpc(next_rank(), [] { return std::span(numbers); });
  static_assert(std::is_same_v<decltype(values), acre::future<std::vector<int>>>);
  EXPECT_EQ(values.get(), numbers);
  EXPECT_EQ(acre::rpc(next_rank(), [] { return acre::make_message_view(numbers); }).get(), numbers);
  EXPECT_EQ(acre::rpc(next_rank(), [] { return acre::make_message_view(names); }).get(), names);
  EXPECT_EQ(acre::rpc(next_rank(), []() -> const char(&)[8] { return "literal"; }).get(),
            "literal");
  acre::barrier();
}

TEST(Rpc, BringsWhatHoldsViewsBackAsCopies) {
  auto pair = acre::rpc(next_rank(), [] {
    return std::pair(std::string_view(name), std::optional<std::string_view>(name));
  });
  using owned_pair = std::pair<std::string, std::optional<std::string>>;
  static_assert(std::is_same_v<decltype(pair), acre::future<owned_pair>>);
  EXPECT_EQ(pair.get(), owned_pair(name, name));
  auto several = acre::rpc(next_rank(), [] { return std::vector<std::string_view>{name, "x"}; });
  EXPECT_EQ(several.get(), (std::vector<std::string>{name, "x"}));
  auto two = acre::rpc(next_rank(), [] { return std::array<std::string_view, 2>{name, "y"}; });
  EXPECT_EQ(two.get(), (std::array<std::string, 2>{name, "y"}));
  auto either = acre::rpc(next_rank(), [] { return std::variant<int, std::string_view>(name); });
  EXPECT_EQ(either.get(), (std::variant<int, std::string>(name)));
  auto later =
      acre::rpc(next_rank(), [] { return acre::make_ready_future(std::string_view(name)); });
  EXPECT_EQ(later.get(), name);
  acre::barrier();
}

TEST(Rpc, TakesCapturesWithUnionsAndPadding) {
  const std::optional<double> maybe = 2.5;
  const std::optional<int> small = 3;
  const bool flag = acre::size() != 0;
  const double x = 1.5 + (flag ? 0 : 1);
  const auto add = [maybe, small, flag, x] { return *maybe + *small + x + (flag ? 1 : 0); };
  EXPECT_EQ(acre::rpc(next_rank(), add).get(), 8);
  acre::barrier();
}

struct names_and_itself {
  std::string name;
  std::vector<names_and_itself> below;
  [[maybe_unused]] friend auto acre_fields(names_and_itself& n) {
    return std::tie(n.name, n.below);
  }
};

TEST(Rpc, KnowsWhatItCanCall) {
  static_assert(acre::remotely_callable<decltype(twice), int>);
  static_assert(!acre::remotely_callable<decltype(twice), std::string>);
  static_assert(!acre::remotely_callable<decltype(twice), int, int>);
  const auto view_of_class = [] { return names_and_itself{}; };
  static_assert(acre::remotely_callable<decltype(view_of_class)>);
  const auto address = [] { return "literal"; };
  static_assert(!acre::remotely_callable<decltype(address)>);
  const auto views = [] { return std::map<int, std::string_view>{}; };
  static_assert(!acre::remotely_callable<decltype(views)>);
  int local = 0;
  const auto refers = [&local] { return local; };
  static_assert(!acre::remotely_callable<decltype(refers)>);
}

TEST(Rpc, BringsExceptionsBack) {
  auto failing = acre::rpc(
      next_rank(),
      [](int x) -> int {
        if (x > 1) throw std::runtime_error("too much of it");
        return x;
      },
      2);
  try {
    static_cast<void>(failing.get());
    ADD_FAILURE() << "no exception";
  } catch (const acre::error& failure) {
    EXPECT_NE(std::string(failure.what()).find("too much of it"), std::string::npos);
  }
  acre::barrier();
}

TEST(Rpc, WaitsForAFutureThatTheFunctionReturns) {
  auto hops = acre::rpc(
      next_rank(),
      [](acre::rank_t home) {
        return acre::rpc(home, [](int x) { return x + 1; }, 1).then([](int x) { return x * 10; });
      },
      acre::rank());
  EXPECT_EQ(hops.get(), 20);
  acre::barrier();
}

acre::task<std::size_t> length_after_another_call(const std::string& text) {
  co_await acre::rpc(next_rank(), [] {});
  co_return text.find('!');
}

TEST(Rpc, KeepsWhatAFunctionWasGivenUntilItsFutureIsReady) {
  const std::string text = std::string(5000, 'x') + '!';
  EXPECT_EQ(acre::rpc(next_rank(), length_after_another_call, text).get(), 5000U);
  const auto end_of = [](std::string_view view) {
    return acre::rpc(next_rank(), [] {}).then([view] { return view.substr(view.size() - 1); });
  };
  EXPECT_EQ(acre::rpc(next_rank(), end_of, text).get(), "!");
  static std::string seen;
  seen.clear();
  acre::barrier();
  acre::rpc_ff(
      next_rank(),
      [](const std::string& given) -> acre::task<> {
        co_await acre::rpc(next_rank(), [] {});
        seen = given;
      },
      text);
  acre::drain();
  EXPECT_EQ(seen, text);
  acre::barrier();
}

TEST(Rpc, LetsAFunctionWaitForAnotherRpc) {
  const int sum = acre::rpc(
                      next_rank(),
                      [](acre::rank_t home) {
                        return acre::rpc(home, twice, 4).get() + acre::rpc(home, twice, 5).get();
                      },
                      acre::rank())
                      .get();
  EXPECT_EQ(sum, 18);
  acre::barrier();
}

int ask_back(acre::rank_t home, int depth) {
  if (depth == 0) return 0;
  return 1 + acre::rpc(home, ask_back, acre::rank(), depth - 1).get();
}

TEST(Rpc, ServesCallsInWaitsOfCallsAsDeepAsRanksCallEachOther) {
  EXPECT_EQ(ask_back(next_rank(), 200), 200);
  acre::barrier();
}

TEST(Rpc, HoldsCallsBackWhenTheStackIsShortButNeverAnswers) {
  if (acre::rank() != 0) {
    constexpr int calls = 2'000;
    std::vector<acre::future<int>> answers;
    for (int i = 0; i < calls; ++i) {
      answers.push_back(acre::rpc(
          0,
          [](acre::rank_t home, int x) {
            volatile char ballast[8'000];
            ballast[x] = 1;
            return acre::rpc(home, twice, x).get() + ballast[x];
          },
          acre::rank(), i));
    }
    for (int i = 0; i < calls; ++i) {
      EXPECT_EQ(answers[static_cast<std::size_t>(i)].get(), 2 * i + 1);
    }
  }
  acre::barrier();
}

TEST(Rpc, RunsCallsOfOneRankInOrder) {
  static std::vector<int> seen;
  seen.clear();
  acre::barrier();
  constexpr int calls = 3'000;
  for (int i = 0; i < calls; ++i) {
    acre::rpc_ff(next_rank(), [](int number) { seen.push_back(number); }, i);
  }
  acre::runtime::wait_until([] { return seen.size() == calls; }, "test");
  for (int i = 0; i < calls; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
  acre::barrier();
}

TEST(Rpc, SurvivesThatEverybodyFloodsEverybody) {
  calls_here = 0;
  acre::barrier();
  constexpr int rounds = 400;
  const std::string payload(3'000, 'p');
  std::vector<acre::future<std::size_t>> answers;
  for (int i = 0; i < rounds; ++i) {
    for (acre::rank_t target = 0; target < acre::size(); ++target) {
      answers.push_back(acre::rpc(
          target,
          [](std::string_view text) {
            ++calls_here;
            return text.size();
          },
          payload));
    }
  }
  for (auto& answer : answers) ASSERT_EQ(answer.get(), payload.size());
  acre::barrier();
  EXPECT_EQ(calls_here, rounds * static_cast<int>(acre::size()));
  acre::barrier();
}

TEST(Rpc, RejectsRanksThatAreNotThere) {
  EXPECT_THROW(static_cast<void>(acre::rpc(acre::size(), twice, 1).get()), acre::error);
}

TEST(Rpc, ResumesCoroutines) {
  const auto chain = []() -> acre::task<int> {
    int x = co_await acre::rpc(next_rank(), twice, 1);
    x = co_await acre::rpc(next_rank(), twice, x);
    co_return x + co_await acre::rpc(next_rank(), twice, x);
  };
  EXPECT_EQ(chain().get(), 12);
  acre::barrier();
}

TEST(Rpc, IsNamedInErrorsAsTheUserCallsIt) {
  const auto name_in_error = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const acre::error& failure) {
      return failure.call();
    }
    return "no error";
  };
  EXPECT_EQ(name_in_error([] { acre::rpc(acre::size(), [] {}).get(); }), "rpc");
  EXPECT_EQ(name_in_error([] { acre::rpc_ff(acre::size(), [] {}); }), "rpc_ff");
}

std::uint64_t page_faults() {
  rusage spent{};
  getrusage(RUSAGE_SELF, &spent);
  return static_cast<std::uint64_t>(spent.ru_minflt);
}

TEST(Rpc, OfLargeArgumentsUsesItsMemoryAgain) {
  if (!acre::runtime::keeps_blocks()) GTEST_SKIP() << "the sanitizer gets every block back";
  const std::vector<std::uint64_t> values(131'072, 7);
  const std::span<const std::uint64_t> sent(values);
  const auto call = [&] {
    const auto sum = [](std::span<const std::uint64_t> come) {
      return std::accumulate(come.begin(), come.end(), std::uint64_t{0});
    };
    EXPECT_EQ(acre::rpc(next_rank(), sum, sent).get(), 917'504U);
  };
  const auto call_often = [&] {
    for (int i = 0; i < 16; ++i) call();
    acre::barrier();
  };
  call_often();
  const std::uint64_t before = page_faults();
  call_often();
  EXPECT_LT(page_faults() - before, 16U * 256U / 4);
  acre::barrier();
}

}  // namespace
