// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/queue/detail/fast_ring.hpp>

#include <algorithm>

namespace acre::container {

void rotate_ring(std::span<std::byte> ring, std::size_t first) noexcept {
  std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(first), ring.end());
}

}  // namespace acre::container
