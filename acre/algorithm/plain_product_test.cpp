// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/plain_product.hpp>

#include <acre/algorithm/two_by_two_test.hpp>
#include <acre/view/box_span.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre {
namespace {

using products_test::element_of;
using products_test::expected_of;
using products_test::two_by_two;
using extents = layout::coordinates<2>;

template <class T>
struct boxed {
  std::vector<T> memory;
  box_span<T, 2> box;

  template <class F>
  boxed(const extents& n, bool is_by_rows, F&& f)
      : memory(n[0] * n[1]),
        box(memory.data(), n, is_by_rows ? extents{n[1], 1} : extents{1, n[0]}) {
    for (std::size_t i = 0; i < n[0]; ++i) {
      for (std::size_t j = 0; j < n[1]; ++j) box(i, j) = f(i, j);
    }
  }
};

void expect_order(const extents& n, std::size_t inner, bool is_by_rows) {
  const auto of = [](int matrix) {
    return [matrix](std::size_t i, std::size_t j) { return element_of(matrix, i, j); };
  };
  const boxed<two_by_two> a({n[0], inner}, true, of(1));
  const boxed<two_by_two> b({inner, n[1]}, true, of(2));
  const boxed<two_by_two> c(n, is_by_rows, of(3));
  const two_by_two alpha(1, 2, 0, 3);
  const two_by_two beta(0, 1, -2, 1);
  plain_product()(alpha, box_span<const two_by_two, 2>(a.box), box_span<const two_by_two, 2>(b.box),
                  beta, c.box);
  for (std::size_t i = 0; i < n[0]; ++i) {
    for (std::size_t j = 0; j < n[1]; ++j) {
      ASSERT_EQ(c.box(i, j), expected_of(alpha, beta, inner, i, j)) << i << ", " << j;
    }
  }
}

TEST(PlainProduct, KeepsTheOrderOfElementsThatDoNotCommute) {
  for (const bool is_by_rows : {true, false}) {
    expect_order({6, 130}, 35, is_by_rows);
    expect_order({130, 7}, 3, is_by_rows);
  }
}

struct counted {
  static inline std::size_t products = 0;
  int value = 0;

  counted() = default;
  explicit counted(int number) : value(number) {}
  counted& operator+=(const counted& other) {
    value += other.value;
    return *this;
  }
  friend counted operator*(const counted& a, const counted& b) {
    ++products;
    return counted(a.value * b.value);
  }
  friend bool operator==(const counted&, const counted&) = default;
};

TEST(PlainProduct, WorksOnNoMoreColumnsThanThereAre) {
  const auto two = [](std::size_t, std::size_t) { return counted(2); };
  const boxed<counted> a({8, 10}, true, two);
  const boxed<counted> b({10, 5}, true, two);
  const boxed<counted> c({8, 5}, true, two);
  counted::products = 0;
  plain_product()(box_span<const counted, 2>(a.box), box_span<const counted, 2>(b.box), c.box);
  EXPECT_LE(counted::products, 8U * 5 * (10 + 1));
  for (const counted& each : c.memory) EXPECT_EQ(each.value, 2 + 10 * 4);
}

TEST(PlainProduct, WrapsSmallUnsignedIntegers) {
  const auto most = [](std::size_t, std::size_t) { return std::uint16_t{65535}; };
  const boxed<std::uint16_t> a({5, 3}, true, most);
  const boxed<std::uint16_t> b({3, 6}, true, most);
  const boxed<std::uint16_t> c({5, 6}, true, most);
  plain_product()(std::uint16_t{65535}, box_span<const std::uint16_t, 2>(a.box),
                  box_span<const std::uint16_t, 2>(b.box), std::uint16_t{65535}, c.box);
  for (const std::uint16_t each : c.memory) EXPECT_EQ(each, 65536 - 3 + 1);
}

}  // namespace
}  // namespace acre
