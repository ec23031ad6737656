// SPDX-License-Identifier: BSD-3-Clause
// Mismatched collective calls of arrays and halos fail on all members.
#include <acre/array/array.hpp>
#include <acre/array/coarray.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/list.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/ragged_array.hpp>
#include <acre/array/shared.hpp>
#include <acre/array/shared_counter.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/error_of_test.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::global_test::error_of;

class ObjectsOfMembers : public testing::Test {
 protected:
  void SetUp() override {
    if (acre::size() == 1) GTEST_SKIP() << "a single rank cannot differ";
  }
  template <class Call>
  void expect_refused(Call&& call, const std::string& what) {
    const std::string text = error_of(call);
    EXPECT_NE(text.find(what), std::string::npos) << text;
    acre::barrier();
  }
  template <class First, class Other>
  auto either(First&& first, Other&& other) {
    return [this, first, other] {
      if (is_first_) {
        first();
      } else {
        other();
      }
    };
  }
  const bool is_first_ = acre::rank() == 0;
  const acre::team& all_ = acre::world();
};

TEST_F(ObjectsOfMembers, SmokeAreOfOneKindAndType) {
  expect_refused(
      either([&] { acre::array<int>(all_, 10, 1); }, [&] { acre::array<float>(all_, 10, 1.F); }),
      "(elements: 10, of int)");
  expect_refused(either([&] { acre::array<int>(all_, 16, 1); },
                        [&] { acre::matrix<int, 2>(all_, {4, 4}, 1); }),
                 "calls matrix (elements: 16, of int)");
  expect_refused(either([&] { acre::array<int>(all_, 10, [](std::size_t i) { return int(i); }); },
                        [&] { acre::array<unsigned>(all_, 10, 1U); }),
                 "unsigned int)");
  const acre::array<int> goes_on(all_, 10, 1);
  EXPECT_EQ(goes_on[9], 1);
  acre::barrier();
}

TEST_F(ObjectsOfMembers, AreAlikeInEveryKindOfArray) {
  const auto rows =
      acre::make_distribution({4, 4}, acre::size(), acre::dist::balanced, acre::dist::none);
  const auto columns =
      acre::make_distribution({4, 4}, acre::size(), acre::dist::none, acre::dist::balanced);
  expect_refused(either([&] { static_cast<void>(acre::make_matrix<int>(all_, rows)); },
                        [&] { static_cast<void>(acre::make_matrix<int>(all_, columns)); }),
                 "they differ in the extents or the pattern");
  expect_refused(
      either([&] { acre::coarray<int[2]>(all_, 1); }, [&] { acre::coarray<float[2]>(all_, 1); }),
      "of float [2])");
  expect_refused(either([&] { acre::shared<int>(all_, 1); }, [&] { acre::shared<float>(all_, 1); }),
                 "of float)");
  expect_refused(either([&] { acre::shared<int>(all_, 1, acre::hosted_by{0}); },
                        [&] { acre::shared<int>(all_, 1, acre::hosted_by{1}); }),
                 "the hosts differ: 0 on rank 0, 1 on rank 1");
  expect_refused(
      either([&] { acre::shared_counter{all_}; }, [&] { acre::shared<std::uint64_t>(all_, 0); }),
      "rank 0 calls shared_counter (");
  expect_refused(either([&] { acre::symmetric_array<int>(all_, 3); },
                        [&] { acre::symmetric_array<float>(all_, 3); }),
                 "of float)");
  acre::list<int> one(all_);
  one.commit();
  acre::list<int> other(all_);
  other.commit();
  expect_refused([&] { (is_first_ ? one : other).commit(); }, "they differ in the list");
  expect_refused(
      either([&] { acre::list<int>(all_).commit(); }, [&] { acre::list<float>(all_).commit(); }),
      "list::commit (elements of float)");
  expect_refused(
      either([&] { acre::coarray<int[2][3]>{all_}; }, [&] { acre::coarray<int[3][2]>{all_}; }),
      "they differ in the element type");
  one.push_back(1);
  one.commit();
  EXPECT_EQ(one.size(), acre::size());
  acre::barrier();
}

TEST_F(ObjectsOfMembers, HaveSizesOfAtLeastZero) {
  const int size = -3;
  EXPECT_NE(error_of([&] {
              acre::array<int> a(all_, static_cast<std::size_t>(size));
            }).find("the size of -3 elements is negative"),
            std::string::npos);
  acre::barrier();
}

TEST_F(ObjectsOfMembers, AreDestroyedInOneOrder) {
  auto a = std::make_unique<acre::array<int>>(all_, 10, 1);
  auto b = std::make_unique<acre::array<int>>(all_, 1000, 2);
  const std::string text = error_of([&] {
    if (is_first_) std::swap(a, b);
    b.reset();
    a.reset();
    acre::barrier();
  });
  EXPECT_NE(text.find("the destructor of the array made at "), std::string::npos) << text;
  EXPECT_NE(text.find(", but rank "), std::string::npos) << text;
  while (acre::runtime::pop_lost_failure() != nullptr) continue;
  const acre::array<int> goes_on(all_, 10, 1);
  EXPECT_EQ(goes_on[9], 1);
  acre::barrier();
}

class HalosOfMembers : public ObjectsOfMembers {
 protected:
  template <class Update>
  std::string error_with_halo(Update&& update) {
    const acre::team team = acre::world().split(0);
    return error_of([&] {
      acre::halo_matrix<double, 2> m(team, {8, 8}, 1);
      acre::halo<double, 2> h(m, {.edges = acre::periodic});
      update(h, team);
    });
  }
};

TEST_F(HalosOfMembers, AreMadeAlike) {
  acre::halo_matrix<int, 2> m(all_, {8, 8}, 1);
  using halo = acre::halo<int, 2>;
  expect_refused(either([&] { halo(m, {.edges = acre::periodic}); }, [&] { halo h(m); }), "halo");
  acre::halo_matrix<int, 2> other(all_, {8, 8}, 1);
  expect_refused([&] { halo h(is_first_ ? m : other); }, "calls halo");
}

TEST_F(HalosOfMembers, AreUpdatedEquallyOften) {
  const std::string fewer = error_with_halo([&](auto& h, const acre::team&) {
    for (int i = 0; i < (is_first_ ? 3 : 12); ++i) h.update();
  });
  if (!is_first_) {
    EXPECT_NE(fewer.find("halo::update"), std::string::npos) << fewer;
  }
  while (acre::runtime::pop_lost_failure() != nullptr) continue;
  acre::barrier();
  const std::string barrier = error_with_halo([&](auto& h, const acre::team& team) {
    for (int i = 0; i < (is_first_ ? 3 : 12); ++i) h.update();
    team.barrier();
  });
  EXPECT_NE(barrier, "no error");
  while (acre::runtime::pop_lost_failure() != nullptr) continue;
  acre::barrier();
}

TEST_F(HalosOfMembers, AreUpdatedByAllOrByNone) {
  const auto expect_both = [&](const std::string& name, auto&& call) {
    const std::string text = error_with_halo([&](auto& h, const acre::team& team) {
      if (is_first_) return call(team);
      for (int i = 0; i < 12; ++i) h.update();
    });
    EXPECT_NE(text.find(name), std::string::npos) << text;
    EXPECT_NE(text.find("halo::update at "), std::string::npos) << text;
    while (acre::runtime::pop_lost_failure() != nullptr) continue;
    acre::barrier();
  };
  expect_both("allreduce",
              [](const acre::team& team) { static_cast<void>(team.allreduce(1, acre::op::max)); });
  expect_both("gather", [](const acre::team& team) { static_cast<void>(team.gather(1, 0)); });
}

TEST_F(HalosOfMembers, AreUpdatedInOneDirection) {
  const std::string text = error_with_halo([&](auto& h, const acre::team& team) {
    if (is_first_) {
      h.update({0, 1});
    } else {
      h.update({1, 0});
    }
    team.barrier();
  });
  EXPECT_NE(text, "no error");
  while (acre::runtime::pop_lost_failure() != nullptr) continue;
  acre::barrier();
}

}  // namespace
