// SPDX-License-Identifier: BSD-3-Clause
// Ranks that create, call or end a collection differently all receive an error.
#include <acre/agas/checkpoint.hpp>
#include <acre/agas/collection.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/distribution.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <tuple>

namespace {

using acre::base_test::failure_of;

std::atomic<int> alive = 0;

struct cell {
  explicit cell(std::size_t own = 0) : number(own) { ++alive; }
  cell(cell&& other) noexcept : number(other.number), calls(other.calls) { ++alive; }
  ~cell() { --alive; }
  void call() { ++calls; }
  [[nodiscard]] std::size_t value() const { return number; }
  [[nodiscard]] acre::rank_t where() const { return acre::rank(); }
  void hear(std::size_t from) { number += from; }
  std::size_t number = 0;
  int calls = 0;
  friend auto acre_fields(cell& c) { return std::tie(c.number, c.calls); }
};

struct other_cell {
  std::string text = "no number";
  [[nodiscard]] std::size_t value() const { return text.size(); }
  friend auto acre_fields(other_cell& c) { return std::tie(c.text); }
};

template <class One, class Other>
void expect_to_differ(const std::string& in, One&& one, Other&& other) {
  const std::string said = acre::rank() == 0 ? failure_of(one) : failure_of(other);
  if (acre::size() == 1) {
    EXPECT_EQ(said, "");
  } else {
    EXPECT_NE(said.find("rank 0 calls "), std::string::npos) << said;
    EXPECT_NE(said.find(in), std::string::npos) << said;
  }
  EXPECT_EQ(acre::world().allreduce(1), int(acre::size()));
}

TEST(Collections, AreRefusedByNameInFunctionsOfObjects) {
  const auto cells = acre::make_collection<cell>(acre::size());
  const auto make = [](cell&) { static_cast<void>(acre::make_collection<cell>(3)); };
  const std::string said = failure_of([&] { acre::invoke(cells[0], make).get(); });
  EXPECT_NE(said.find("make_collection: a collective call inside"), std::string::npos) << said;
}

TEST(CollectionsThatDiffer, AreRefusedWhenTheyAreMade) {
  const auto make = [](auto&&... arguments) {
    return [=] { static_cast<void>(acre::make_collection<cell>(arguments...)); };
  };
  const auto index = [](std::size_t i) { return i; };
  const auto others = [] { static_cast<void>(acre::make_collection<other_cell>(8)); };
  expect_to_differ("other_cell", make(8, index), others);
  expect_to_differ("extent", make(4, index), make(8, index));
  expect_to_differ("extent", make(8, index),
                   [] { static_cast<void>(acre::make_collection<cell>({2, 4})); });
  if (acre::size() < 8) {
    expect_to_differ("the owners of members", make(8, index), make(8, acre::dist::cyclic, index));
  }
  const auto owner = [](std::size_t) { return acre::rank_t{0}; };
  expect_to_differ("the owners of members", make(8, index), make(8, owner, index));
  acre::drain();
  EXPECT_EQ(alive, 0);
}

TEST(CollectionsThatDiffer, AreRefusedInCalls) {
  const auto cells = acre::make_collection<cell>(9, [](std::size_t i) { return i; });
  const auto more = acre::make_collection<cell>(9, [](std::size_t i) { return i; });
  const auto all = [](const auto& of, auto... call) {
    return [=, &of] { acre::invoke_all(of, call...); };
  };
  const auto sum = [](const auto& of, auto operation, auto... call) {
    return [=, &of] { static_cast<void>(acre::invoke_reduce(of, operation, call...)); };
  };
  expect_to_differ("the collection", all(cells, &cell::call), all(more, &cell::call));
  expect_to_differ("the function", all(cells, &cell::value), all(cells, &cell::where));
  expect_to_differ("the arguments", all(cells, &cell::hear, std::size_t{1}),
                   all(cells, &cell::hear, std::size_t{2}));
  expect_to_differ("calls invoke_reduce", all(cells, &cell::value),
                   sum(cells, acre::op::sum, &cell::value));
  expect_to_differ("results of", sum(cells, acre::op::sum, &cell::value),
                   sum(cells, acre::op::sum, &cell::calls));
  // −0 equals 0; lambdas are not compared.
  const double zero = acre::rank() == 0 ? 0.0 : -0.0;
  acre::invoke_all(cells, [](cell&, double) {}, zero);
  const std::string text(acre::rank() % 2 == 0 ? "  same text in other places"
                                               : "same text in other places");
  const std::string_view same = std::string_view(text).substr(acre::rank() % 2 == 0 ? 2 : 0);
  acre::invoke_all(cells, [](cell&, std::string_view) {}, same);
  if (acre::rank() == 0) {
    acre::invoke_all(cells, [](cell& c) { c.call(); });
  } else {
    acre::invoke_all(cells, [](cell& c) { c.call(); });
  }
}

TEST(CollectionsThatDiffer, AreRefusedWhenTheyEnd) {
  auto one = acre::make_collection<cell>(3);
  auto two = acre::make_collection<cell>(3);
  const std::string said = failure_of([&] {
    const acre::runtime::failures_held held;
    (acre::rank() == 0 ? one : two) = {};
    (acre::rank() == 0 ? two : one) = {};
    if (const auto failure = acre::runtime::pop_lost_failure()) std::rethrow_exception(failure);
  });
  if (acre::size() > 1)
    EXPECT_NE(said.find("the end of the collection"), std::string::npos) << said;
  while (acre::runtime::pop_lost_failure() != nullptr) {
  }
  EXPECT_EQ(acre::world().allreduce(1), int(acre::size()));
}

TEST(CollectionsThatDiffer, AreRefusedInCheckpoints) {
  const acre::files_test::folder here;
  const auto one = acre::make_collection<cell>(3);
  const auto two = acre::make_collection<cell>(3);
  const auto store = [&](const auto& what, const char* name) {
    return [&, name] { acre::checkpoint(what, here / name); };
  };
  expect_to_differ("the collections", store(one, "a"), store(two, "a"));
  expect_to_differ("the path", store(one, "a"), store(one, "b"));
  expect_to_differ(
      "calls invoke_all", [&] { acre::invoke_all(one, &cell::call); }, store(one, "a"));
  expect_to_differ("calls checkpoint", store(one, "a"), [&] {
    static_cast<void>(acre::invoke_reduce(one, acre::op::sum, &cell::value));
  });
  acre::checkpoint(one, here / "a");
  acre::checkpoint(one, here / "b");
  const auto read = [&](const char* name) {
    return
        [&, name] { static_cast<void>(acre::restore<acre::object_collection<cell>>(here / name)); };
  };
  expect_to_differ("the path", read("a"), read("b"));
  expect_to_differ("other_cell", read("a"), [&] {
    static_cast<void>(acre::restore<acre::object_collection<other_cell>>(here / "a"));
  });
}

}  // namespace
