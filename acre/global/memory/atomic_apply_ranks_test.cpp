// SPDX-License-Identifier: BSD-3-Clause
// All atomic operations on all types, alone against the sequential model and by all ranks at once.
#include <acre/acre.hpp>
#include <acre/fabric/atomic_model_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using acre::global_ptr;
using acre::fabric::atomic_operation;
namespace atomic_op = acre::atomic_op;
namespace test = acre::fabric::test;

template <class T>
global_ptr<T> words_on_rank_zero(std::size_t count) {
  global_ptr<T> words;
  if (acre::rank() == 0) {
    words = acre::allocate<T>(count);
    std::fill_n(words.local(), count, T(0));
  }
  return acre::world().broadcast(words, 0);
}

template <class T>
class AtomicApply : public testing::Test {
 protected:
  static constexpr std::size_t count = 8;

  AtomicApply() : words(words_on_rank_zero<T>(count)) {}
  ~AtomicApply() override {
    acre::barrier();
    if (acre::rank() == 0) acre::deallocate(words);
  }
  [[nodiscard]] global_ptr<T> operator[](std::size_t i) const {
    return words + static_cast<std::ptrdiff_t>(i);
  }

  global_ptr<T> words;
};
TYPED_TEST_SUITE(AtomicApply, test::all_atomic_types);

/// One call of each form; the forms' results are compared with the model.
template <atomic_operation Operation, class T>
void compare_with_model(global_ptr<T> word, T operand, T comparand) {
  constexpr atomic_op::operation<Operation> operation;
  T now = acre::atomic_load(word);
  const auto expect = [&](const T& before) {
    if (Operation != atomic_operation::store) EXPECT_EQ(before, now);
    bool possible = false;
    now = test::model(Operation, now, operand, comparand, possible);
    ASSERT_TRUE(possible);
    ASSERT_EQ(acre::atomic_load(word), now) << "operation " << static_cast<int>(Operation);
  };
  if constexpr (Operation == atomic_operation::load) {
    expect(acre::atomic_apply(word, operation));
  } else if constexpr (acre::fabric::compares(Operation)) {
    expect(acre::atomic_apply(word, operation, comparand, operand));
    acre::atomic_apply_nbi(word, operation, comparand, operand);
    acre::quiet();
    expect(now);
    expect(acre::atomic_apply_async(word, operation, comparand, operand).get());
  } else {
    expect(acre::atomic_apply(word, operation, operand));
    acre::atomic_apply_nbi(word, operation, operand);
    acre::quiet();
    expect(now);
    expect(acre::atomic_apply_async(word, operation, operand).get());
  }
}

TYPED_TEST(AtomicApply, AgreesWithTheModelInAllForms) {
  using T = TypeParam;
  const auto word = (*this)[acre::rank() % this->count];
  if (acre::rank() < this->count) {
    const auto values = test::sample_values<T>();
    std::size_t next = acre::rank();
    test::for_each_operation([&](auto operation) {
      if constexpr (acre::applicable<T, operation()>) {
        for (std::size_t i = 0; i < 3; ++i) {
          acre::atomic_store(word, values[next % values.size()]);
          compare_with_model<operation()>(word, values[(next + 1) % values.size()],
                                          values[(next / 3 + i) % values.size()]);
          ++next;
        }
      }
    });
  }
  acre::barrier();
}

template <class T>
T number(std::size_t n) {
  if constexpr (acre::fabric::atomic_complex<T>) {
    return T(static_cast<typename T::value_type>(n), 0);
  } else {
    return static_cast<T>(n);
  }
}
template <class T>
std::size_t as_size(const T& value) {
  if constexpr (acre::fabric::atomic_complex<T>) {
    return static_cast<std::size_t>(value.real());
  } else {
    return static_cast<std::size_t>(value);
  }
}

/// Wraps around.
template <class T>
T times_three(T value) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(value) * 3);
  } else {
    return value * T(3);
  }
}

/// Sums and products are those of one order of the operations; neighbouring words stay separate.
TYPED_TEST(AtomicApply, LosesNoUpdateOfRanks) {
  using T = TypeParam;
  constexpr std::size_t rounds = 40;
  const std::size_t ranks = acre::size();
  if (acre::rank() == 0) acre::atomic_store((*this)[2], T(1));
  acre::barrier();
  for (std::size_t i = 0; i < rounds; ++i) {
    acre::atomic_apply_nbi((*this)[0], atomic_op::sum, T(1));
    acre::atomic_apply((*this)[1], atomic_op::sum, number<T>(i % 3));
    if (i % 8 == 0) acre::atomic_apply_nbi((*this)[2], atomic_op::product, T(3));
    acre::atomic_apply_nbi((*this)[3], atomic_op::logical_xor, number<T>(i % 2));
    // Sum by compare-exchange.
    for (T seen = acre::atomic_load((*this)[4]), before;; seen = before) {
      before = acre::atomic_apply((*this)[4], atomic_op::compare_exchange, seen,
                                  static_cast<T>(seen + T(1)));
      if (before == seen) break;
    }
  }
  acre::barrier();
  T sum(0);
  T thirds(0);
  T product(1);
  for (std::size_t i = 0; i < rounds * ranks; ++i) {
    sum = static_cast<T>(sum + T(1));
    thirds = static_cast<T>(thirds + number<T>(i % rounds % 3));
  }
  for (std::size_t i = 0; i < rounds / 8 * ranks; ++i) product = times_three(product);
  EXPECT_EQ(acre::atomic_load((*this)[0]), sum);
  EXPECT_EQ(acre::atomic_load((*this)[1]), thirds);
  if (std::integral<T> || ranks <= 2) EXPECT_EQ(acre::atomic_load((*this)[2]), product);
  EXPECT_EQ(acre::atomic_load((*this)[3]), T(rounds / 2 * ranks % 2 != 0 ? 1 : 0));
  EXPECT_EQ(acre::atomic_load((*this)[4]), sum);
  EXPECT_EQ(acre::atomic_load((*this)[5]), T(0));
  acre::barrier();
}

/// Exchanges move values, and neither lose nor copy them.
TYPED_TEST(AtomicApply, ExchangesKeepAllValues) {
  using T = TypeParam;
  T mine = number<T>(acre::rank() + 1);
  for (std::size_t i = 0; i < 30; ++i) {
    mine = acre::atomic_apply((*this)[i % 2], atomic_op::exchange, mine);
    mine = acre::atomic_apply_async((*this)[0], atomic_op::compare_exchange_ne, mine, mine).get();
    mine = acre::atomic_apply((*this)[0], atomic_op::exchange, mine);
  }
  acre::barrier();
  const std::vector<T> owned = acre::world().allgather(std::span<const T>(&mine, 1));
  std::vector<std::size_t> all;
  for (const T& each : owned) all.push_back(as_size(each));
  for (std::size_t i = 0; i < 2; ++i) all.push_back(as_size(acre::atomic_load((*this)[i])));
  std::ranges::sort(all);
  std::vector<std::size_t> expected{0, 0};
  for (std::size_t i = 1; i <= acre::size(); ++i) expected.push_back(i);
  EXPECT_EQ(all, expected);
  acre::barrier();
}

/// Conditional exchanges compute extremes; masked ones write each rank's bits only.
TYPED_TEST(AtomicApply, ConditionsHoldAtTheMomentOfTheExchange) {
  using T = TypeParam;
  if constexpr (acre::atomic_real<T>) {
    if (acre::rank() == 0) {
      for (const std::size_t i : {1U, 3U, 5U}) acre::atomic_store((*this)[i], T(100));
    }
    acre::barrier();
    for (std::size_t i = 0; i < 20; ++i) {
      const T value = number<T>((i * 7 + acre::rank() * 5) % 90 + 1);
      acre::atomic_apply_nbi((*this)[0], atomic_op::compare_exchange_gt, value, value);
      acre::atomic_apply_nbi((*this)[1], atomic_op::compare_exchange_lt, value, value);
      acre::atomic_apply((*this)[2], atomic_op::compare_exchange_ge, value, value);
      acre::atomic_apply((*this)[3], atomic_op::compare_exchange_le, value, value);
      acre::atomic_apply_nbi((*this)[4], atomic_op::max, value);
      acre::atomic_apply_nbi((*this)[5], atomic_op::min, value);
    }
    acre::barrier();
    const T most = acre::atomic_load((*this)[4]);
    const T least = acre::atomic_load((*this)[5]);
    EXPECT_LT(least, most);
    for (const std::size_t i : {0U, 2U}) EXPECT_EQ(acre::atomic_load((*this)[i]), most);
    for (const std::size_t i : {1U, 3U}) EXPECT_EQ(acre::atomic_load((*this)[i]), least);
  }
  if constexpr (std::integral<T>) {
    const T mask = static_cast<T>(T{1} << (acre::rank() % 7));
    if (acre::rank() < 7) {
      for (std::size_t i = 0; i < 21; ++i) {
        acre::atomic_apply_nbi((*this)[6], atomic_op::masked_exchange, mask,
                               static_cast<T>(i % 2 == 0 ? ~T{0} : T{0}));
      }
    }
    acre::barrier();
    const T expected = static_cast<T>((1U << std::min<unsigned>(acre::size(), 7)) - 1U);
    EXPECT_EQ(acre::atomic_load((*this)[6]), expected);
  }
  acre::barrier();
}

TEST(AtomicApplyMixed, NamedCallsTakeAllTypesToo) {
  const auto sum = words_on_rank_zero<std::complex<double>>(1);
  const auto bytes = words_on_rank_zero<std::uint8_t>(2);
  for (int i = 0; i < 10; ++i) {
    acre::atomic_add_nbi(sum, {1.0, -2.0});
    acre::fetch_sub(sum, {0.0, 1.0});
    acre::fetch_add(bytes + 1, std::uint8_t{1});
  }
  acre::barrier();
  const double ranks = acre::size();
  EXPECT_EQ(acre::atomic_load(sum), std::complex<double>(10 * ranks, -30 * ranks));
  EXPECT_EQ(acre::atomic_load(bytes), 0);
  EXPECT_EQ(acre::atomic_load(bytes + 1), static_cast<std::uint8_t>(10 * acre::size()));
  acre::barrier();
  if (acre::rank() == 0) {
    acre::deallocate(sum);
    acre::deallocate(bytes);
  }
}

static_assert(!acre::atomic_value<std::complex<long double>> && !acre::atomic_value<bool>);

}  // namespace
