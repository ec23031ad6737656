// SPDX-License-Identifier: BSD-3-Clause
// What tests of messages share.
#pragma once

#include <acre/acre.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/rank_box.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace acre::testing {

constexpr auto request = static_cast<runtime::handler_id>(210);

class board {
 public:
  board() : words_(acre::allocate<std::uint64_t>(acre::size())) {
    std::fill_n(words_.local(), acre::size(), 0);
    all_ = acre::world().allgather(words_);
  }
  ~board() {
    acre::barrier();
    acre::deallocate(words_);
  }
  board(const board&) = delete;
  board& operator=(const board&) = delete;

  void put(acre::rank_t target, std::uint64_t value) {
    acre::put(all_[target] + acre::rank(), value);
  }
  [[nodiscard]] std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
      all += std::atomic_ref(words_.local()[rank]).load(std::memory_order_acquire);
    }
    return all;
  }

 private:
  acre::global_ptr<std::uint64_t> words_;
  std::vector<acre::global_ptr<std::uint64_t>> all_;
};

template <class Predicate>
void await_word(Predicate&& has_come) {
  while (!has_come()) std::this_thread::yield();
}

inline bool are_neighbours(acre::rank_t one, acre::rank_t other) {
  return std::max(one, other) < acre::size() && runtime::node_of(one) == runtime::node_of(other);
}

}  // namespace acre::testing
