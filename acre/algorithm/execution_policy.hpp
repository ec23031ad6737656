// SPDX-License-Identifier: BSD-3-Clause
// Concept of acre::seq and acre::par (policy.hpp).
#pragma once

#include <concepts>

namespace acre {

template <class P>
concept execution_policy = requires(const P& policy) {
  { policy.threads() } -> std::same_as<unsigned>;
};

}  // namespace acre
