// One rank leaves the scope of a container by an exception, which it catches outside.
#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace {

struct oops {};

constexpr auto make_array = [](const acre::team& t) { return acre::array<int>(t, 100); };
constexpr auto make_map = [](const acre::team& t) { return acre::hash_map<int, int>(t, 100); };
constexpr auto make_text_map = [](const acre::team& t) {
  return acre::hash_map<std::string, std::string>(t, 100);
};
constexpr auto make_queue = [](const acre::team& t) {
  return acre::circular_queue<int>(t, acre::hosted_by{0}, 100);
};
constexpr auto make_filter = [](const acre::team& t) {
  return acre::bloom_filter<int>(t, 100, 0.01);
};
constexpr auto make_distributor = [](const acre::team& t) { return acre::distributor<int>(t); };

template <class Make>
class ScopeEnd : public testing::Test {};
using makers =
    testing::Types<decltype(make_array), decltype(make_map), decltype(make_text_map),
                   decltype(make_queue), decltype(make_filter), decltype(make_distributor)>;
TYPED_TEST_SUITE(ScopeEnd, makers);

// Nobody waits for the rank that throws, and all go on together.
TYPED_TEST(ScopeEnd, ByAnExceptionOfOneRankHoldsUpNobody) {
  for (acre::rank_t thrower = 0; thrower < acre::size(); ++thrower) {
    try {
      const auto made = TypeParam{}(acre::world());
      if (acre::rank() == thrower) throw oops();
    } catch (const oops&) {
    }
    EXPECT_EQ(acre::world().allreduce(1), static_cast<int>(acre::size()));
    const auto again = TypeParam{}(acre::world());
  }
}

TYPED_TEST(ScopeEnd, ByExceptionsOfAllRanksHoldsUpNobody) {
  try {
    const auto made = TypeParam{}(acre::world());
    throw oops();
  } catch (const oops&) {
  }
  EXPECT_EQ(acre::world().allreduce(1), static_cast<int>(acre::size()));
}

TYPED_TEST(ScopeEnd, ByAnExceptionIsAnErrorForWhoIsInACollective) {
  if (acre::size() == 1) GTEST_SKIP() << "it takes two";
  const acre::team members = acre::world().split(0);
  std::string heard;
  try {
    const auto made = TypeParam{}(members);
    if (acre::rank() == 0) throw oops();
    members.barrier();
  } catch (const oops&) {
  } catch (const acre::error& left) {
    heard = left.what();
  }
  if (acre::rank() != 0) {
    EXPECT_NE(heard.find("the end of a container"), std::string::npos) << heard;
  }
  acre::barrier();
  // The team is of no more use, on all members.
  EXPECT_THROW(members.barrier(), acre::error);
  acre::barrier();
}

}  // namespace
