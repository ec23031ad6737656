// SPDX-License-Identifier: BSD-3-Clause
// One kind of range (kinds.hpp) with every view and algorithm, compared with std.
#include "kinds.hpp"
#include <acre/arrays.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::testing::copy_of;
using ints = std::vector<int>;

/// Initial element i of the range and of its companion.
int element(std::size_t i) { return static_cast<int>(i * i % 29); }
int element_beside(std::size_t i) { return static_cast<int>(i * 7 % 13); }
constexpr auto thrice = [](int x) { return 3 * x + 1; };
/// Has a capture, so it is not assignable.
const auto less_by = [by = 2](int x) { return x - by; };

// A view: make() makes it of a range and its companion, places() are the indices of its elements in
// the range, value() an element.

std::vector<std::size_t> counted(std::size_t first, std::size_t size, std::size_t step = 1) {
  std::vector<std::size_t> all;
  for (std::size_t i = first; i < size; i += step) all.push_back(i);
  return all;
}

/// Wraps iterators without segments.
auto viewed(auto& range) {
  if constexpr (acre::ranges::segmented_iterator<std::ranges::iterator_t<decltype(range)>>) {
    return std::views::all(range);
  } else {
    return range | acre::views::shift(0);
  }
}

struct as_it_is {
  static constexpr bool is_memory = true, is_computed = false;
  static auto& make(auto& range, auto&) { return range; }
  static std::vector<std::size_t> places(std::size_t size) { return counted(0, size); }
  static int value(std::size_t i, std::size_t) { return element(i); }
};
struct a_part : as_it_is {
  static auto make(auto& range, auto&) {
    return viewed(range) | std::views::drop(3) | std::views::take(std::ranges::size(range) / 2);
  }
  static std::vector<std::size_t> places(std::size_t size) {
    return counted(3, std::min(size, size / 2 + 3));
  }
};
struct stepwise : as_it_is {
  static constexpr bool is_memory = false;
  static auto make(auto& range, auto&) { return range | acre::views::strided(3); }
  static std::vector<std::size_t> places(std::size_t size) { return counted(0, size, 3); }
};
struct rotated : as_it_is {
  static auto make(auto& range, auto&) { return range | acre::views::shift(5); }
  static std::vector<std::size_t> places(std::size_t size) {
    std::vector<std::size_t> all = counted(0, size);
    if (size != 0) {
      std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(5 % size), all.end());
    }
    return all;
  }
};
struct steps_of_a_rotated_part : as_it_is {
  static constexpr bool is_memory = false;
  static auto make(auto& range, auto&) {
    return range | acre::views::shift(-2) | std::views::drop(1) | acre::views::strided(2);
  }
  static std::vector<std::size_t> places(std::size_t size) {
    std::vector<std::size_t> all;
    for (std::size_t i = 1; i < size; i += 2) all.push_back((i + 2 * size - 2) % size);
    return all;
  }
};
struct computed : as_it_is {
  static constexpr bool is_memory = false, is_computed = true;
  static auto make(auto& range, auto&) { return range | acre::views::transform(thrice); }
  static int value(std::size_t i, std::size_t) { return thrice(element(i)); }
};
struct computed_stepwise : computed {
  static auto make(auto& range, auto&) {
    return range | acre::views::transform(less_by) | acre::views::strided(2) |
           acre::views::transform(thrice);
  }
  static std::vector<std::size_t> places(std::size_t size) { return counted(0, size, 2); }
  static int value(std::size_t i, std::size_t) { return thrice(less_by(element(i))); }
};
struct beside_another : computed {
  static auto make(auto& range, auto& other) {
    return acre::views::zip(range, other) | acre::views::transform([](const auto& both) {
             return std::get<0>(both) * std::get<1>(both);
           });
  }
  static int value(std::size_t i, std::size_t) { return element(i) * element_beside(i); }
};
struct numbered : computed {
  static auto make(auto& range, auto&) {
    return viewed(range) | std::views::drop(1) | acre::views::enumerate() |
           acre::views::transform([](const auto& both) {
             const auto& [i, x] = both;
             return 100 * static_cast<int>(i) + x;
           });
  }
  static std::vector<std::size_t> places(std::size_t size) { return counted(1, size); }
  static int value(std::size_t i, std::size_t place) {
    return 100 * static_cast<int>(place) + element(i);
  }
};

void look_at(auto& view, const ints& values) {
  const acre::team& members = acre::ranges::members(view);
  const auto begin = std::ranges::begin(view);
  const std::size_t size = values.size();

  ints seen;
  for (const auto& segment : acre::ranges::segments(view)) {
    EXPECT_GT(std::ranges::size(segment), 0U);
    for (const int value : segment) seen.push_back(value);
  }
  EXPECT_EQ(seen, values);
  ints own(size, -1);
  acre::ranges::each_own_run(view, [&](std::size_t index, const auto& run) {
    for (const int value : run) own.at(index++) = value;
  });
  for (std::size_t i = 0; i < size; ++i) EXPECT_TRUE(own[i] == -1 || own[i] == values[i]);
  members.barrier();

  EXPECT_EQ(copy_of(view), values);
  EXPECT_EQ(acre::reduce_on_all(view, 5), std::accumulate(values.begin(), values.end(), 5));
  EXPECT_EQ(acre::reduce_on(0, view).value_or(0),
            members.rank() == 0 ? std::accumulate(values.begin(), values.end(), 0) : 0);
  EXPECT_EQ(acre::count_on_all(view, 4), static_cast<std::size_t>(std::ranges::count(values, 4)));
  const auto is_small = [](int value) { return value < 20; };
  EXPECT_EQ(acre::all_of_on_all(view, is_small), std::ranges::all_of(values, is_small));
  EXPECT_EQ(acre::find_on_all(view, 4) - begin, std::ranges::find(values, 4) - values.begin());
  EXPECT_EQ(acre::max_element_on_all(view) - begin,
            std::ranges::max_element(values) - values.begin());
  const auto [least, greatest] = acre::minmax_element_on_all(view);
  const auto expected = std::ranges::minmax_element(values);
  EXPECT_EQ(least - begin, expected.min - values.begin());
  EXPECT_EQ(greatest - begin, expected.max - values.begin());
  EXPECT_EQ(acre::is_sorted_on_all(view), std::ranges::is_sorted(values));
  const auto bins = acre::histogram_on_all(view, 30, 0, 30);
  EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), std::size_t{0}),
            static_cast<std::size_t>(
                std::ranges::count_if(values, [](int x) { return 0 <= x && x < 30; })));
  int sum = 0;
  acre::for_each(view, [&](int x) { sum += x; });
  acre::for_each_with_index(view, [&](std::size_t i, int x) { EXPECT_EQ(x, values.at(i)); });
  EXPECT_EQ(members.allreduce(sum), std::accumulate(values.begin(), values.end(), 0));

  acre::array<int> other(members, size, 0);
  acre::copy(view, other);
  EXPECT_EQ(copy_of(other), values);
  EXPECT_TRUE(acre::equal_on_all(view, other));
  EXPECT_EQ(acre::mismatch_on_all(other, view).in1.index(), size);
  acre::transform(view, other, [](int x) { return -x; });
  acre::transform(view, other, other, std::minus<>());
  ints twice = values;
  for (int& each : twice) each *= 2;
  EXPECT_EQ(copy_of(other), twice);
  acre::inclusive_scan(view, other);
  ints sums(size);
  std::inclusive_scan(values.begin(), values.end(), sums.begin());
  EXPECT_EQ(copy_of(other), sums);
}

/// Calls an algorithm that writes, and computes the expected elements.
class changes {
 public:
  changes(auto& range, auto& view, std::vector<std::size_t> places)
      : places_(std::move(places)), all_(copy_of(range)), now_(copy_of(view)) {}

  [[nodiscard]] ints& now() { return now_; }
  /// Only the view's part may change.
  void expect(auto& range, const char* algorithm) {
    for (std::size_t i = 0; i < places_.size(); ++i) all_[places_[i]] = now_[i];
    EXPECT_EQ(copy_of(range), all_) << algorithm;
  }

 private:
  std::vector<std::size_t> places_;
  ints all_;
  ints now_;
};

template <class View>
void change(auto& range, View& view, const std::vector<std::size_t>& places) {
  const acre::team& members = acre::ranges::members(view);
  changes model(range, view, places);
  ints& now = model.now();

  acre::array<int> other(members, now.size(), 0);
  acre::generate_with_index(other, [](std::size_t i) { return static_cast<int>(i * 37 % 101); });
  now = copy_of(other);
  acre::copy(other, view);
  model.expect(range, "copy");
  for (int& each : now) ++each;
  acre::for_each(view, [](int& each) { ++each; });
  model.expect(range, "for_each");
  for (std::size_t i = 0; i < now.size(); ++i) now[i] += static_cast<int>(i);
  acre::for_each_with_index(view, [](std::size_t i, int& each) { each += static_cast<int>(i); });
  model.expect(range, "for_each_with_index");
  for (int& each : now) each = thrice(each) % 50;
  acre::transform(view, view, [](int x) { return thrice(x) % 50; });
  model.expect(range, "transform");

  if constexpr (acre::ranges::memory_range<View>) {
    std::ranges::sort(now);
    acre::sort(view);
    model.expect(range, "sort");
    if (!now.empty()) std::ranges::rotate(now, now.begin() + std::ssize(now) / 3);
    acre::rotate(view, now.size() / 3);
    model.expect(range, "rotate");
    std::ranges::reverse(now);
    acre::reverse(view);
    model.expect(range, "reverse");
    std::ranges::sort(now, std::greater<>());
    acre::stable_sort(view, std::greater<>());
    model.expect(range, "stable_sort");
    std::exclusive_scan(now.begin(), now.end(), now.begin(), 7);
    acre::exclusive_scan(view, 7);
    model.expect(range, "exclusive_scan");
    std::ranges::generate(now, [i = 0]() mutable { return i++ % 11; });
    if (members.rank() == 0) acre::copy(now, view);
    members.barrier();
    model.expect(range, "copy from memory");
  }
  std::ranges::fill(now, 8);
  acre::fill(view, 8);
  model.expect(range, "fill");
  acre::generate_with_index(view, [](std::size_t i) { return static_cast<int>(i); });
  std::iota(now.begin(), now.end(), 0);
  model.expect(range, "generate_with_index");
}

template <class View>
void see(auto& range, auto& other, auto& writable, const char* name) {
  SCOPED_TRACE(std::string(name) + " of " + std::to_string(std::ranges::size(range)) + " on " +
               std::to_string(acre::ranges::members(range).size()) + " members");
  acre::generate_with_index(writable, element);
  acre::generate_with_index(other, element_beside);
  acre::ranges::members(range).barrier();
  auto&& view = View::make(range, other);
  using view_type = decltype(view);
  const std::vector<std::size_t> places = View::places(std::ranges::size(range));
  ints values(places.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = View::value(places[i], i);
  ASSERT_EQ(static_cast<std::size_t>(std::ranges::size(view)), values.size());
  look_at(view, values);

  constexpr bool is_const =
      std::is_const_v<std::remove_reference_t<acre::ranges::own_reference_of<decltype(range)>>>;
  constexpr bool is_written = !is_const && !View::is_computed;
  static_assert(acre::ranges::distributed_range<view_type>);
  static_assert(std::ranges::borrowed_range<view_type>);
  static_assert(acre::ranges::memory_range<view_type> == View::is_memory);
  static_assert(acre::ranges::writable_range<view_type> == is_written);
  if constexpr (is_written) change(range, view, places);
}

void see_all(auto& range, auto& other, auto& writable) {
  see<as_it_is>(range, other, writable, "it");
  see<a_part>(range, other, writable, "a part");
  see<stepwise>(range, other, writable, "every third");
  see<rotated>(range, other, writable, "a rotation");
  see<steps_of_a_rotated_part>(range, other, writable, "every other of a part of a rotation");
  see<computed>(range, other, writable, "a function");
  see<computed_stepwise>(range, other, writable, "a function of every other of a function");
  see<beside_another>(range, other, writable, "a product with another");
  see<numbered>(range, other, writable, "a part with its numbers");
}

constexpr auto see_all_of = [](auto& range, auto& other, auto& writable) {
  see_all(range, other, writable);
};

TEST(Ranges, OfOneKindByEveryAlgorithmThroughEveryView) {
  using kind = acre::testing::ACRE_TEST_KIND;
  for (const std::size_t size : {0U, 1U, 3U, 31U}) kind::with(acre::world(), size, see_all_of);
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  kind::with(half, 13, see_all_of);
  acre::barrier();
}

}  // namespace
