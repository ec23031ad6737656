// SPDX-License-Identifier: BSD-3-Clause
// Squares of each kind that this processor supports, also those that programs would not select.
#define ACRE_WIDE_LOOPS 1
#include <acre/algorithm/detail/transpose_box.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::algorithm {
namespace {

struct add_twice {
  template <class T>
  void operator()(T* to, const T* from) const noexcept {
    *to = static_cast<T>(*to + 2 * *from);
  }
};

template <class T, class Write, class Turn>
void expect_turned(std::size_t is, std::size_t js, const Write& write, const Turn& turn) {
  std::vector<T> in(is * (js + 3));
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<T>(k * 7 + 1);
  std::vector<T> out(js * (is + 5), T{3});
  std::vector<T> expected = out;
  const transposed_side<const T> from{in.data(), js + 3, 1};
  write_elements<T>(from, {expected.data(), 1, is + 5}, is, js, write);
  turn(from, transposed_side<T>{out.data(), 1, is + 5}, is, js, write);
  EXPECT_EQ(out, expected) << sizeof(T) << " bytes, " << is << " x " << js;
}

template <class Turn>
void expect_all_turned(const Turn& turn) {
  for (const std::size_t is : {1U, 7U, 16U, 37U}) {
    for (const std::size_t js : {1U, 8U, 16U, 35U}) {
      const auto of_type = [&]<class T>(T) {
        expect_turned<T>(is, js, copy_element(), turn);
        expect_turned<T>(is, js, add_twice(), turn);
      };
      of_type(std::uint8_t{});
      of_type(std::uint16_t{});
      of_type(float{});
      of_type(double{});
    }
  }
}

TEST(TransposeSquares, EqualElementsTurnedSingly) {
#if ACRE_HAS_WIDE_LOOPS
  if (base::processor_is_wide()) {
    expect_all_turned([](const auto&... all) { squares_of_avx2::turn_squares(all...); });
  }
  if (base::processor_has_avx512()) {
    expect_all_turned([](const auto&... all) { squares_of_avx512::turn_squares(all...); });
  }
#else
  expect_all_turned([](const auto&... all) { squares::turn_squares(all...); });
#endif
}

}  // namespace
}  // namespace acre::algorithm
