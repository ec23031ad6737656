// SPDX-License-Identifier: BSD-3-Clause
// Reduction operations. Complex numbers are C's, a compiler extension in C++.
#pragma once

#include <algorithm>

namespace acre::shmem::reduce {

struct op_and {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a & b);
  }
};
struct op_or {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a | b);
  }
};
struct op_xor {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a ^ b);
  }
};
struct op_min {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return std::min(a, b);
  }
};
struct op_max {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return std::max(a, b);
  }
};
struct op_sum {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a + b);
  }
};
struct op_prod {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a * b);
  }
};

}  // namespace acre::shmem::reduce
