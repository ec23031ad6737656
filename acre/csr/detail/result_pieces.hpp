// SPDX-License-Identifier: BSD-3-Clause
// Holds product rows whose position is still unknown, in reused, cached memory.
#pragma once

#include <acre/base/scratch.hpp>
#include <acre/csr/csr_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace acre::csr {

template <class V>
class result_pieces {
 public:
  struct place {
    column_t* columns;
    V* values;
  };
  [[nodiscard]] place room_for(std::size_t entries) {
    while (here_ < pieces_.size() && pieces_[here_].left() < entries) ++here_;
    if (here_ == pieces_.size()) {
      const std::size_t last = pieces_.empty() ? least / 2 : pieces_.back().columns.size();
      pieces_.emplace_back(std::max(entries, std::min(2 * last, most)));
    }
    return pieces_[here_].at(pieces_[here_].used);
  }
  void keep(std::size_t entries) noexcept { pieces_[here_].used += entries; }
  void clear() noexcept {
    for (piece& each : pieces_) each.used = 0;
    here_ = 0;
  }

  [[nodiscard]] std::size_t entries() const noexcept {
    std::size_t all = 0;
    for (const piece& each : pieces_) all += each.used;
    return all;
  }
  void copy_to(place to) const {
    for (const piece& each : pieces_) {
      to.columns = std::copy_n(each.columns.get(), each.used, to.columns);
      to.values = std::copy_n(each.values.get(), each.used, to.values);
    }
  }

 private:
  static constexpr std::size_t least = std::size_t{1} << 12;
  static constexpr std::size_t most = std::size_t{1} << 17;

  struct piece {
    explicit piece(std::size_t entries) : columns(entries), values(entries) {}
    [[nodiscard]] std::size_t left() const noexcept { return columns.size() - used; }
    [[nodiscard]] place at(std::size_t entry) const noexcept {
      return {columns.get() + entry, values.get() + entry};
    }
    std::size_t used = 0;
    base::scratch<column_t> columns;
    base::scratch<V> values;
  };
  std::vector<piece> pieces_;
  std::size_t here_ = 0;
};

}  // namespace acre::csr
