// SPDX-License-Identifier: BSD-3-Clause
// 2 x 2 matrices, as elements that do not commute.
#pragma once

#include <cstddef>
#include <ostream>

namespace acre::products_test {

struct two_by_two {
  int one = 0;
  int right = 0;
  int below = 0;
  int across = 0;

  two_by_two() = default;
  explicit two_by_two(int number) : two_by_two(number, 0, 0, number) {}
  two_by_two(int a, int b, int c, int d) : one(a), right(b), below(c), across(d) {}

  two_by_two& operator+=(const two_by_two& other) {
    one += other.one;
    right += other.right;
    below += other.below;
    across += other.across;
    return *this;
  }
  friend two_by_two operator*(const two_by_two& a, const two_by_two& b) {
    return {a.one * b.one + a.right * b.below, a.one * b.right + a.right * b.across,
            a.below * b.one + a.across * b.below, a.below * b.right + a.across * b.across};
  }
  friend bool operator==(const two_by_two&, const two_by_two&) = default;
  friend std::ostream& operator<<(std::ostream& out, const two_by_two& x) {
    return out << x.one << ' ' << x.right << ' ' << x.below << ' ' << x.across;
  }
};

inline two_by_two element_of(int matrix, std::size_t i, std::size_t j) {
  const auto of = [&](std::size_t times) {
    return static_cast<int>((i * times + j * 3 + static_cast<std::size_t>(matrix)) % 7) - 3;
  };
  return {of(1), of(2), of(4), of(5)};
}
inline two_by_two expected_of(const two_by_two& alpha, const two_by_two& beta, std::size_t inner,
                              std::size_t i, std::size_t j) {
  two_by_two sum;
  for (std::size_t k = 0; k < inner; ++k) sum += element_of(1, i, k) * element_of(2, k, j);
  two_by_two all = beta * element_of(3, i, j);
  return all += alpha * sum;
}

}  // namespace acre::products_test
