// SPDX-License-Identifier: BSD-3-Clause
// Symmetric memory for tests.
#pragma once

#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>

namespace acre {

template <class T>
class everywhere {
 public:
  explicit everywhere(std::size_t count)
      : block_(static_cast<T*>(acre::runtime::allocate_symmetric(count * sizeof(T)))) {
    std::fill_n(block_, count, T{});
    acre::barrier();
  }
  ~everywhere() {
    acre::barrier();
    acre::runtime::free_symmetric(block_);
  }
  everywhere(const everywhere&) = delete;
  everywhere& operator=(const everywhere&) = delete;

  [[nodiscard]] global_ptr<T> on(acre::rank_t rank) const {
    return {rank, acre::runtime::segment_offset(block_)};
  }
  [[nodiscard]] T* here() const { return block_; }

 private:
  T* block_;
};

inline rank_t next_rank() { return (rank() + 1) % size(); }
inline rank_t previous_rank() { return (rank() + size() - 1) % size(); }

}  // namespace acre
