// SPDX-License-Identifier: BSD-3-Clause
// Pauses between attempts to steal: 20 µs, doubled up to 2.6 ms.
#pragma once

#include <cstdint>

namespace acre::container {

class steal_pause {
 public:
  void reset() noexcept { pauses_ = 0; }
  void begin() noexcept;
  [[nodiscard]] bool is_over() const noexcept;

 private:
  std::int64_t until_ = 0;
  std::uint32_t pauses_ = 0;
};

}  // namespace acre::container
