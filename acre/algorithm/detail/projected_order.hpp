// SPDX-License-Identifier: BSD-3-Clause
// Compares elements by a projection.
#pragma once

#include <acre/base/invoke.hpp>

namespace acre::algorithm {

template <class Less, class Projection>
struct projected_order {
  const Less& less;
  const Projection& projection;

  template <class T>
  [[nodiscard]] bool operator()(const T& a, const T& b) const {
    return base::invoke(less, base::invoke(projection, a), base::invoke(projection, b));
  }
};

}  // namespace acre::algorithm
