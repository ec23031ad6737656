// SPDX-License-Identifier: BSD-3-Clause
// Operators and member types of random-access iterators, derived from += and number().
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>

#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace acre::view {

/// Requires `operator+=(std::ptrdiff_t)`; defines all other steps.
template <class Derived, class Value, class Reference = Value>
class random_steps {
 public:
  using value_type = std::remove_cv_t<Value>;
  using difference_type = std::ptrdiff_t;
  using reference = Reference;
  using iterator_concept = std::random_access_iterator_tag;

 private:
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

/// Throws in builds with ACRE_CHECKS if iterators of different containers are compared.
template <class I>
constexpr void require_comparable(const I& a, const I& b) noexcept(!base::has_checks) {
  if constexpr (base::has_checks && requires { a.require_same(b, "", site()); }) {
    a.require_same(b, "comparison of iterators", site());
  }
}

/// Requires also `number()`; defines distance and comparisons.
template <class Derived, class Value, class Reference = Value>
class numbered_steps : public random_steps<Derived, Value, Reference> {
  [[nodiscard]] friend constexpr std::ptrdiff_t operator-(
      const Derived& a, const Derived& b) noexcept(!base::has_checks) {
    require_comparable(a, b);
    return static_cast<std::ptrdiff_t>(a.number() - b.number());
  }
  [[nodiscard]] friend constexpr bool operator==(const Derived& a,
                                                 const Derived& b) noexcept(!base::has_checks) {
    require_comparable(a, b);
    return a.number() == b.number();
  }
  [[nodiscard]] friend constexpr auto operator<=>(const Derived& a,
                                                  const Derived& b) noexcept(!base::has_checks) {
    require_comparable(a, b);
    return a.number() <=> b.number();
  }
};

}  // namespace acre::view
