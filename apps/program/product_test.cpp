// SPDX-License-Identifier: BSD-3-Clause
#include <apps/program/product.hpp>

#include <acre/algorithm/plain_product.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace acre::program {
namespace {

using extents = layout::coordinates<2>;

template <class T>
struct boxed {
  std::vector<T> memory;
  box_span<T, 2> box;

  boxed(const extents& n, bool is_by_rows, int seed)
      : memory((n[0] + 3) * (n[1] + 3), T(-1)),
        box(memory.data(), n, is_by_rows ? extents{n[1] + 3, 1} : extents{1, n[0] + 3}) {
    for (std::size_t i = 0; i < n[0]; ++i) {
      for (std::size_t j = 0; j < n[1]; ++j) {
        box(i, j) = T(static_cast<float>((static_cast<int>(i * 7 + j * 3) + seed) % 9 - 4));
      }
    }
  }
};

template <class T>
std::vector<T> product_by_hand(const box_span<T, 2>& a, const box_span<T, 2>& b) {
  std::vector<T> sums(a.extent(0) * b.extent(1));
  std::vector<T> row(b.extent(1));
  for (std::size_t k = 0; k < a.extent(1); ++k) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = b(k, j);
    for (std::size_t i = 0; i < a.extent(0); ++i) {
      const T factor = a(i, k);
      T* const to = sums.data() + i * row.size();
      for (std::size_t j = 0; j < row.size(); ++j) to[j] += factor * row[j];
    }
  }
  return sums;
}

template <class T, class Product>
void expect_product(const extents& n, std::size_t inner, unsigned ways) {
  const boxed<T> a({n[0], inner}, (ways & 1U) != 0, 1);
  const boxed<T> b({inner, n[1]}, (ways & 2U) != 0, 2);
  boxed<T> c(n, (ways & 4U) != 0, 3);
  const std::vector<T> sums = product_by_hand(a.box, b.box);
  std::vector<T> expected(c.memory);
  const box_span<T, 2> model(expected.data(), n, c.box.strides());
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < n[0]; ++i) {
      for (std::size_t j = 0; j < n[1]; ++j) f(model(i, j), sums[i * n[1] + j]);
    }
  };
  const auto say = [&] {
    return std::to_string(n[0]) + " x " + std::to_string(inner) + " x " + std::to_string(n[1]) +
           ", way " + std::to_string(ways);
  };
  const box_span<const T, 2> left(a.box);
  const box_span<const T, 2> right(b.box);
  Product()(left, right, c.box);
  each([](T& x, const T& sum) { x += sum; });
  EXPECT_TRUE(c.memory == expected) << say();
  // Computes 2 (c + a b) - 2 a b = 2 c.
  Product()(T(-2), left, right, T(2), c.box);
  each([](T& x, const T& sum) { x = T(2) * (x - sum); });
  EXPECT_TRUE(c.memory == expected) << say() << ", with factors";
}

template <class T, class Product>
void expect_products() {
  for (unsigned ways = 0; ways < 8; ++ways) {
    for (const extents& n : {extents{1, 6}, {9, 13}, {0, 2}}) {
      for (const std::size_t inner : {0U, 1U, 33U}) expect_product<T, Product>(n, inner, ways);
    }
    expect_product<T, Product>({6, 130}, 33, ways);
  }
}

TEST(PlainProduct, TakesBoxesHoweverTheyLie) {
  expect_products<std::complex<float>, plain_product>();
}

#if ACRE_HAVE_XSMM
struct product_in_threads : xsmm_product {
  product_in_threads() : xsmm_product(4) {}
};

TEST(XsmmProduct, TakesBoxesHoweverTheyLie) {
  expect_products<double, xsmm_product>();
  expect_products<std::complex<float>, xsmm_product>();
  for (unsigned ways = 0; ways < 8; ++ways) {
    expect_product<float, xsmm_product>({97, 133}, 100, ways);
    expect_product<double, product_in_threads>({385, 390}, 96, ways);
  }
  expect_product<double, product_in_threads>({96, 770}, 96, 1);
  expect_product<double, product_in_threads>({770, 144}, 96, 2);
  expect_product<double, xsmm_product>({96, 97}, 4900, 5);
}

TEST(XsmmProduct, DoesNotLookAtWhatAFactorOfZeroLeavesOut) {
  const boxed<double> a({100, 110}, true, 1);
  const boxed<double> b({110, 120}, true, 2);
  const std::vector<double> sums = product_by_hand(a.box, b.box);
  for (const bool by_rows : {true, false}) {
    boxed<double> c({100, 120}, by_rows, 3);
    for (const double alpha : {1.0, 3.0}) {
      std::ranges::fill(c.memory, std::nan(""));
      xsmm_product()(alpha, box_span<const double, 2>(a.box), box_span<const double, 2>(b.box), 0.0,
                     c.box);
      for (std::size_t i = 0; i < 100; ++i) {
        for (std::size_t j = 0; j < 120; ++j) ASSERT_EQ(c.box(i, j), alpha * sums[i * 120 + j]);
      }
    }
    boxed<double> nothing({100, 110}, true, 1);
    std::ranges::fill(nothing.memory, std::nan(""));
    xsmm_product()(0.0, box_span<const double, 2>(nothing.box), box_span<const double, 2>(b.box),
                   1.0, c.box);
    EXPECT_EQ(c.box(3, 4), 3 * sums[3 * 120 + 4]);
  }
}
#endif

#if ACRE_HAVE_BLAS
/// Memory whose pages exist only once written.
template <class T>
class sparse_memory {
 public:
  explicit sparse_memory(std::size_t count)
      : bytes_(count * sizeof(T)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~sparse_memory() {
    if (is_there()) munmap(memory_, bytes_);
  }
  sparse_memory(const sparse_memory&) = delete;
  sparse_memory& operator=(const sparse_memory&) = delete;

  [[nodiscard]] bool is_there() const noexcept { return memory_ != MAP_FAILED; }
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

template <class Product>
void expect_product_of_far_lines() {
  constexpr std::size_t line = (std::size_t{1} << 32) + 8;
  const sparse_memory<float> memory(line + 3);
  if (!memory.is_there()) GTEST_SKIP() << "no address space";
  for (const bool is_by_rows : {true, false}) {
    const box_span<float, 2> a(memory.data(), {2, 2},
                               is_by_rows ? extents{line, 1} : extents{1, line});
    const boxed<float> b({2, 3}, true, 2);
    const boxed<float> c({2, 3}, is_by_rows, 3);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) a(i, j) = static_cast<float>(1 + i + 2 * j);
    }
    Product()(1.0F, box_span<const float, 2>(a), box_span<const float, 2>(b.box), 0.0F, c.box);
    const std::vector<float> sums = product_by_hand(a, b.box);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(c.box(i, j), sums[i * 3 + j]);
    }
  }
}

TEST(BlasProduct, TakesLinesFurtherApartThanItsIntegersCanSay) {
  expect_product_of_far_lines<blas_product>();
#if ACRE_HAVE_XSMM
  expect_product_of_far_lines<xsmm_product>();
#endif
}

TEST(BlasProduct, TakesBoxesHoweverTheyLie) {
  share_cores();
  expect_products<double, blas_product>();
  expect_products<std::complex<float>, blas_product>();
}
#endif

}  // namespace
}  // namespace acre::program
