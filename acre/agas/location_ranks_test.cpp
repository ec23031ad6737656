// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/location.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/base/error.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::testing::other;

struct place {
  int calls = 0;
  acre::rank_t call() {
    ++calls;
    return acre::rank();
  }
  acre::future<> wait_for(acre::rank_t other) {
    return acre::rpc(other, [] {});
  }
  virtual ~place() = default;
  friend auto acre_fields(place& p) { return std::tie(p.calls); }
};
struct far_place final : place {
  friend auto acre_fields(far_place& p) { return std::tie(p.calls); }
};

struct entry {
  explicit entry(std::string with, std::vector<int> more)
      : text(std::move(with)), numbers(std::move(more)) {
    if (text == "fail") throw acre::error("entry", "cannot be made");
  }
  [[nodiscard]] std::string get() const { return text + std::to_string(numbers.back()); }
  std::string text;
  std::vector<int> numbers;
};

TEST(LocationSmoke, IsThatOfTheObjectAfterEarlierMoves) {
  const auto made = acre::create<far_place>(other(1)).get();
  EXPECT_EQ(acre::where(made).get(), other(1));
  for (unsigned i = 0; i < 20; ++i) {
    acre::invoke_ff(made, &place::wait_for, other(i));
    static_cast<void>(acre::migrate(made, other(i)));
    acre::invoke_ff(made, &place::call);
    EXPECT_EQ(acre::where(acre::object_ref<place>(made)).get(), other(i));
  }
  EXPECT_EQ(acre::where(made.id()).get(), acre::invoke(made, &place::call).get());
  EXPECT_EQ(acre::presumed_rank(made), other(19));
  acre::drain();
}

TEST(Location, IsUnknownForMissingObjects) {
  const auto gone = acre::create_id<place>(other(1)).get();
  acre::destroy(gone).get();
  EXPECT_THROW(acre::where(gone).get(), acre::error);
  EXPECT_THROW(acre::where(acre::object_id<place>()).get(), acre::error);
  EXPECT_THROW(static_cast<void>(acre::presumed_rank(acre::object_id<place>())), acre::error);
  acre::barrier();
}

TEST(LocationSmoke, OfANewObjectIsNearAnother) {
  const auto made = acre::create<place>(other(1)).get();
  for (unsigned i = 0; i < 5; ++i) {
    static_cast<void>(acre::migrate(made, other(i)));
    const std::vector<int> numbers{1, int(i)};
    const auto near = acre::create_near<entry>(made, "near ", numbers).get();
    EXPECT_EQ(near.name().home(), other(i));
    EXPECT_EQ(acre::invoke(near, &entry::get).get(), "near " + std::to_string(i));
  }
  EXPECT_THROW(acre::create_near<entry>(made, "fail", std::vector<int>{1}).get(), acre::error);
  acre::barrier();
}

}  // namespace
