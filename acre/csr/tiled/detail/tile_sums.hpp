// SPDX-License-Identifier: BSD-3-Clause
// Workspace in the segment for each tile's partial sums.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <cstddef>

namespace acre::csr {

class tile_sums : team_object<team_memory> {
 public:
  /// Uninitialised. Collective. Cost: 1 allgather.
  /// @throws acre::error on all members for short memory
  tile_sums(const team& members, const row_cut& stacked, std::size_t row_bytes, const char* call,
            const site& where);

  [[nodiscard]] std::size_t row_bytes() const noexcept { return row_bytes_; }

  template <class V>
  [[nodiscard]] V* mine() const noexcept {
    return reinterpret_cast<V*>(memory().mine());
  }
  template <class V>
  [[nodiscard]] global_ptr<const V> of(rank_t member) const noexcept {
    return global_ptr<const V>::from_bits(memory().bits_of(member));
  }

 private:
  std::size_t row_bytes_;
};

}  // namespace acre::csr
