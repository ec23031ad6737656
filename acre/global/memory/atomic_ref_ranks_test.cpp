// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/global/memory/atomic_ref.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

template <class T, class X>
concept adds = requires(acre::global_ref<T> r, X x) { r += x; };
template <class T>
concept divides = requires(acre::global_ref<T> r) { r %= 2; };
template <class T>
concept steps = requires(acre::global_ref<T> r) { ++r; };
struct pair {
  int a, b;
};
static_assert(adds<int, int> && adds<double, int> && adds<short, long> && !adds<pair, pair>);
static_assert(!adds<const int, int> && !steps<const int> && !steps<bool> && !steps<pair>);
static_assert(adds<int, acre::global_ref<const int>>);
static_assert(divides<long> && !divides<double>);

TEST(GlobalRef, HasTheOperatorsOfItsType) {
  acre::array<short> a(acre::world(), acre::size() * 2, short{10});
  const std::size_t i = (acre::rank() + 1) % acre::size() * 2;
  a[i] += 5;
  a[i + 1] -= 3;
  EXPECT_EQ(a[i], 15);
  a[i] *= a[i + 1];
  EXPECT_EQ(a[i], 105);
  EXPECT_EQ(++a[i], 106);
  EXPECT_EQ(a[i]++, 106);
  EXPECT_EQ(a[i]--, 107);
  EXPECT_EQ(--a[i], 105);
  a[i] /= 2;
  a[i] %= 10;
  a[i] <<= 3;
  a[i] |= 1;
  a[i] ^= 3;
  a[i] &= 0x1e;
  a[i] >>= 1;
  EXPECT_EQ(a[i], 9);
  (a[i] += 1) += 2;
  EXPECT_EQ(a[i], 12);
  acre::matrix<std::complex<double>, 2> m(acre::world(), {acre::size(), 2}, {1, 2});
  m(i / 2, 1) *= std::complex<double>(0, 1);
  m(i / 2, 1) += m(i / 2, 0);
  EXPECT_EQ(m(i / 2, 1), std::complex<double>(-1, 3));
  acre::barrier();
}

TEST(AtomicRefSmoke, LosesNoUpdate) {
  acre::array<std::int64_t> a(acre::world(), 3, 0);
  acre::array<double> sum(acre::world(), 1, 0.0);
  constexpr std::int64_t rounds = 500;
  for (std::int64_t i = 0; i < rounds; ++i) {
    ++acre::atomic_ref(a[0]);
    acre::atomic_ref(a[1]) -= i;
    acre::atomic_ref(a[2]) ^= std::int64_t{1} << acre::rank();
    acre::atomic_ref(sum[0]) += 0.5;
  }
  acre::barrier();
  const std::int64_t ranks = acre::size();
  EXPECT_EQ(a[0], rounds * ranks);
  EXPECT_EQ(a[1], -ranks * rounds * (rounds - 1) / 2);
  EXPECT_EQ(a[2], 0);
  EXPECT_EQ(sum[0], 0.5 * static_cast<double>(rounds * ranks));
  acre::barrier();
}

TEST(AtomicRef, ReturnsWhatStdDoes) {
  acre::array<unsigned> a(acre::world(), acre::size(), 7U);
  const acre::atomic_ref r(a[(acre::rank() + 1) % acre::size()]);
  EXPECT_EQ(r += 3, 10U);
  EXPECT_EQ(r++, 10U);
  EXPECT_EQ(--r, 10U);
  EXPECT_EQ(r.fetch_and(6), 10U);
  EXPECT_EQ(r |= 1, 3U);
  EXPECT_EQ(r.exchange(8), 3U);
  unsigned expected = 9;
  EXPECT_FALSE(r.compare_exchange_strong(expected, 1));
  EXPECT_EQ(expected, 8U);
  EXPECT_TRUE(r.compare_exchange_strong(expected, 1));
  EXPECT_EQ(r = 5, 5U);
  EXPECT_EQ(unsigned(r), 5U);
  const acre::atomic_ref of_pointer(a.pointer((acre::rank() + 1) % acre::size()));
  EXPECT_EQ(of_pointer.load(), 5U);
  acre::barrier();
}

}  // namespace
