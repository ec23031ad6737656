// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/atomic_operation.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using enum acre::fabric::atomic_operation;
using acre::fabric::apply_atomic;
using acre::fabric::atomic_operation;
using acre::fabric::atomic_type_of;
using acre::fabric::from_word;
using acre::fabric::to_word;
using acre::fabric::wide_word;

template <class T>
std::pair<T, T> run(atomic_operation operation, T value, T operand, T expected = {}) {
  wide_word before;
  EXPECT_TRUE(apply_atomic(operation, atomic_type_of<T>(), &value, {to_word(operand), 0},
                           {to_word(expected), 0}, before));
  return {from_word<T>(before), value};
}

template <class T>
class AtomicOperation : public testing::Test {};
using numbers = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, long,
                               unsigned long long, float, double>;
TYPED_TEST_SUITE(AtomicOperation, numbers);

TYPED_TEST(AtomicOperation, DoesToAnyNumberWhatItsNameSays) {
  using T = TypeParam;
  using pair = std::pair<T, T>;
  EXPECT_EQ(run<T>(load, 5, 9), pair(5, 5));
  EXPECT_EQ(run<T>(store, 5, 9).second, T{9});
  EXPECT_EQ(run<T>(exchange, 5, 9), pair(5, 9));
  EXPECT_EQ(run<T>(compare_exchange, 5, 9, 5), pair(5, 9));
  EXPECT_EQ(run<T>(compare_exchange, 5, 9, 6), pair(5, 5));
  EXPECT_EQ(run<T>(add, 5, 9), pair(5, 14));
  EXPECT_EQ(run<T>(min, 5, 3), pair(5, 3));
  EXPECT_EQ(run<T>(min, 5, 9), pair(5, 5));
  EXPECT_EQ(run<T>(max, 5, 9), pair(5, 9));
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(run<T>(min, 5, -9), pair(5, -9));
    EXPECT_EQ(run<T>(add, 5, -9), pair(5, -4));
  }
}

TYPED_TEST(AtomicOperation, KnowsBitsOfIntegersOnly) {
  using T = TypeParam;
  T value{12};
  wide_word before;
  const bool possible =
      apply_atomic(bit_and, atomic_type_of<T>(), &value, {to_word(T{10}), 0}, {}, before);
  EXPECT_EQ(possible, std::integral<T>);
  if constexpr (std::integral<T>) {
    using pair = std::pair<T, T>;
    EXPECT_EQ(value, T{8});
    EXPECT_EQ(run<T>(bit_or, 12, 10), pair(12, 14));
    EXPECT_EQ(run<T>(bit_xor, 12, 10), pair(12, 6));
  }
}

TEST(AtomicOperationAtRunTime, WrapsAroundAndTouchesNothingBeside) {
  struct {
    std::uint32_t below = 0xaaaaaaaa;
    std::uint32_t value = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t above = 0xbbbbbbbb;
  } three;
  wide_word before;
  EXPECT_TRUE(apply_atomic(add, atomic_type_of<std::uint32_t>(), &three.value, {1, 0}, {}, before));
  EXPECT_EQ(three.value, 0U);
  EXPECT_EQ(three.below, 0xaaaaaaaaU);
  EXPECT_EQ(three.above, 0xbbbbbbbbU);
}

TEST(AtomicOperationAtRunTime, RejectsNumbersThatNameNoOperation) {
  std::uint64_t value = 1;
  wide_word before;
  EXPECT_FALSE(apply_atomic(static_cast<atomic_operation>(200), atomic_type_of<std::uint64_t>(),
                            &value, {1, 0}, {}, before));
  EXPECT_FALSE(
      apply_atomic(add, static_cast<acre::fabric::atomic_type>(200), &value, {1, 0}, {}, before));
  EXPECT_EQ(value, 1U);
}

TEST(AtomicOrder, IsWhatWasAskedForAsFarAsALoadOrAStoreHasIt) {
  using enum std::memory_order;
  using acre::fabric::load_order;
  using acre::fabric::store_order;
  for (const std::memory_order both : {relaxed, seq_cst}) {
    EXPECT_EQ(load_order(both), both);
    EXPECT_EQ(store_order(both), both);
  }
  for (const std::memory_order half : {acquire, release, acq_rel}) {
    EXPECT_EQ(load_order(half), acquire);
    EXPECT_EQ(store_order(half), release);
  }
}

}  // namespace
