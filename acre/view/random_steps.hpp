// The steps of a random-access iterator that follow from one of them.
#pragma once

#include <cstddef>

namespace acre::detail {

/// Derived has `operator+=(std::ptrdiff_t)`, and gets all that moves an iterator but the distance
/// of two.
template <class Derived>
class random_steps {
  friend constexpr Derived& operator-=(Derived& i, std::ptrdiff_t n) noexcept { return i += -n; }
  friend constexpr Derived& operator++(Derived& i) noexcept { return i += 1; }
  friend constexpr Derived& operator--(Derived& i) noexcept { return i += -1; }
  friend constexpr Derived operator++(Derived& i, int) noexcept {
    const Derived before = i;
    i += 1;
    return before;
  }
  friend constexpr Derived operator--(Derived& i, int) noexcept {
    const Derived before = i;
    i += -1;
    return before;
  }
  [[nodiscard]] friend constexpr Derived operator+(Derived i, std::ptrdiff_t n) noexcept {
    return i += n;
  }
  [[nodiscard]] friend constexpr Derived operator+(std::ptrdiff_t n, Derived i) noexcept {
    return i += n;
  }
  [[nodiscard]] friend constexpr Derived operator-(Derived i, std::ptrdiff_t n) noexcept {
    return i += -n;
  }
};

}  // namespace acre::detail
