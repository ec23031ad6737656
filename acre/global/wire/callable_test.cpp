// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/wire/callable.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using acre::callable_token;
using acre::resolve;
using acre::token_of;

int triple(int x) { return 3 * x; }
int square(int x) { return x * x; }

template <class F, class... Arguments>
auto invoke(Arguments... arguments) {
  return F{}(arguments...);
}

std::uint64_t bits(callable_token token) { return static_cast<std::uint64_t>(token); }

std::string problem_of(std::uint64_t hash, std::uint64_t offset) {
  try {
    static_cast<void>(resolve<void()>(callable_token{hash << 32 | offset}));
    return "";
  } catch (const acre::error& refused) {
    EXPECT_FALSE(refused.advice().empty());
    return refused.problem();
  }
}

int data_word = 1;

TEST(Callable, ATokenResolvesToItsFunction) {
  EXPECT_EQ(resolve<int(int)>(token_of<&triple>()), &triple);
  EXPECT_EQ(resolve<int(int)>(token_of<&triple>())(5), 15);
  EXPECT_EQ(resolve<int(int)>(token_of<&square>())(5), 25);
  EXPECT_NE(token_of<&triple>(), token_of<&square>());
  EXPECT_NE(token_of<&triple>(), callable_token::none);
}

TEST(Callable, ATokenIsTheSameWhenAskedAgainOrAtRunTime) {
  EXPECT_EQ(token_of<&triple>(), token_of<&triple>());
  EXPECT_EQ(token_of<&triple>(), token_of(&triple));
}

TEST(Callable, NamesInstancesForLambdas) {
  const auto plus = [](int x, int y) { return x + y; };
  const auto minus = [](int x, int y) { return x - y; };
  const auto plus_token = token_of<&invoke<decltype(plus), int, int>>();
  const auto minus_token = token_of<&invoke<decltype(minus), int, int>>();
  EXPECT_EQ(resolve<int(int, int)>(plus_token)(5, 3), 8);
  EXPECT_EQ(resolve<int(int, int)>(minus_token)(5, 3), 2);
}

TEST(Callable, DoesNotDependOnWhereTheProgramIsLoaded) {
  const auto token = bits(token_of<&triple>());
  const auto other = bits(token_of<&square>());
  EXPECT_EQ(token >> 32, other >> 32);
  EXPECT_EQ(static_cast<std::int64_t>(token - other),
            reinterpret_cast<std::intptr_t>(&triple) - reinterpret_cast<std::intptr_t>(&square));
  EXPECT_LT(static_cast<std::uint32_t>(token), 1U << 30);
}

template <class Function>
std::string refusal_of(Function* function) {
  try {
    static_cast<void>(token_of(function));
    return "";
  } catch (const acre::error& refused) {
    EXPECT_NE(refused.advice().find("lambda"), std::string::npos);
    return refused.problem();
  }
}

TEST(Callable, NamesNoFunctionsOfOtherLibraries) {
  EXPECT_NE(refusal_of(&std::labs).find("built with Acre"), std::string::npos);
  EXPECT_NE(refusal_of(&std::system), "");
  void* library = dlopen("libresolv.so.2", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* function = reinterpret_cast<void (*)()>(dlsym(library, "ns_get16"));
  if (function == nullptr) function = reinterpret_cast<void (*)()>(dlsym(library, "__dn_expand"));
  ASSERT_NE(function, nullptr);
  EXPECT_NE(refusal_of(function), "");
}

[[gnu::noinline]] int half(int x) { return x / 2; }
[[gnu::noinline]] int third(int x) { return x / 3; }

TEST(Callable, NamesFunctionsThatAreChosenAtRunTime) {
  int (*chosen)(int) = &half;
  asm volatile("" : "+r"(chosen));
  EXPECT_EQ(resolve<int(int)>(token_of(chosen)), &half);
  EXPECT_EQ(resolve<int(int)>(token_of(chosen))(8), 4);
}

TEST(Callable, RefusesWhatIsNotTheBeginOfAFunction) {
  static_cast<void>(token_of<&triple>());
  const std::uint64_t token = bits(token_of(&third));
  const auto* const code = reinterpret_cast<const char*>(&third);
  for (std::uint64_t offset = 1; offset < 4; ++offset) {
    EXPECT_NE(problem_of(token >> 32, (token & 0xffffffff) + offset).find("is not a function of"),
              std::string::npos)
        << static_cast<const void*>(code + offset);
  }
}

std::string kind_problem_of(callable_token token) {
  try {
    static_cast<void>(acre::global::resolve_named<int(int)>(token));
    return "";
  } catch (const acre::error& refused) {
    return refused.problem();
  }
}

double other_kind(double x) { return x; }

TEST(Callable, RefusesFunctionsOfAnotherSignature) {
  EXPECT_EQ(kind_problem_of(token_of<&triple>()), "");
  EXPECT_NE(kind_problem_of(token_of<&other_kind>()).find("another kind"), std::string::npos);
  EXPECT_THROW(static_cast<void>(resolve<int(int)>(token_of<&other_kind>())), acre::error);
  int (*chosen)(int) = &third;
  asm volatile("" : "+r"(chosen));
  EXPECT_NE(kind_problem_of(token_of(chosen)), "");
}

TEST(Callable, KnowsOnceAndForAllWhatItHasFound) {
  std::vector<callable_token> tokens{token_of<&triple>(), token_of(&half), token_of(&third)};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(resolve<int(int)>(tokens[0]), &triple);
    EXPECT_EQ(resolve<int(int)>(tokens[1]), &half);
    EXPECT_EQ(resolve<int(int)>(tokens[2]), &third);
  }
}

TEST(Callable, RefusesTheTokenOfADifferentBinary) {
  const std::uint64_t hash = bits(token_of<&triple>()) >> 32;
  const std::string problem = problem_of(hash ^ 0x5a5a5a5a, 0x1000);
  EXPECT_NE(problem.find("different binary"), std::string::npos) << problem;
  EXPECT_NE(problem_of(0, 0), "");
}

TEST(Callable, RefusesAnOffsetOutsideOfTheCode) {
  const std::uint64_t token = bits(token_of<&triple>());
  const std::uint64_t hash = token >> 32;
  EXPECT_NE(problem_of(hash, 0).find("is outside the code of"), std::string::npos);
  EXPECT_NE(problem_of(hash, 0xffffffff).find("is outside the code of"), std::string::npos);
  const std::intptr_t to_data =
      reinterpret_cast<std::intptr_t>(&data_word) - reinterpret_cast<std::intptr_t>(&triple);
  const auto data_offset = static_cast<std::uint32_t>(
      static_cast<std::uint64_t>(static_cast<std::int64_t>(token & 0xffffffff) + to_data));
  EXPECT_NE(problem_of(hash, data_offset).find("is outside the code of"), std::string::npos);
}

TEST(Callable, RefusesAFunctionThatIsInNoModule) {
  const std::vector<char> heap(64);
  const auto generated = reinterpret_cast<void (*)()>(reinterpret_cast<std::uintptr_t>(&heap[0]));
  EXPECT_THROW(static_cast<void>(token_of(generated)), acre::error);
}

TEST(Callable, ResolvesOnManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 1000; ++round) {
        wrong += resolve<int(int)>(token_of<&square>())(round % 7) != (round % 7) * (round % 7);
        wrong += resolve<int(int)>(token_of(&half))(round) != round / 2;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
