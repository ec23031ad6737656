// SPDX-License-Identifier: BSD-3-Clause
// All keys at one hash.
#pragma once

#include <cstdint>

namespace histories {

struct one_home {
  using is_avalanching = void;
  template <class K>
  std::uint64_t operator()(const K&) const noexcept {
    return 0x9e3779b97f4a7c15U;
  }
};

}  // namespace histories
