// SPDX-License-Identifier: BSD-3-Clause
// Containers that differ between members.
#include <acre/base/error.hpp>
#include <acre/container/every_container_test.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

template <class Container, class... Arguments>
void make(const Arguments&... arguments) {
  const Container made(acre::world(), arguments...);
}

template <class First, class Other>
std::string error_of(First&& first, Other&& other) {
  try {
    if (acre::rank() == 0) {
      first();
    } else {
      other();
    }
  } catch (const acre::error& failed) {
    acre::barrier();
    return failed.call() + ": " + failed.problem();
  }
  return "no error";
}

TEST(Containers, SmokeAreMadeAlikeByAllMembers) {
  if (acre::size() == 1) GTEST_SKIP() << "a single rank cannot differ";
  const auto expect_named = [](const std::string& text) {
    EXPECT_NE(text.find("rank 0 calls "), std::string::npos) << text;
    EXPECT_NE(text.find(", but rank "), std::string::npos) << text;
    EXPECT_NE(text.find("alike_ranks_test.cpp:"), std::string::npos) << text;
  };
  using acre::hash_map;
  expect_named(
      error_of([] { make<hash_map<int, int>>(64U); }, [] { make<hash_map<int, float>>(64U); }));
  expect_named(
      error_of([] { make<hash_map<int, int>>(64U); }, [] { make<hash_map<long, int>>(64U); }));
  expect_named(
      error_of([] { make<acre::hash_set<int>>(64U); }, [] { make<hash_map<int, int>>(64U); }));
  const acre::hosted_by host{0};
  expect_named(error_of([&] { make<acre::circular_queue<int>>(host, 64U); },
                        [&] { make<acre::fast_queue<int>>(host, 64U); }));
  acre::container::for_each_container([&](const auto& each) {
    SCOPED_TRACE(each.name);
    expect_named(error_of([&] { static_cast<void>(each.template make<int>(acre::world())); },
                          [&] { static_cast<void>(each.template make<unsigned>(acre::world())); }));
  });
  hash_map<int, int> a(acre::world(), 64U);
  hash_map<int, int> b(acre::world(), 64U);
  expect_named(error_of([&] { a.resize(128); }, [&] { b.resize(128); }));
  EXPECT_TRUE(a.insert(static_cast<int>(acre::rank()), 1));
  acre::barrier();
  EXPECT_EQ(a.size(), acre::size());
}

}  // namespace
