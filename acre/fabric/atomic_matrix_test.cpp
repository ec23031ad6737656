// SPDX-License-Identifier: BSD-3-Clause
// All operations on all types against the sequential model.
#include <acre/base/error.hpp>
#include <acre/fabric/atomic_model_test.hpp>
#include <acre/fabric/atomic_operation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace acre::fabric;

wide_word as_wide(word bits) { return {bits, 0}; }
wide_word as_wide(wide_word bits) { return bits; }

template <class T>
class AtomicMatrix : public testing::Test {};
TYPED_TEST_SUITE(AtomicMatrix, test::all_atomic_types);

TYPED_TEST(AtomicMatrix, AgreesWithTheModel) {
  using T = TypeParam;
  const auto values = test::sample_values<T>();
  for (const atomic_operation operation : test::every_operation) {
    for (const T& now : values) {
      for (const T& operand : values) {
        for (const T& comparand : values) {
          alignas(16) T memory[2] = {now, T(9)};
          bool possible = false;
          const T after = test::model(operation, now, operand, comparand, possible);
          wide_word before;
          ASSERT_EQ(apply_atomic(operation, atomic_type_of<T>(), memory, as_wide(to_word(operand)),
                                 as_wide(to_word(comparand)), before),
                    possible)
              << static_cast<int>(operation);
          ASSERT_EQ(memory[0], after) << static_cast<int>(operation);
          ASSERT_EQ(memory[1], T(9));
          if (possible && operation != atomic_operation::store) {
            ASSERT_EQ(from_word<T>(before), now);
          }
        }
      }
    }
  }
}

TYPED_TEST(AtomicMatrix, LosesNoUpdateOfThreads) {
  using T = TypeParam;
  alignas(16) T words[2] = {T(0), T(0)};
  constexpr int rounds = 2'000;
  const auto add = [&](T step) {
    for (int i = 0; i < rounds; ++i) {
      apply_atomic<atomic_operation::add>(&words[0], step, T(0), std::memory_order_seq_cst);
      T expected(0);
      do {
        expected =
            apply_atomic<atomic_operation::load>(&words[1], T(0), T(0), std::memory_order_seq_cst);
      } while (apply_atomic<atomic_operation::compare_exchange>(
                   &words[1], static_cast<T>(expected + step), expected,
                   std::memory_order_seq_cst) != expected);
    }
  };
  const T one(1);
  std::thread other(add, one);
  add(one);
  other.join();
  T sum(0);
  for (int i = 0; i < 2 * rounds; ++i) sum = static_cast<T>(sum + one);
  EXPECT_EQ(words[0], sum);
  EXPECT_EQ(words[1], sum);
}

TEST(AtomicNumbers, CompareByValue) {
  const auto swap = [](auto now, auto comparand) {
    apply_atomic<atomic_operation::compare_exchange>(&now, decltype(now)(5), comparand,
                                                     std::memory_order_seq_cst);
    return now;
  };
  EXPECT_EQ(swap(0.0, -0.0), 5.0);
  constexpr float invalid = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(swap(invalid, invalid)));
}

TEST(AtomicNumbers, OfSixteenBytesAreRefusedIfMisaligned) {
  alignas(16) std::complex<double> three[3];
  auto* const crooked =
      reinterpret_cast<std::complex<double>*>(reinterpret_cast<double*>(three) + 1);
  EXPECT_THROW(
      apply_atomic<atomic_operation::add>(crooked, {1.0, 0.0}, {}, std::memory_order_seq_cst),
      acre::error);
}

TEST(AtomicNumbers, OfSixteenBytesAreNeverTorn) {
  alignas(16) std::complex<double> shared{0, 0};
  constexpr int rounds = 20'000;
  std::thread writer([&] {
    for (int i = 1; i <= rounds; ++i) {
      apply_atomic<atomic_operation::store>(&shared, {double(i), double(-i)}, {},
                                            std::memory_order_seq_cst);
    }
  });
  int torn = 0;
  double last = 0;
  while (last < rounds) {
    const auto seen =
        apply_atomic<atomic_operation::load>(&shared, {}, {}, std::memory_order_seq_cst);
    torn += seen.real() != -seen.imag() || seen.real() < last ? 1 : 0;
    last = seen.real();
  }
  writer.join();
  EXPECT_EQ(torn, 0);
}

constexpr std::array<const char*, atomic_operation_count> names{"load",
                                                                "store",
                                                                "exchange",
                                                                "compare_exchange",
                                                                "sum",
                                                                "bit_and",
                                                                "bit_or",
                                                                "bit_xor",
                                                                "min",
                                                                "max",
                                                                "product",
                                                                "logical_and",
                                                                "logical_or",
                                                                "logical_xor",
                                                                "compare_exchange_ne",
                                                                "compare_exchange_le",
                                                                "compare_exchange_lt",
                                                                "compare_exchange_ge",
                                                                "compare_exchange_gt",
                                                                "masked_exchange"};

/// A row of the table: operation, libfabric's name, new value, integers, real and complex numbers.
std::string row_of_guide(std::size_t number) {
  std::ifstream guide(ACRE_GUIDE "/04-atomics.md");
  const std::string begin = std::string("| `") + names[number] + "` |";
  for (std::string line; std::getline(guide, line);) {
    if (line.starts_with(begin)) return line;
  }
  return "";
}

TEST(AtomicTable, OfTheGuideIsThatOfTheCode) {
  using enum atomic_type;
  const std::array<std::vector<atomic_type>, 3> columns{
      {{int8, uint8, int16, uint16, int32, uint32, int64, uint64},
       {float32, float64, extended},
       {complex64, complex128}}};
  for (std::size_t i = 0; i < atomic_operation_count; ++i) {
    std::string expected;
    for (const auto& types : columns) {
      const bool is_there = is_defined(test::every_operation[i], types.front());
      for (const atomic_type each : types) {
        EXPECT_EQ(is_defined(test::every_operation[i], each), is_there) << names[i];
      }
      expected += is_there ? " yes |" : " – |";
    }
    EXPECT_TRUE(row_of_guide(i).ends_with(expected)) << names[i] << ":" << expected;
  }
}

}  // namespace
