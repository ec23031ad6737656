// SPDX-License-Identifier: BSD-3-Clause
// Operand of a tile in plain memory: in place if mapped and of one member, else a copy.
#pragma once

#include <acre/csr/row_cut.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/transfer/completion.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

namespace acre::csr {

template <class X>
class run_at_hand {
 public:
  /// @param width  elements per row; 1 for a vector
  template <class Rows>
  run_at_hand(const Rows& of, const row_cut& cut, std::size_t width, std::size_t first,
              std::size_t count) {
    if (width == 0) return;
    const global::quiet_on_failure reads_end;
    for (std::size_t done = 0; done < count;) {
      const std::size_t row = first + done;
      const std::size_t behind = cut.first_of(cut.owner(row) + 1);
      const std::size_t here = std::min(behind - row, count - done);
      const auto place = of.pointer(row);
      if (here == count && place.local() != nullptr) {
        values_ = place.local();
        return;
      }
      if (copies_ == nullptr) copies_ = std::make_unique_for_overwrite<X[]>(count * width);
      get_nbi(place, std::span<X>(copies_.get() + done * width, here * width));
      done += here;
    }
    quiet();
    values_ = copies_.get();
  }

  [[nodiscard]] const X* values() const noexcept { return values_; }

 private:
  const X* values_ = nullptr;
  std::unique_ptr<X[]> copies_;
};

}  // namespace acre::csr
